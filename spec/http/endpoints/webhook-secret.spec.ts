import { expect } from 'chai'
import { withMounted } from '../../support/mounted.js'

const GIVEN = `whsec_${Buffer.alloc(24, 9).toString('base64')}`
const MADE = /^whsec_[A-Za-z0-9+/]{43}=$/
const HOOK = { event: 'request.create', uri: 'https://hooks.widgets.example/signed' }

interface Shown {
  readonly id: number
  readonly secret?: string
  readonly signed: boolean
}

describe('the secret of a webhook', () => {
  const mounted = withMounted()
  const ask = (name: string | null, method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    mounted.ask(name, method, path, body as object, headers)
  const create = async (secret: unknown): Promise<Shown> => {
    const made = await ask('@owen', 'POST', '/webhooks', { ...HOOK, secret })
    expect(made.status, made.text).to.equal(201)
    return made.json as Shown
  }
  const rotate = (id: number, name = '@owen', headers: Record<string, string> = {}) =>
    ask(name, 'POST', `/webhooks/${id}/rotate_secret`, undefined, headers)

  it('is made for `true`, and shown in that response only', async () => {
    const made = await ask('@owen', 'POST', '/webhooks', { ...HOOK, secret: true })
    const { secret, ...shown } = made.json as Shown
    expect(secret).to.match(MADE)
    expect(shown.signed).to.equal(true)
    expect(made.headers['cache-control']).to.contain('no-store')
    expect((await ask('@owen', 'GET', `/webhooks/${shown.id}`)).json).to.deep.equal(shown)
    const changed = await ask('@owen', 'PATCH', `/webhooks/${shown.id}`, { secret: true })
    expect((changed.json as Shown).secret)
      .to.match(MADE)
      .and.not.equal(secret)
    expect(changed.headers['cache-control']).to.contain('no-store')
    const other = await ask('@owen', 'PATCH', `/webhooks/${shown.id}`, { name: 'Other' })
    expect(other.json).to.include({ signed: true }).and.not.have.property('secret')
    expect(other.headers['cache-control']).to.not.contain('no-store')
  })

  it('may be given, is not shown then, and is removed by null', async () => {
    const made = await create(GIVEN)
    expect(made).to.include({ signed: true }).and.not.have.property('secret')
    const longest = `whsec_${Buffer.alloc(64, 1).toString('base64')}`
    expect((await ask('@owen', 'PATCH', `/webhooks/${made.id}`, { secret: longest })).json).to.include({ signed: true })
    const removed = await ask('@owen', 'PATCH', `/webhooks/${made.id}`, { secret: null })
    expect(removed.json).to.include({ signed: false }).and.not.have.property('secret')
    expect(await create(null)).to.include({ signed: false })
    expect((await ask('@owen', 'POST', '/webhooks', HOOK)).json).to.include({ signed: false })
  })

  it('is nothing else', async () => {
    const { id } = await create(GIVEN)
    const odd = [
      5,
      false,
      '',
      ' ',
      'true',
      'whsec_',
      'whsec_!!',
      [],
      {},
      [GIVEN],
      GIVEN.slice(6),
      ` ${GIVEN}`,
      `${GIVEN}\n`,
      `whsec_${Buffer.alloc(23).toString('base64')}`,
      `whsec_${Buffer.alloc(65).toString('base64')}`,
      `whsec_${Buffer.alloc(25).toString('base64').replace(/=/g, '')}`,
      `whsec_${'A'.repeat(100_000)}`,
    ]
    const errors = [['secret', 'Secret is invalid']]
    for (const secret of odd) {
      const place = JSON.stringify(secret).slice(0, 50)
      for (const [method, path, body] of [
        ['POST', '/webhooks', { ...HOOK, secret }],
        ['PATCH', `/webhooks/${id}`, { secret }],
      ] as const) {
        const refused = await ask('@owen', method, path, body)
        expect(refused.status, place).to.equal(422)
        expect(refused.json, place).to.deep.include({ errors })
      }
    }
    expect((await ask('@owen', 'GET', `/webhooks/${id}`)).json).to.include({ signed: true })
  })

  it('is in no list, audit line, table or log', async () => {
    const { id, secret = '' } = await create(true)
    const rotated = (await rotate(id)).json as Shown
    await ask('@owen', 'PATCH', `/webhooks/${id}`, { secret: GIVEN })
    const secrets = [secret, rotated.secret ?? '', GIVEN].map((one) => one.slice(6))
    const paths = ['/webhooks', '/webhooks?fields=secret,previous_secret,signed,previous_secret_until', `/webhooks/${id}/audit`]
    for (const path of [...paths, `/webhooks?secret=${GIVEN}`, `/webhooks?sort=secret`, '/openapi']) {
      const { text } = await ask('@owen', 'GET', path)
      for (const one of secrets) expect(text.includes(one), path).to.equal(false)
    }
    const { json } = await ask('@owen', 'GET', `/webhooks?fields=secret,previous_secret,previous_secret_until&id=${id}`)
    expect(json).to.deep.equal([{ id }])
    const { knex, storage } = mounted.database
    for (const table of ['webhooks', 'audit_lines', 'outbox', 'idempotency_keys']) {
      const text = JSON.stringify(await knex(storage.table(table)))
      for (const one of secrets) expect(text.includes(one), table).to.equal(false)
    }
    // Not even sealed: lines are kept when the secret is gone.
    const [row] = await knex(storage.table('webhooks')).where({ id })
    expect(row?.['secret']).to.match(/^[A-Za-z0-9+/=]{80,}$/)
    expect(JSON.stringify(await knex(storage.table('audit_lines')))).to.not.contain(String(row?.['secret']))
  })

  it('leaves an audit line without its value when it is set, rotated or removed', async () => {
    const { id } = await create(true)
    await rotate(id)
    await ask('@owen', 'PATCH', `/webhooks/${id}`, { secret: null })
    const { json, text } = await ask('@owen', 'GET', `/webhooks/${id}/audit?per_page=100`)
    const lines = (json as { action: string; changes: object }[]).toReversed()
    expect(lines.map(({ action }) => action)).to.have.members(['create', 'update', 'update'])
    expect(text).to.not.contain('previous_secret')
    const changes = lines.filter(({ action }) => action === 'update').map((line) => line.changes)
    expect(changes).to.deep.include({ secret: [null, null] })
    expect(changes).to.deep.include({ secret: [null, null], signed: [true, false] })
  })

  it('is rotated as often as one likes, shown once each time', async () => {
    const { id, secret } = await create(true)
    const first = await rotate(id)
    expect(first.status, first.text).to.equal(200)
    expect(first.headers['cache-control']).to.contain('no-store')
    expect((first.json as Shown).secret)
      .to.match(MADE)
      .and.not.equal(secret)
    expect(first.json).to.include({ id, signed: true })
    const second = await rotate(id, '@owen', { 'Idempotency-Key': 'twice' })
    expect((second.json as Shown).secret)
      .to.match(MADE)
      .and.not.equal((first.json as Shown).secret)
    const again = await rotate(id, '@owen', { 'Idempotency-Key': 'twice' })
    expect(again.status).to.equal(422)
    expect(again.text).to.not.contain('whsec_')
  })

  it('cannot be rotated by others, nor where there is none', async () => {
    const { id } = await create(null)
    const without = await rotate(id)
    expect([without.status, without.json]).to.deep.equal([
      422,
      { message: 'Validation Failed', errors: [['secret', "Secret can't be blank"]] },
    ])
    expect((await rotate(id, '@sam')).status).to.equal(403)
    expect((await rotate(id, '@stan')).status).to.equal(404)
    expect((await rotate(999_999_999)).status).to.equal(404)
    expect((await ask('@owen', 'POST', '/webhooks/x/rotate_secret')).status).to.equal(404)
    expect((await ask('@owen', 'GET', `/webhooks/${id}/rotate_secret`)).status).to.be.oneOf([404, 405])
    expect((await ask(null, 'POST', `/webhooks/${id}/rotate_secret`)).status).to.equal(401)
    expect((await ask('@stan', 'PATCH', `/webhooks/${id}`, { secret: true })).status).to.equal(404)
  })

  it('is neither made nor rotated with a token that may not change webhooks', async () => {
    const { id } = await create(true)
    const person = mounted.world.id('@owen')
    for (const limits of [{ readOnly: true }, { recordTypes: ['webhook'] }, { recordTypes: ['request'] }]) {
      const { token } = await mounted.itsm.tokens.create(person, { name: 'limited', ...limits })
      const bearer = { Authorization: `Bearer ${token}` }
      const place = JSON.stringify(limits)
      expect((await ask(null, 'POST', `/webhooks/${id}/rotate_secret`, undefined, bearer)).status, place).to.equal(403)
      expect((await ask(null, 'PATCH', `/webhooks/${id}`, { secret: true }, bearer)).status, place).to.equal(403)
    }
  })

  it('is not stored for repeats: they get the record without it', async () => {
    const key = { 'Idempotency-Key': 'made-once' }
    const first = await ask('@owen', 'POST', '/webhooks', { ...HOOK, secret: true }, key)
    const again = await ask('@owen', 'POST', '/webhooks', { ...HOOK, secret: true }, key)
    const { secret, ...shown } = first.json as Shown
    expect(secret).to.match(MADE)
    expect([again.status, again.json]).to.deep.equal([201, shown])
  })

  it('is in the results of an array, whose repeats are refused', async () => {
    const { id } = await create(null)
    const key = { 'Idempotency-Key': 'many' }
    const bodies = [{ ...HOOK, secret: true }, { ...HOOK }, { ...HOOK, secret: 5 }]
    const first = await ask('@owen', 'POST', '/webhooks', bodies, key)
    const results = first.json as { status: number; secret?: string }[]
    expect(results.map(({ status }) => status)).to.deep.equal([201, 201, 422])
    expect(results[0]?.secret).to.match(MADE)
    expect(results.slice(1).filter((one) => 'secret' in one)).to.deep.equal([])
    expect(first.headers['cache-control']).to.contain('no-store')
    const again = await ask('@owen', 'POST', '/webhooks', bodies, key)
    expect(again.status).to.equal(422)
    const changed = await ask('@owen', 'PATCH', '/webhooks', [{ id, secret: true }])
    expect((changed.json as { secret?: string }[])[0]?.secret).to.match(MADE)
  })

  it('is returned to code of the host that has it made', async () => {
    const api = mounted.itsm.asSystem('a spec', 'widgets')
    const made = await api.create('webhook', { ...HOOK, secret: true })
    expect(made['secret']).to.match(MADE)
    const changed = await api.update('webhook', Number(made['id']), { secret: true })
    expect(changed['secret']).to.match(MADE).and.not.equal(made['secret'])
    expect(await api.read('webhook', Number(made['id'])))
      .to.include({ signed: true })
      .and.not.have.property('secret')
  })
})
