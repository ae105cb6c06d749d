/** Views, for lists of all record types: a query is accepted exactly when the list of the caller takes it (behaviour: Views). */
import { expect } from 'chai'
import { common, createPlugin, defineRecord } from '../../plugin/index.js'
import { withHostType } from '../support/contract.js'
import { countStatements } from '../support/count-statements.js'
import { withMounted } from '../support/mounted.js'
import { TEST_SECRET } from '../support/settings.js'

interface Shown {
  readonly id: number
  readonly name: string
  readonly query: string | null
}

describe('views', () => {
  const mounted = withMounted('bare', withHostType)
  const table = () => mounted.database.knex(mounted.database.storage.table('views'))
  const make = (as: string, body: object) => mounted.ask(as, 'POST', '/views', { name: 'V', ...body })
  const errorsOf = (answer: { readonly json: unknown }) => (answer.json as { errors?: readonly string[][] }).errors
  const made = async (as: string, body: object): Promise<Shown> => {
    const answer = await make(as, body)
    expect(answer.status, answer.text).to.equal(201)
    return answer.json as Shown
  }
  const names = async (as: string, path: string) => {
    const answer = await mounted.ask(as, 'GET', path)
    expect(answer.status, answer.text).to.equal(200)
    return (answer.json as Shown[]).map(({ name }) => name)
  }

  it('are kept for every type with a list, in each of its orders, with each of its fields, lists and filters', async function () {
    this.timeout(120_000)
    const wrong: string[] = []
    for (const type of mounted.itsm.catalog.types.values()) {
      const query = [
        `sort=${[...type.collection.sortable].map((name) => `-${name}`).join()}`,
        `fields=${type.collection.fields.filter((name) => !type.fields.get(name)?.shownWith).join()}`,
        ...[...type.lists.keys()].slice(0, 1).map((name) => `state=${name}`),
        ...[...type.collection.filterable].map((name) => `${name}=`),
      ].join('&')
      const list = await mounted.ask('@owen', 'GET', `/${type.path}?${query}`, undefined, { Prefer: 'handling=strict' })
      const answer = await make('@owen', { record_type: type.name, query: query.slice(0, 2_000) })
      const isKept = answer.status === 201
      if (isKept !== type.operations.has('list')) wrong.push(`${type.name}: ${answer.text}`)
      if (isKept && list.status !== 200) wrong.push(`${type.name}: the list says ${list.text}`)
    }
    expect(wrong).to.deep.equal([])
  })

  const QUERIES: readonly (readonly [type: string, query: string])[] = [
    ['request', 'status=!completed&impact=low,high&created_at=>2026-01-01<2026-12-01&sort=-id'],
    ['request', 'status=shut'],
    ['request', 'id=a'],
    ['request', 'subject=<a'],
    ['request', 'impact=<low'],
    ['request', 'team=1,2,&member='],
    ['request', 'sort=,'],
    ['request', 'sort=note'],
    ['request', 'colour=red&colour=blue&wheels=4'],
    ['request', 'constructor=1&__proto__=2'],
    ['request', 'fields=subject,colour'],
    ['request', 'fields=account,internal_note'],
    ['request', 'state=open&state=shut'],
    ['request', 'state=OPEN'],
    ['request', 'per_page=0'],
    ['request', 'per_page=1e3'],
    ['request', 'locale=nl'],
    ['request', '_!=1'],
    ['request', 'format=csv&attachment_upload_token=1'],
    ['request', '%E0%A4%A&subject=%zz'],
    ['request', '=&=1&!'],
    ['request', `${'id=1&'.repeat(101)}id=2`],
    ['request', `id=${'1,'.repeat(800)}2`],
    ['person', 'roles=auditor'],
    ['person', 'roles=nobody,&sort=name'],
    ['person', 'cost_per_hour=5'],
    ['person', 'sort=cost_per_hour'],
    ['webhook', 'event=request.create'],
    ['audit_line', 'sort=id'],
    ['note', 'internal=true'],
    ['vehicle', 'kind=van&price=>5&sort=-price&fields=name,price'],
    ['vehicle', 'state=driven_by_me&color=red'],
    ['vehicle', 'license_plate=a%2Cb&seats=<=60'],
    ['vehicle', 'seats=many'],
  ]
  for (const as of ['@owen', '@ines', '@audrey', '@sam']) {
    it(`take and refuse what the lists of ${as} do, with the same words`, async () => {
      for (const [type, query] of QUERIES) {
        const { path } = mounted.itsm.catalog.type(type)
        const strict = { Prefer: 'handling=strict' }
        const list = await mounted.ask(as, 'GET', `/${path}?${query}`, undefined, strict)
        const view = await make(as, { record_type: type, query })
        const said = `${type}?${query.slice(0, 60)}: ${list.text.slice(0, 200)} but ${view.text.slice(0, 300)}`
        expect(view.status, said).to.equal(list.status === 200 ? 201 : 422)
        if (list.status === 400) expect(view.text, said).to.contain(JSON.stringify((list.json as Error).message).slice(1, -1))
        if (list.status === 422) for (const [, text] of errorsOf(list) ?? []) expect(view.text, said).to.contain(text)
      }
    })
  }

  it('take 2,000 characters, and a query only as a text', async () => {
    const query = `subject=${'a'.repeat(1_992)}`
    expect((await made('@ines', { record_type: 'request', query })).query).to.equal(query)
    const long = await make('@ines', { record_type: 'request', query: `${query}a` })
    expect(errorsOf(long)).to.deep.equal([['query', 'Query is too long (maximum is 2000 characters)']])
    for (const odd of [{ status: 'open' }, ['status=open'], true]) {
      expect((await make('@ines', { record_type: 'request', query: odd })).status, JSON.stringify(odd)).to.equal(422)
    }
    expect((await made('@ines', { record_type: 'request', query: '' })).query).to.equal(null)
  })

  it('are looked at again when the query or the record type changes, and only then', async () => {
    const { id } = await made('@ines', { record_type: 'request', query: 'impact=low' })
    const change = (body: object) => mounted.ask('@ines', 'PATCH', `/views/${id}`, body)
    expect(errorsOf(await change({ record_type: 'site' }))?.[0]?.[0]).to.equal('query')
    expect((await change({ record_type: 'site', query: 'name=Utrecht' })).status).to.equal(200)
    await table().where({ id }).update({ query: 'wheels=4' })
    expect((await change({ name: 'Renamed' })).json).to.include({ name: 'Renamed', query: 'wheels=4' })
    await table().where({ id }).update({ record_type: 'bicycle' })
    expect(await names('@ines', `/views?record_type=bicycle`)).to.deep.equal(['Renamed'])
    expect((await change({ name: 'Again' })).status).to.equal(200)
    expect(errorsOf(await change({ query: 'wheels=5' }))).to.deep.equal([
      ['record_type', 'Record type must be a record type with a list, not bicycle'],
    ])
    expect((await mounted.ask('@ines', 'DELETE', `/views/${id}`)).status).to.equal(204)
  })

  it('stay readable when their person or their team is disabled, or gone', async () => {
    const team = (await mounted.ask('@owen', 'POST', '/teams', { name: 'Short', member_ids: [mounted.world.id('@sam')] }))
      .json as Shown
    const { id } = await made('@sam', { name: 'Short-lived', record_type: 'request', team_id: team.id })
    await mounted.ask('@owen', 'PATCH', `/teams/${team.id}`, { disabled: true })
    expect((await mounted.ask('@sam', 'PATCH', `/views/${id}`, { name: 'Shorter' })).status).to.equal(200)
    await table().where({ id }).update({ team_id: 999_999 })
    expect((await mounted.ask('@sam', 'PATCH', `/views/${id}`, { name: 'Shortest' })).status).to.equal(200)
    await table().where({ id }).update({ person_id: 999_998 })
    expect((await mounted.ask('@sam', 'GET', `/views/${id}`)).status).to.equal(404)
    expect(await names('@owen', `/views?id=${id}`)).to.deep.equal(['Shortest'])
    expect(
      (await mounted.ask('@owen', 'PATCH', `/views/${id}`, { person_id: mounted.world.id('@ravi'), team_id: null })).status,
    ).to.equal(200)
    expect(await names('@ravi', '/views/for_me')).to.include('Shortest')
  })

  it('are at most 200 of a person', async () => {
    const body = { name: 'One of many', record_type: 'site' }
    for (const count of [100, 99]) {
      const sent = await mounted.ask('@lea', 'POST', '/views', Array(count).fill(body))
      expect(sent.status, sent.text.slice(0, 300)).to.equal(200)
    }
    const last = await made('@lea', body)
    const refused = await make('@lea', body)
    expect([refused.status, errorsOf(refused)?.length, errorsOf(refused)?.[0]?.[0]]).to.deep.equal([422, 1, 'person'])
    expect(refused.text).to.contain('200')
    expect((await mounted.ask('@lea', 'PATCH', `/views/${last.id}`, { name: 'Renamed' })).status).to.equal(200)
    const given = { ...body, person_id: mounted.world.id('@lea') }
    expect(errorsOf(await make('@owen', given))?.[0]?.[0]).to.equal('person')
    expect((await mounted.ask('@lea', 'DELETE', `/views/${last.id}`)).status).to.equal(204)
    expect((await make('@lea', body)).status).to.equal(201)
  })

  it('cost as many statements for fifty as for two', async () => {
    const counter = countStatements(mounted.database.knex)
    const bodies = (count: number) =>
      Array.from({ length: count }, (_, index) => ({
        name: `View ${index}`,
        record_type: index % 2 ? 'site' : 'request',
        query: 'sort=-id',
        team_id: mounted.world.id('@service-desk'),
      }))
    const during = (count: number) =>
      counter.during(async () => expect((await mounted.ask('@sam', 'POST', '/views', bodies(count))).status).to.equal(200))
    await during(2)
    const two = await during(2)
    expect(await during(50)).to.equal(two)
    const page = () => counter.during(() => names('@sam', '/views/for_me?per_page=50'))
    await page()
    expect(await page()).to.be.at.most(6)
  })

  it('have names that types of a host cannot have', () => {
    const start = (name: string, path: string) => () =>
      createPlugin({
        baseUrl: 'https://desk.example/v1',
        secret: TEST_SECRET,
        database: { url: 'mysql://nobody@nowhere.example/none' },
        records: [defineRecord(name, { path, fields: common, collection: { sort: 'id' }, access: { create: [], update: [] } })],
      })
    expect(start('view', 'sights')).to.throw(/view/)
    expect(start('sight', 'views')).to.throw(/sight: the (path|table) 'views' is already that of view/)
  })
})

describe('views where the host decides', () => {
  // Sites are closed to all; webhooks, which are the administrators', open to all.
  const mounted = withMounted('bare', {
    ...withHostType,
    authorize: ({ type }, decide) => type === 'webhook' || (type !== 'site' && decide()),
  })
  const strict = { Prefer: 'handling=strict' }

  for (const as of ['@owen', '@sam', '@hank']) {
    it(`are kept for the lists that are open to ${as}, and for no others`, async () => {
      for (const [type, query, status] of [
        ['site', '', 403],
        ['webhook', 'sort=name', 200],
        ['webhook', 'colour=red', 400],
        ['request', '', 200],
      ] as const) {
        const { path } = mounted.itsm.catalog.type(type)
        const list = await mounted.ask(as, 'GET', `/${path}?${query}`, undefined, strict)
        expect(list.status, `${type}?${query}: ${list.text}`).to.equal(status)
        const view = await mounted.ask(as, 'POST', '/views', { name: 'V', record_type: type, query })
        expect(view.status, `${type}?${query}: ${view.text}`).to.equal(status === 200 ? 201 : 422)
      }
    })
  }
})
