/** Arrays of bodies: what they cost, what bounds them, and what becomes of one when others fail. */
import { randomBytes } from 'node:crypto'
import { expect } from 'chai'
import { MAX_NAMES } from '../../plugin/core/json-text.js'
import { rule } from '../../plugin/schema/language/define-rule.js'
import { extendRecord } from '../../plugin/schema/language/extend-record.js'
import { withNames } from '../../plugin/testing/names.js'
import { countStatements } from '../support/count-statements.js'
import { withMounted } from '../support/mounted.js'

interface Result {
  readonly status: number
  readonly id?: number
  readonly message?: string
  readonly errors?: readonly (readonly [string, string])[]
  readonly ignored?: readonly string[]
}

/** Refuses or fails after the row was written. */
const late = rule('late', () => ({
  written({ fail, next }) {
    if (next['remarks'] === 'late') fail('remarks', 'Too late')
    if (next['remarks'] === 'broken') throw new Error('A mistake of the host')
  },
}))

describe('an array of bodies', function () {
  this.timeout(60_000)
  const logged: string[] = []
  const log = { debug() {}, info() {}, warn() {}, error: (_: object, text: string) => void logged.push(text) }
  const mounted = withMounted('mounted under a prefix', {
    rateLimit: { burst: false, perHour: 1_000_000 },
    extend: [extendRecord('site', { rules: [late()] })],
    before: {
      'site.save': [
        ({ next }) => {
          if (next['remarks'] === 'hook') throw new Error('A mistake of the host')
        },
      ],
    },
    log,
  })
  const { database } = mounted
  const ask = async (as: string, method: string, path: string, body: object, headers: Record<string, string> = {}) => {
    const { status, json, headers: answered } = await mounted.ask(as, method, path, body, headers)
    return { status, results: json as readonly Result[], headers: answered }
  }
  const statusesOf = ({ results }: { readonly results: readonly Result[] }) => results.map(({ status }) => status)
  /** Statements of the work; the fewest of three times, because caches of callers and accounts expire in between. */
  const cost = async (work: () => Promise<unknown>) => {
    const costs: number[] = []
    while (costs.length < 3) costs.push(await countStatements(database.knex).during(work))
    return Math.min(...costs)
  }
  const some = (count: number, body: (index: number) => object) => Array.from({ length: count }, (_, index) => body(index))
  const named = (value: unknown) => withNames(value, mounted.world.id) as object
  let serial = 0
  const unique = () => `${randomBytes(3).toString('hex')} ${serial++}`
  const idsOf = ({ results }: { readonly results: readonly Result[] }) => results.map(({ id }) => Number(id))

  const CREATED: readonly [path: string, as: string, body: () => object][] = [
    ['/sites', '@owen', () => ({ name: unique(), sourceID: unique() })],
    [
      '/requests',
      '@sam',
      () => ({ subject: 'x', category: 'incident', impact: 'low', service_instance_id: '@laptops', note: 'See.' }),
    ],
    ['/requests', '@pat', () => ({ subject: 'x', category: 'rfi', support_domain: 'widgets', team_id: '@service-desk' })],
    [
      '/people',
      '@owen',
      () => ({
        name: unique(),
        primary_email: `${unique().replace(' ', '')}@widgets.example`,
        contacts: [{ label: 'work', telephone: '+31201234567' }],
      }),
    ],
    ['/organizations', '@owen', () => ({ name: unique() })],
    ['/requests/@mail-is-slow/notes', '@sam', () => ({ text: 'A note' })],
  ]
  for (const [path, as, body] of CREATED) {
    it(`costs as many statements for 50 as for 2: POST ${path} of ${as}`, async () => {
      const bodies = (count: number) => some(count, () => named(body()))
      const at = path.replace(/@[a-z-]+/, (name) => String(mounted.world.id(name)))
      const create = async (count: number) =>
        expect(new Set(statusesOf(await ask(as, 'POST', at, bodies(count))))).to.deep.equal(new Set([201]))
      await create(2)
      const two = await cost(() => create(2))
      expect(await cost(() => create(50))).to.equal(two)
    })
  }

  it('costs as many statements for 50 changes as for 2: by id, and by source and source ID', async () => {
    const sites = await ask(
      '@owen',
      'POST',
      '/sites',
      some(60, (index) => ({ name: unique(), source: 'Costs', sourceID: `C-${index}` })),
    )
    const requests = await ask(
      '@sam',
      'POST',
      '/requests',
      some(60, () => ({ subject: 'x', category: 'other' })),
    )
    const change = async (as: string, path: string, bodies: readonly object[]) =>
      expect(new Set(statusesOf(await ask(as, 'PATCH', path, bodies)))).to.deep.equal(new Set([200]))
    const CHANGES: readonly ((from: number, to: number) => Promise<unknown>)[] = [
      (from, to) =>
        change(
          '@owen',
          '/sites',
          idsOf(sites)
            .slice(from, to)
            .map((id) => ({ id, city: unique() })),
        ),
      (from, to) =>
        change(
          '@owen',
          '/sites',
          some(to - from, (index) => ({ source: 'Costs', sourceID: `C-${from + index}`, city: unique() })),
        ),
      (from, to) =>
        change(
          '@sam',
          '/requests',
          idsOf(requests)
            .slice(from, to)
            .map((id) => ({ id, subject: unique(), note: 'Changed.' })),
        ),
    ]
    for (const one of CHANGES) {
      await one(0, 2)
      const two = await cost(() => one(2, 4))
      expect(await cost(() => one(4, 54))).to.equal(two)
    }
  })

  it('finds hundreds of sources with an id each', async () => {
    const pairs = Array.from({ length: 500 }, (_, index) => ({ source: `Source ${index}`, sourceID: `ä ${index}` }))
    expect(
      new Set(
        statusesOf(
          await ask(
            '@owen',
            'POST',
            '/sites',
            pairs.map((one) => ({ ...one, name: unique() })),
          ),
        ),
      ),
    ).to.deep.equal(new Set([201]))
    // Letters with accents in their other form are the same.
    const turned = pairs.map(({ source, sourceID }) => ({ source, sourceID: sourceID.normalize('NFD'), city: 'Oslo' }))
    const started = performance.now()
    expect(new Set(statusesOf(await ask('@owen', 'PATCH', '/sites', turned)))).to.deep.equal(new Set([200]))
    expect(performance.now() - started).to.be.below(5_000)
  })

  it('saves each as a whole or not at all, whatever happens to the others', async () => {
    const names = some(9, () => ({ name: unique() })) as { name: string }[]
    const remarks = ['', 'late', '', 'broken', 'hook', '', 'late', 'hook', '']
    const bodies = names.map((one, index) => ({ ...one, remarks: remarks[index] }))
    logged.length = 0
    const answer = await ask('@owen', 'POST', '/sites', bodies)
    expect(statusesOf(answer)).to.deep.equal([201, 422, 201, 500, 500, 201, 422, 500, 201])
    expect(answer.results[1]?.errors).to.deep.equal([['remarks', 'Too late']])
    expect(answer.results[3]).to.deep.equal({ status: 500, message: 'Internal Server Error' })
    expect(logged).to.deep.equal(Array(3).fill('Answered with 500 for a record of an array'))
    const stored = await database
      .knex('itsm_sites')
      .whereIn(
        'name',
        names.map(({ name }) => name),
      )
      .orderBy('id')
      .pluck('name')
    expect(stored).to.deep.equal([0, 2, 5, 8].map((index) => names[index]?.name))
    const lines = await database
      .knex('itsm_audit_lines')
      .where({ owner_type: 'site' })
      .whereIn('owner_id', idsOf(answer).filter(Boolean))
    expect(lines).to.have.length(4)
  })

  it('is in order, also where the values of a refused or changed record become free', async () => {
    const name = unique()
    const made = await ask('@owen', 'POST', '/sites', [{ name, zip: '9'.repeat(21) }, { name }, { name }])
    expect(statusesOf(made)).to.deep.equal([422, 201, 422])
    const [, id] = idsOf(made)
    const other = unique()
    const changed = await ask('@owen', 'PATCH', '/sites', [
      { id, name: other },
      { id, remarks: other },
      { id, name },
      { id, name: other },
    ])
    expect(statusesOf(changed)).to.deep.equal([200, 200, 200, 200])
    const changes: unknown[] = await database
      .knex('itsm_audit_lines')
      .where({ owner_type: 'site', owner_id: Number(id) })
      .orderBy('id')
      .pluck('changes')
    expect(changes.slice(1).map((one) => Object.keys(typeof one === 'string' ? JSON.parse(one) : Object(one)))).to.deep.equal([
      ['name'],
      ['remarks'],
      ['name'],
      ['name'],
    ])
  })

  it('lets a record refer to one that is before it', async () => {
    const [one = 0, two = 0, three = 0] = idsOf(
      await ask(
        '@owen',
        'POST',
        '/organizations',
        some(3, () => ({ name: unique() })),
      ),
    )
    const answer = await ask('@owen', 'PATCH', '/organizations', [
      { id: one, disabled: true },
      { id: two, parent_id: one },
      { id: one, disabled: false },
      { id: two, parent_id: one },
      { id: three, parent_id: two },
      { id: one, parent_id: three },
    ])
    expect(statusesOf(answer)).to.deep.equal([200, 422, 200, 200, 200, 422])
  })

  it('gives each body the budget of an object', async () => {
    const long = 'x'.repeat(2 ** 19)
    const many = {
      name: unique(),
      ...Object.fromEntries(some(MAX_NAMES - 1, (index) => ({ [`u${index}`]: 0 })).flatMap(Object.entries)),
    }
    const nested = {
      name: unique(),
      custom_data: Object.fromEntries(
        some(60, (index) => ({
          [`c${index}`]: Object.fromEntries(some(99, (inner) => ({ [`d${inner}`]: 0 })).flatMap(Object.entries)),
        })).flatMap(Object.entries),
      ),
    }
    const answer = await ask('@sam', 'POST', '/requests', [
      { subject: long, category: 'other' },
      nested,
      many,
      { subject: 'x', category: 'other' },
    ])
    expect(statusesOf(answer)).to.deep.equal([413, 400, 422, 201])
    expect(answer.results.slice(0, 2).map(({ message }) => message)).to.deep.equal([
      'Body is too big (maximum is 512 KB)',
      'Body should not have more than 5000 names and lists',
    ])
  })

  it('shows names without effect, cut like those of the header', async () => {
    const answer = await ask('@owen', 'POST', '/sites', [
      {
        name: unique(),
        ['ü'.repeat(101)]: 1,
        id: 7,
        ...Object.fromEntries(some(500, (index) => ({ [`unknown${index}`]: 0 })).flatMap(Object.entries)),
      },
    ])
    const { ignored = [] } = answer.results[0] ?? {}
    expect(ignored).to.include.members([`${'ü'.repeat(100)}...`, 'id'])
    expect(ignored.at(-1)).to.equal('...')
    expect(ignored.join('').length).to.be.below(2_010)
  })

  it('answers a repeat as before, however long the answer is', async () => {
    const bodies = [
      ...some(250, () => ({ name: unique(), sourceID: unique() })),
      ...some(250, () => ({ country: 'ZZ', zip: '9'.repeat(30), time_zone: 'Nowhere' })),
    ]
    const key = { 'Idempotency-Key': unique().replace(' ', '-') }
    const first = await ask('@owen', 'POST', '/sites', bodies, key)
    const again = await ask('@owen', 'POST', '/sites', bodies, key)
    expect(JSON.stringify(first.results).length).to.be.above(65_535)
    expect([first.headers['idempotent-replayed'], again.headers['idempotent-replayed']]).to.deep.equal([undefined, 'true'])
    expect(again.results).to.deep.equal(first.results)
  })

  it('is done once when it comes twice at the same time', async () => {
    const bodies = some(50, () => ({ name: unique() }))
    const key = { 'Idempotency-Key': unique().replace(' ', '-') }
    const answers = await Promise.all(some(4, () => ({})).map(() => ask('@owen', 'POST', '/sites', bodies, key)))
    for (const { results } of answers) expect(results).to.deep.equal(answers[0]?.results)
    expect(statusesOf(answers[0] ?? { results: [] })).to.deep.equal(Array(50).fill(201))
  })

  it('is repeated when it loses against another one', async () => {
    const ids = idsOf(
      await ask(
        '@owen',
        'POST',
        '/sites',
        some(40, () => ({ name: unique() })),
      ),
    )
    const twice = (order: readonly number[]) => [...order, ...order].map((id) => ({ id, city: unique() }))
    const answers = await Promise.all(
      [ids, ids.toReversed(), ids, ids.toReversed()].map((order) => ask('@owen', 'PATCH', '/sites', twice(order))),
    )
    for (const answer of answers) expect(new Set(statusesOf(answer))).to.deep.equal(new Set([200]))
  })
})

describe('an array against the limits of rates', () => {
  const limited = (rateLimit: object) => withMounted('mounted under a prefix', { rateLimit })
  const bodies = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ name: `${count} ${index} ${randomBytes(4).toString('hex')}` }))

  describe('by the hour', () => {
    const { ask } = limited({ burst: false, perHour: 10 })
    it('counts each 20 bodies, and is refused as a whole if they are not left', async () => {
      const remaining = async (count: number) => {
        const { headers, status } = await ask('@owen', 'POST', '/sites', bodies(count))
        return [status, Number(headers['x-ratelimit-remaining'])]
      }
      expect(await remaining(20)).to.deep.equal([200, 9])
      expect(await remaining(21)).to.deep.equal([200, 7])
      expect(await remaining(100)).to.deep.equal([200, 2])
      const refused = await ask('@owen', 'POST', '/sites', bodies(60))
      expect([refused.status, refused.json]).to.deep.equal([429, { message: 'Too Many Requests' }])
      expect(Number(refused.headers['retry-after'])).to.be.within(3_500, 3_600)
      // The request itself was a call; those that it did not get are still there.
      expect(refused.headers['x-ratelimit-remaining']).to.equal('1')
      expect(await remaining(1)).to.deep.equal([200, 0])
    })
  })

  describe('in a burst', () => {
    const { ask } = limited({ burst: 5, burstMs: 1_000 })
    it('is refused if others have used it, and takes no more than all of it', async () => {
      expect((await ask('@owen', 'GET', '/sites')).status).to.equal(200)
      const refused = await ask('@owen', 'POST', '/sites', bodies(100))
      expect([refused.status, refused.headers['retry-after']]).to.deep.equal([429, '1'])
      expect((await ask('@owen', 'GET', '/sites')).status).to.equal(200)
      await new Promise((resolve) => setTimeout(resolve, 1_100))
      expect((await ask('@owen', 'POST', '/sites', bodies(500))).status).to.equal(200)
      expect((await ask('@owen', 'GET', '/sites')).status).to.equal(429)
    })
  })
})
