/** `GET /<type>/counts`: compared with what the lists show, for the same callers, filters and predefined lists. */
import { expect } from 'chai'
import type { RecordType } from '../../../plugin/schema/catalog.js'
import { watchStatements } from '../../../plugin/testing/watch-statements.js'
import { withHostType } from '../../support/contract.js'
import type { Made } from '../../support/contract-place.js'
import { countStatements } from '../../support/count-statements.js'
import { withMounted } from '../../support/mounted.js'

interface Counts {
  readonly total: number
  readonly groups: readonly { readonly values: { readonly [field: string]: unknown }; readonly count: number }[]
}

const RANGE = 'from=2026-05-10&to=2026-11-21'

describe('GET /<type>/counts', () => {
  const mounted = withMounted('bare', withHostType)
  const typesWithCounts = (): readonly RecordType[] =>
    [...mounted.itsm.catalog.types.values()].filter(({ collection }) => collection.countable.size > 0)

  const count = async (as: string, path: string): Promise<Counts> => {
    const answer = await mounted.ask(as, 'GET', path)
    expect(answer.status, `${path}: ${answer.text}`).to.equal(200)
    return answer.json as Counts
  }
  const refusal = async (path: string, as = '@owen', headers: Record<string, string> = {}) => {
    const answer = await mounted.ask(as, 'GET', path, undefined, headers)
    return [answer.status, (answer.json as { message?: string } | undefined)?.message]
  }
  const list = async (as: string, path: string): Promise<readonly Made[]> => {
    const all: Made[] = []
    for (let page = 1; ; page += 1) {
      const answer = await mounted.ask(as, 'GET', `${path}&page=${page}&per_page=100`)
      expect(answer.status, `${path}: ${answer.text}`).to.equal(200)
      all.push(...(answer.json as Made[]))
      if (page >= Number(answer.headers['x-pagination-total-pages'])) return all
    }
  }

  /** What the list says: the groups of its records, by the texts of their values. */
  const listed = (records: readonly Made[], names: readonly string[], isDay: (name: string) => boolean) => {
    const groups = new Map<string, number>()
    for (const record of records) {
      const values = names.map((name) => (isDay(name) ? (record[name] as string | null)?.slice(0, 10) : record[name]) ?? null)
      const key = JSON.stringify(values)
      groups.set(key, (groups.get(key) ?? 0) + 1)
    }
    return Object.fromEntries([...groups].sort())
  }
  const counted = ({ groups }: Counts, names: readonly string[]) =>
    Object.fromEntries(
      groups.map(({ count: number, values }) => [JSON.stringify(names.map((name) => values[name])), number]).sort(),
    )

  const compare = async (as: string, type: RecordType, names: readonly string[], query: string) => {
    const isDay = (name: string) => type.fields.get(name)?.kind === 'datetime'
    const day = names.find(isDay)
    const by = names.map((name) => (isDay(name) ? `${name}:day` : name)).join()
    const counts = await count(as, `/${type.path}/counts?by=${by}${day ? `&${RANGE}` : ''}${query}`)
    const records = (await list(as, `/${type.path}?fields=id,${names}${query}`)).filter((one) => {
      const shown = day === undefined ? '' : String(one[day] ?? '').slice(0, 10)
      return day === undefined || (shown >= '2026-05-10' && shown <= '2026-11-21')
    })
    expect(counted(counts, names), `${as}, ${type.name} by ${by}${query}`).to.deep.equal(listed(records, names, isDay))
    expect(counts.total).to.equal(records.length)
    return records.length
  }

  before('adds vehicles', async () => {
    const id = (name: string) => mounted.world.id(name)
    const vehicles = mounted.itsm.asSystem('counts', 'widgets')
    const kinds = ['van', 'car', 'bicycle', 'truck'] as const
    for (const [index, kind] of [...kinds, ...kinds].entries()) {
      const driver_id = index % 3 === 0 ? null : id(index % 3 === 1 ? '@hank' : '@ines')
      const depot_id = index % 2 === 0 ? id('@utrecht') : null
      await vehicles.create('vehicle', {
        name: `V ${index}`,
        license_plate: `P ${index}`,
        kind,
        driver_id,
        depot_id,
        color: 'red',
      })
    }
  })

  it('counts what the list has, by one field and by two, for staff and for others', async function () {
    this.timeout(120_000)
    let all = 0
    for (const type of typesWithCounts()) {
      const names = [...type.collection.countable]
      const pairs = names.flatMap((one, index) => names.slice(index + 1).map((other) => [one, other]))
      const days = names.filter((name) => type.fields.get(name)?.kind === 'datetime')
      for (const as of ['@owen', '@ines', '@hank', '@ravi']) {
        for (const name of names) all += await compare(as, type, [name], '')
        for (const pair of pairs) if (!pair.every((name) => days.includes(name))) all += await compare(as, type, pair, '')
      }
    }
    expect(all).to.be.above(200)
  })

  it('takes the filters and predefined filters of the list', async function () {
    this.timeout(60_000)
    const requests = mounted.itsm.catalog.type('request')
    const filters = [
      '&status=!completed',
      '&team=',
      '&team!=',
      '&category=incident,rfc',
      '&subject=!x',
      '&id=>1',
      '&created_at=<2030-01-01',
    ]
    for (const query of filters) await compare('@owen', requests, ['status'], query)
    for (const list of requests.lists.keys()) {
      for (const as of ['@owen', '@ines', '@sam']) await compare(as, requests, ['status', 'team'], `&state=${list}`)
    }
    await compare('@owen', mounted.itsm.catalog.type('vehicle'), ['depot', 'kind'], '&state=enabled')
  })

  it('has groups in the order of lists, with empty values last', async () => {
    const { groups, total } = await count('@owen', '/vehicles/counts?by=kind,driver_id')
    const titles = groups.map(({ values: { driver, kind } }) => [kind, (driver as { name: string } | null)?.name ?? null])
    expect(titles).to.deep.equal([
      ['van', 'Hank Miller'],
      ['van', null],
      ['car', 'Hank Miller'],
      ['car', 'Ines Álvarez'],
      ['bicycle', 'Ines Álvarez'],
      ['bicycle', null],
      ['truck', 'Hank Miller'],
      ['truck', null],
    ])
    expect(total).to.equal(8)
    expect(groups[0]).to.deep.equal({
      values: { kind: 'van', driver: { id: mounted.world.id('@hank'), name: 'Hank Miller' } },
      count: 1,
    })
  })

  it('counts days as the clocks of the caller show them, also when these change', async () => {
    const { knex, storage } = mounted.database
    const table = storage.table('vehicles')
    const ids = (await knex(table).orderBy('id').pluck('id')) as number[]
    const times = [
      // Amsterdam sets its clocks back on 25 October at 01:00 UTC; Houston does so a week later.
      ...['2026-10-24 21:59:59', '2026-10-24 22:00:00', '2026-10-25 00:30:00', '2026-10-25 22:59:59', '2026-10-25 23:00:00'],
      ...['2026-11-01 05:30:00', '2026-11-02 05:59:59', '2026-11-02 06:00:00'],
    ]
    const before = await knex(table).orderBy('id').select('id', 'updated_at')
    for (const [index, updated_at] of times.entries()) await knex(table).where({ id: ids[index] }).update({ updated_at })
    const days = async (as: string, from: string) =>
      Object.fromEntries(
        (await count(as, `/vehicles/counts?by=updated_at:day&from=${from}`)).groups.map((one) => [
          one.values['updated_at'],
          one.count,
        ]),
      )
    expect(await days('@ines', '2026-10-01')).to.deep.equal({
      '2026-10-24': 1,
      '2026-10-25': 3,
      '2026-10-26': 1,
      '2026-11-01': 1,
      '2026-11-02': 2,
    })
    expect(await days('@hank', '2026-10-01')).to.deep.equal({
      '2026-10-24': 3,
      '2026-10-25': 2,
      '2026-11-01': 2,
      '2026-11-02': 1,
    })
    expect(await days('@ines', '2026-11-02')).to.deep.equal({ '2026-11-02': 2 })
    for (const { id, updated_at } of before) await knex(table).where({ id }).update({ updated_at })
  })

  it('shows references as lists do: of records that the caller does not see, only the id', async () => {
    const changes = await count('@owen', '/requests/counts?by=service_instance')
    const shown = new Set(
      (await list('@ines', '/requests?fields=service_instance')).map((one) => JSON.stringify(one['service_instance'])),
    )
    const forInes = await count('@ines', '/requests/counts?by=service_instance')
    for (const { values } of forInes.groups) expect(shown).to.include(JSON.stringify(values['service_instance']))
    expect(forInes.total).to.be.below(changes.total)
  })

  it('refuses what it cannot count', async () => {
    const at = '/requests/counts'
    expect(await refusal(at)).to.deep.equal([400, "Parameter 'by' is required"])
    expect(await refusal(`${at}?by=`)).to.deep.equal([400, "Parameter 'by' is required"])
    expect(await refusal(`${at}?by=status,team,impact`)).to.deep.equal([400, 'At most 2 fields can be given'])
    expect(await refusal(`${at}?by=${'status,'.repeat(1000)}`)).to.deep.equal([400, 'At most 2 fields can be given'])
    expect(await refusal(`${at}?by=status,status`)).to.deep.equal([400, "Invalid value 'status,status' for parameter 'by'"])
    expect(await refusal(`${at}?by=nothing`)).to.deep.equal([400, 'Unknown fields: nothing'])
    expect(await refusal(`${at}?by=__proto__`)).to.deep.equal([400, 'Unknown fields: __proto__'])
    expect(await refusal(`${at}?by=subject`)).to.deep.equal([400, 'Counting not allowed on fields: subject'])
    expect(await refusal(`${at}?by=requested_for`)).to.deep.equal([400, 'Counting not allowed on fields: requested_for'])
    expect(await refusal(`${at}?by=status:day`)).to.deep.equal([400, "Invalid value 'status:day' for parameter 'by'"])
    expect(await refusal(`${at}?by=status,`)).to.deep.equal([400, "Invalid value 'status,' for parameter 'by'"])
    expect(await refusal(`${at}?by=created_at`)).to.deep.equal([400, "Invalid value 'created_at' for parameter 'by'"])
    const days = `${at}?by=created_at:day`
    expect(await refusal(days)).to.deep.equal([400, "Parameter 'from' is required"])
    expect(await refusal(`${days},updated_at:day&from=2026-11-01`)).to.deep.equal([
      400,
      "Invalid value 'created_at:day,updated_at:day' for parameter 'by'",
    ])
    for (const from of ['yesterday', '2026-02-30', '2026-11-01T10:00:00Z', '99999-01-01', ''])
      expect(await refusal(`${days}&from=${from}`)).to.deep.equal([400, `Invalid value '${from}' for parameter 'from'`])
    expect(await refusal(`${days}&from=2026-11-22`)).to.deep.equal([400, "Parameter 'to' cannot be before parameter 'from'"])
    expect(await refusal(`${days}&from=2026-01-01`)).to.deep.equal([400, 'At most 200 days can be counted'])
    expect(await refusal(`${days}&from=9999-12-31&to=9999-12-31`)).to.deep.equal([
      400,
      "Invalid value '9999-12-31' for parameter 'to'",
    ])
    expect(await refusal(`${at}?by=status&from=2026-11-01`)).to.deep.equal([
      400,
      "Parameter 'from' needs a field that is counted by day",
    ])
    expect(await refusal(`${at}?by=status&colour=red`)).to.deep.equal([400, 'Unknown fields: colour'])
    expect(await refusal(`${at}?by=status&state=closed`)).to.deep.equal([400, "Invalid value 'closed' for parameter 'state'"])
    const strict = { Prefer: 'handling=strict' }
    expect(await refusal(`${at}?by=status&sort=id`, '@owen', strict)).to.deep.equal([422, 'Validation Failed'])
    expect((await refusal(`${at}?by=status&sort=id`))[0]).to.equal(200)
    expect((await refusal(`${at}?by=status&state=open`, '@owen', strict))[0]).to.equal(200)
    expect((await refusal('/people/counts?by=organization'))[0]).to.equal(404)
    expect((await refusal('/teams/1/requests/counts?by=status'))[0]).to.equal(404)
    expect((await mounted.ask(null, 'GET', `${at}?by=status`)).status).to.equal(401)
    expect((await mounted.ask('@owen', 'POST', `${at}?by=status`, {})).status).to.equal(404)
  })

  it('refuses more than 200 groups', async () => {
    const { knex, storage } = mounted.database
    const row = { account_id: 'widgets', kind: 'van', status: 'sold', updated_at: '2026-11-20 10:00:00', color: 'red' }
    const rows = Array.from({ length: 201 }, (_, n) => ({
      ...row,
      name: `M ${n}`,
      license_plate: `M ${n}`,
      driver_id: 700_000 + n,
    }))
    await knex(storage.table('vehicles')).insert(rows)
    const many = 'More than 200 groups; add a filter, or count by another field'
    expect(await refusal('/vehicles/counts?by=driver&status=sold')).to.deep.equal([400, many])
    const some = await count('@owen', '/vehicles/counts?by=driver&status=sold&driver=!700000')
    expect([some.total, some.groups.length]).to.deep.equal([200, 200])
    expect(some.groups[0]).to.deep.equal({ values: { driver: { id: 700_001 } }, count: 1 })
    await knex(storage.table('vehicles')).where('driver_id', '>=', 700_000).delete()
  })

  it('is limited by tokens and closed types, and takes a constant number of statements', async () => {
    expect((await refusal('/problems/counts?by=status', '@ines'))[0]).to.equal((await refusal('/problems', '@ines'))[0])
    const counter = countStatements(mounted.database.knex)
    const during = (path: string) => counter.during(() => count('@owen', path))
    await during('/requests/counts?by=status')
    const one = await during('/requests/counts?by=status')
    expect(await during('/requests/counts?by=status,impact')).to.equal(one)
    expect(await during('/requests/counts?by=team,member')).to.be.at.most(one + 4)
  })

  it('reads an index alone for each field, on servers', async function () {
    const { knex, storage } = mounted.database
    if (storage.dialect !== 'mysql') this.skip()
    const heard: string[] = []
    watchStatements(knex).hear((sql) => void heard.push(sql))
    const wrong: string[] = []
    for (const type of typesWithCounts()) {
      for (const name of type.collection.countable) {
        const isDay = type.fields.get(name)?.kind === 'datetime'
        await count('@owen', `/${type.path}/counts?by=${name}${isDay ? `:day&${RANGE}` : ''}`)
        const sql = heard.findLast((one) => one.includes('COUNT(*) AS records')) ?? ''
        const bindings = isDay ? ['widgets', '2026-05-09 22:00:00', '2026-11-21 23:00:00'] : ['widgets']
        const [plan] = (await knex.raw(`explain format=traditional ${sql}`, bindings)) as [
          { table: string; key: string | null; Extra: string }[],
        ]
        const isCovered = plan.length === 1 && plan.every(({ Extra }) => Extra.includes('Using index'))
        if (!isCovered) wrong.push(`${type.name}.${name}: ${JSON.stringify(plan)}`)
      }
    }
    expect(wrong).to.deep.equal([])
  })
})
