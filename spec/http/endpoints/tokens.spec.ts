import { expect } from 'chai'
import { isSecretText } from '../../../plugin/access/tokens/token-text.js'
import { withMounted } from '../../support/mounted.js'

const PASSWORD = 'correct horse battery'
/** The largest list of a page. */
const ALL = 'per_page=100'

interface Token {
  readonly id: number
  readonly name: string
  readonly token: string
}

describe('personal tokens', () => {
  const mounted = withMounted()
  const emails = new Map<string, string>()
  const basic = (name: string, password: string) => ({
    Authorization: `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`,
  })
  const bearer = (token: string) => ({ Authorization: `Bearer ${token}` })
  const asPerson = (name: string) => basic(emails.get(name) ?? '', PASSWORD)
  const by = (headers: Record<string, string>, method: string, path: string, body?: object) =>
    mounted.ask(null, method, path, body, headers)
  const make = async (name: string, body: object = {}): Promise<Token> => {
    const made = await by(asPerson(name), 'POST', '/me/tokens', { name: 'build', ...body })
    expect(made.status, made.text).to.equal(201)
    return made.json as Token
  }
  const revokeAll = async (name: string) => {
    const { json } = await by(asPerson(name), 'GET', `/me/tokens?${ALL}`)
    for (const { id } of json as Token[]) await by(asPerson(name), 'DELETE', `/me/tokens/${id}`)
  }

  before('gives people passwords', async () => {
    for (const name of ['@owen', '@sam', '@lea', '@paula']) {
      await mounted.itsm.credentials.setPassword(mounted.world.id(name), PASSWORD)
      emails.set(name, String(mounted.world.record(name).body['primary_email']))
    }
  })
  afterEach(() => revokeAll('@sam'))

  it('are made with a password, shown once, listed, and revoked', async () => {
    const body = { name: ' build ✨ ', read_only: true, record_types: ['task', 'request'], expires_in_days: 90 }
    const made = await by(asPerson('@sam'), 'POST', '/me/tokens', body)
    expect(made.status).to.equal(201)
    const { token, ...shown } = made.json as Token
    expect(made.headers['location']).to.equal(`${mounted.baseUrl}/me/tokens/${shown.id}`)
    expect(made.headers['cache-control']).to.contain('no-store')
    expect(isSecretText(token)).to.equal(true)
    expect(token).to.match(/^itsm_pat_/)
    expect(shown).to.deep.include({ name: 'build ✨', read_only: true, record_types: ['request', 'task'], last_used_at: null })
    const another = await make('@sam')
    const listed = await by(asPerson('@sam'), 'GET', '/me/tokens')
    expect((listed.json as Token[]).map(({ id }) => id)).to.deep.equal([another.id, shown.id])
    expect(listed.headers['x-pagination-total-entries']).to.equal('2')
    expect((listed.json as Token[])[1]).to.deep.equal(shown)
    expect((await by(asPerson('@sam'), 'GET', `/me/tokens/${shown.id}`)).json).to.deep.equal(shown)
    expect(listed.text).to.not.contain('itsm_pat_')
    expect((await by(asPerson('@sam'), 'GET', '/me/tokens?per_page=1&page=2')).json).to.deep.equal([shown])
    expect((await by(bearer(token), 'GET', '/me')).status).to.equal(200)
    expect((await by(asPerson('@sam'), 'DELETE', `/me/tokens/${shown.id}`)).status).to.equal(204)
    expect((await by(bearer(token), 'GET', '/me')).status).to.equal(401)
    expect((await by(bearer(another.token), 'GET', '/me')).status).to.equal(200)
    for (const method of ['GET', 'DELETE'])
      expect((await by(asPerson('@sam'), method, `/me/tokens/${shown.id}`)).status).to.equal(404)
  })

  it('work wherever the API token does, and in scripts', async () => {
    const { token } = await make('@sam')
    const id = mounted.world.id('@sam')
    for (const headers of [bearer(token), basic(token, 'x'), basic(token, '')])
      expect((await by(headers, 'GET', '/me')).json).to.include({ id })
    expect((await by({}, 'GET', `/me?api_token=${token}`)).json).to.include({ id })
    const script = await by({ 'Sec-Fetch-Site': 'cross-site' }, 'GET', `/people/${id}?api_token=${token}&callback=show`)
    expect(script.text).to.contain('show(').and.not.contain(token)
    const page = await by({}, 'GET', `/people?api_token=${token}&per_page=1`)
    expect(page.headers['link']).to.be.a('string').and.not.contain(token)
  })

  it('neither show nor make nor revoke tokens, nor the API token; nor does the API token', async () => {
    const { id, token } = await make('@owen')
    for (const headers of [bearer(token), basic(mounted.world.token('@owen'), 'x')]) {
      for (const [method, path] of [
        ['GET', '/me/tokens'],
        ['HEAD', '/me/tokens'],
        ['POST', '/me/tokens'],
        ['GET', `/me/tokens/${id}`],
        ['DELETE', `/me/tokens/${id}`],
      ] as const)
        expect(
          (await by(headers, method, path, method === 'POST' ? { name: 'more' } : undefined)).status,
          `${method} ${path}`,
        ).to.equal(403)
    }
    expect((await by(bearer(token), 'POST', '/me/reset_api_token')).status).to.equal(403)
    expect((await by(bearer(token), 'GET', '/me')).json).to.not.have.property('api_token')
    await by(asPerson('@owen'), 'DELETE', `/me/tokens/${id}`)
  })

  it('are refused with each mistake in the language of the caller, and nothing is made', async () => {
    const cases: readonly (readonly [object, readonly (readonly [string, string])[]])[] = [
      [{}, [['name', "Name can't be blank"]]],
      [{ name: '  ' }, [['name', "Name can't be blank"]]],
      [{ name: 'x'.repeat(129) }, [['name', 'Name is too long (maximum is 128 characters)']]],
      [{ name: 'two\nlines' }, [['name', 'Name is invalid']]],
      [{ name: 'evil\u202egnihtemos' }, [['name', 'Name is invalid']]],
      [{ name: ['a'] }, [['name', 'Name is invalid']]],
      [{ name: 'n', readonly: true }, [['readonly', 'Readonly is not a known field']]],
      [{ name: 'n', read_only: 'maybe' }, [['read_only', 'Read only is invalid']]],
      [{ name: 'n', record_types: [] }, [['record_types', "Record types can't be blank"]]],
      [{ name: 'n', record_types: ['request', 'note'] }, [['record_types', 'Record types is not included in the list']]],
      [{ name: 'n', record_types: { request: true } }, [['record_types', 'Record types is not included in the list']]],
      [{ name: 'n', expires_at: 'soon' }, [['expires_at', 'Expires at is not a valid date and time']]],
      [{ name: 'n', expires_at: '2020-01-01T00:00:00Z' }, [['expires_at', 'Expires at must be in the future']]],
      [{ name: 'n', expires_in_days: 0 }, [['expires_in_days', 'Expires in days cannot be less than 1']]],
      [{ name: 'n', expires_in_days: 1.5 }, [['expires_in_days', 'Expires in days is not an integer']]],
      [{ name: 'n', expires_in_days: 4_000 }, [['expires_in_days', 'Expires in days cannot be greater than 3650']]],
      [
        { name: 'n', expires_in_days: 5, expires_at: '2099-01-01T00:00:00Z' },
        [['expires_in_days', 'Expires in days cannot be combined with an expiry time']],
      ],
      [
        { read_only: {}, record_types: ['x'], expires_in_days: 'many', other: 1 },
        [
          ['other', 'Other is not a known field'],
          ['name', "Name can't be blank"],
          ['read_only', 'Read only is invalid'],
          ['record_types', 'Record types is not included in the list'],
          ['expires_in_days', 'Expires in days is not an integer'],
        ],
      ],
    ]
    for (const [body, errors] of cases) {
      const answer = await by(asPerson('@sam'), 'POST', '/me/tokens', body)
      expect([answer.status, (answer.json as { errors: unknown }).errors], JSON.stringify(body)).to.deep.equal([422, errors])
    }
    const french = await by({ ...asPerson('@sam'), 'X-SVC-Language': 'fr' }, 'POST', '/me/tokens', {
      name: 'n',
      expires_at: '2020-01-01',
    })
    expect(french.text).to.contain('Expire le')
    expect((await by(asPerson('@sam'), 'GET', '/me/tokens')).json).to.deep.equal([])
  })

  it('are at most 50 that have not expired, however many are asked for at once', async () => {
    for (let made = 0; made < 48; made += 1) await make('@sam', { name: `token ${made}` })
    const more = await Promise.all(
      [1, 2, 3, 4, 5, 6].map(() => by(asPerson('@sam'), 'POST', '/me/tokens', { name: 'one more' })),
    )
    expect(more.map(({ status }) => status).sort()).to.deep.equal([201, 201, 422, 422, 422, 422])
    const refused = more.find(({ status }) => status === 422)
    expect(refused?.text).to.contain('[["tokens","Too many entries in Tokens (maximum is 50)"]]')
  }).timeout(20_000)

  it('that have expired make room, and are listed until there are too many', async () => {
    const { storage } = mounted.database
    const expireAll = () =>
      storage
        .knex(storage.table('tokens'))
        .where({ person_id: mounted.world.id('@sam') })
        .update({ expires_at: '2026-01-01 00:00:00.000' })
    const names = async () => ((await by(asPerson('@sam'), 'GET', `/me/tokens?${ALL}`)).json as Token[]).map(({ name }) => name)
    for (const age of ['old', 'older']) {
      for (let made = 0; made < 50; made += 1) await make('@sam', { name: `${age} ${made}` })
      await expireAll()
    }
    expect(await names()).to.have.length(100)
    await make('@sam', { name: 'new' })
    expect(await names()).to.deep.equal(['new'])
  }).timeout(30_000)

  it('leave a line in the audit of their person, without anything secret', async () => {
    const { id, token } = await make('@sam', { name: 'audited' })
    await by(asPerson('@sam'), 'DELETE', `/me/tokens/${id}`)
    const { text, json } = await mounted.ask('@owen', 'GET', `/people/${mounted.world.id('@sam')}/audit?${ALL}`)
    const lines = json as readonly { readonly changes?: object; readonly created_by: { readonly id: number } }[]
    const named = lines.filter((line) => JSON.stringify(line).includes('audited'))
    expect(named).to.have.length(2)
    for (const { created_by } of named) expect(created_by.id).to.equal(mounted.world.id('@sam'))
    expect(text).to.not.contain(token).and.not.contain(token.slice(9, 30))
  })

  it('of others do not exist, except for administrators of their account, who list and revoke them', async () => {
    const { id, token } = await make('@sam', { name: 'of sam' })
    for (const method of ['GET', 'DELETE'])
      expect((await by(asPerson('@lea'), method, `/me/tokens/${id}`)).status).to.equal(404)
    const path = `/people/${mounted.world.id('@sam')}/tokens`
    expect((await by(asPerson('@lea'), 'GET', path)).status).to.equal(403)
    expect((await by(asPerson('@lea'), 'DELETE', `${path}/${id}`)).status).to.equal(403)
    expect((await by(asPerson('@sam'), 'GET', path)).status).to.equal(403)
    expect([403, 404]).to.include((await by(asPerson('@paula'), 'GET', path)).status)
    expect([403, 404]).to.include((await by(asPerson('@paula'), 'DELETE', `${path}/${id}`)).status)
    const listed = await mounted.ask('@owen', 'GET', path)
    expect(listed.json).to.deep.equal((await by(asPerson('@sam'), 'GET', '/me/tokens')).json)
    expect(listed.text).to.not.contain('itsm_pat_')
    expect((await mounted.ask('@owen', 'POST', path, { name: 'x' })).status).to.equal(404)
    const other = await make('@owen', { name: 'of owen' })
    expect((await mounted.ask('@owen', 'DELETE', `${path}/${other.id}`)).status).to.equal(404)
    expect((await mounted.ask('@owen', 'DELETE', `${path}/${id}`)).status).to.equal(204)
    expect((await by(bearer(token), 'GET', '/me')).status).to.equal(401)
    await by(asPerson('@owen'), 'DELETE', `/me/tokens/${other.id}`)
  })

  it('belong to the person, in whatever account they are used or managed', async () => {
    await mounted.itsm.grant(mounted.world.id('@sam'), 'partner', ['auditor'])
    const { token } = await make('@sam')
    const elsewhere = { ...asPerson('@sam'), 'X-SVC-Account': 'partner' }
    expect((await by(elsewhere, 'GET', '/me/tokens')).json).to.have.length(1)
    expect((await by({ ...bearer(token), 'X-SVC-Account': 'partner' }, 'GET', '/me')).status).to.equal(200)
    const asked = await by({ ...bearer(token), 'X-SVC-Account': 'partner' }, 'GET', '/account')
    expect(asked.json).to.include({ id: 'partner' })
  })

  it('remember their last use', async () => {
    const { id, token } = await make('@sam')
    await by(bearer(token), 'GET', '/me')
    let lastUse: unknown = null
    for (let tries = 0; tries < 50 && lastUse === null; tries += 1)
      lastUse = ((await by(asPerson('@sam'), 'GET', `/me/tokens/${id}`)).json as { last_used_at: unknown }).last_used_at
    expect(lastUse).to.match(/^\d{4}-/)
  })
})

describe('personal tokens of people with a session of the host', () => {
  const mounted = withMounted('bare', {
    people: { signedIn: async (ctx) => (ctx.get('X-Session') === '' ? null : { id: Number(ctx.get('X-Session')) }) },
  })

  it('are made and revoked with the session', async () => {
    const session = { 'X-Session': String(mounted.world.id('@sam')) }
    const made = await mounted.ask(null, 'POST', '/me/tokens', { name: 'mine' }, session)
    expect(made.status).to.equal(201)
    const { id, token } = made.json as Token
    const bearer = { Authorization: `Bearer ${token}` }
    expect((await mounted.ask(null, 'GET', '/me', undefined, bearer)).json).to.include({ id: mounted.world.id('@sam') })
    expect((await mounted.ask(null, 'GET', '/me/tokens', undefined, bearer)).status).to.equal(403)
    expect((await mounted.ask(null, 'DELETE', `/me/tokens/${id}`, undefined, session)).status).to.equal(204)
    expect((await mounted.ask(null, 'GET', '/me', undefined, bearer)).status).to.equal(401)
  })
})
