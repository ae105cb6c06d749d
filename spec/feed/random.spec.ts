/** Random changes by people of three accounts: the feed tells each of them exactly what the outbox had and what GET shows. */
import { expect } from 'chai'
import { addMessages } from '../../plugin/storage/queues/messages.js'
import { addToOutbox, type OutboxEvent, readOutbox } from '../../plugin/storage/queues/outbox.js'
import { feedOf, nextOf, relayEvents, type Told } from '../support/feed.js'
import { withMounted } from '../support/mounted.js'

const CHANGES = Number(process.env['FEED_CHANGES'] ?? 300)

/** Numbers from a seed, the same in every run. */
function numbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

describe('the feed after random changes', () => {
  const mounted = withMounted('mounted under a prefix', { rateLimit: { perHour: 1e9, burst: false } })
  const { ask } = mounted
  const id = (name: string) => mounted.world.id(name)
  const below = numbers(20_261_126)
  const one = <T>(values: readonly T[]): T => values[below(values.length)] as T
  const events: OutboxEvent[] = []
  const relay = async () => {
    const { storage } = mounted.database
    events.push(...(await readOutbox(storage.knex, storage, 0, 10_000)))
    await relayEvents(storage)
  }

  const REQUESTS = ['@mail-is-slow', '@mail-is-down', '@new-laptop', '@forgotten-password']
  const hooks: number[] = []
  const STEPS: readonly (() => Promise<unknown>)[] = [
    () => ask(one(['@sam', '@eva']), 'PATCH', `/requests/${id(one(REQUESTS))}`, { subject: `Subject ${below(1e6)}` }),
    () =>
      ask('@sam', 'PATCH', `/requests/${id(one(REQUESTS))}`, {
        team_id: id(one(['@service-desk', '@email-support', '@partner-team'])),
        member_id: null,
      }),
    () => ask('@sam', 'PATCH', `/requests/${id(one(REQUESTS))}`, { status: one(['assigned', 'in_progress', 'declined']) }),
    () => ask('@sam', 'POST', `/requests/${id(one(REQUESTS))}/notes`, { text: `Note ${below(1e6)}`, internal: below(2) === 0 }),
    () =>
      ask('@paula', 'POST', `/requests/${id(one(REQUESTS))}/notes`, { text: `Ours ${below(1e6)}`, internal: below(2) === 0 }),
    () => ask('@owen', 'PATCH', `/teams/${id(one(['@service-desk', '@windows-servers']))}`, { name: `Team ${below(1e6)}` }),
    () => ask('@hank', 'POST', '/requests', { subject: `Help ${below(1e6)}`, category: 'incident' }),
    () => ask('@stan', 'PATCH', `/requests/${id('@stranger-request')}`, { subject: `Nothing ${below(1e6)}` }),
    () => ask('@paula', 'PATCH', `/requests/${id('@partner-request')}`, { subject: `A chair ${below(1e6)}` }),
    async () => {
      const { json } = await ask('@owen', 'POST', '/webhooks', { event: 'task.create', uri: 'https://hooks.example/x' })
      hooks.push((json as { id: number }).id)
    },
    () => ask('@owen', 'PATCH', `/webhooks/${hooks.at(-1) ?? 0}`, { disabled: below(2) === 0 }),
    () => ask('@owen', 'DELETE', `/webhooks/${hooks.pop() ?? 0}`),
  ]
  const steadily: Told[] = []

  before('changes, relays and follows in turns', async function () {
    this.timeout(60_000 + CHANGES * 200)
    for (const table of ['outbox', 'messages']) await mounted.database.knex(mounted.database.storage.table(table)).delete()
    let path = '/feed?after=0&per_page=5'
    const follow = async () => {
      const reply = await ask('@owen', 'GET', path.replace(/per_page=\d+/, `per_page=${1 + below(7)}`))
      steadily.push(...(reply.json as Told[]))
      path = nextOf(reply)
    }
    for (let change = 0; change < CHANGES; change += 1) {
      await one(STEPS)()
      if (below(4) === 0) await relay()
      if (below(3) === 0) await follow()
    }
    await relay()
    for (let [at, last] = [path, '']; at !== last; [last, at] = [at, path]) await follow()
    expect(events.length).to.be.above(CHANGES / 3)
  })

  /** What a person should get, by what GET shows now. */
  async function expected(as: string, account: string): Promise<readonly string[]> {
    const known = new Map<string, boolean>()
    const isThere = async (path: string): Promise<boolean> => {
      const found = known.get(path) ?? (await ask(as, 'GET', path)).status === 200
      known.set(path, found)
      return found
    }
    const all: string[] = []
    for (const [index, { accountId, event, recordId, recordType, snapshot }] of events.entries()) {
      const path = `/${mounted.itsm.catalog.type(recordType).path}/${recordId}`
      const isShown = event.endsWith('.delete')
        ? accountId === account
        : (await isThere(path)) && (!snapshot.note_id || (await isThere(`${path}/notes/${snapshot.note_id}`)))
      if (isShown) all.push(`${index + 1} ${event} ${recordId}`)
    }
    return all
  }
  const brief = (all: readonly Told[]) => all.map(({ sequence, event, object_id }) => `${sequence} ${event} ${object_id}`)

  for (const [as, account] of [
    ['@owen', 'widgets'],
    ['@paula', 'partner'],
    ['@stan', 'stranger'],
  ] as const) {
    it(`tells ${as} of all records that a GET shows, and of no other`, async () => {
      const told = await feedOf(mounted, as)
      expect(brief(told)).to.deep.equal(await expected(as, account))
      expect(told.length).to.be.above(1)
    }).timeout(60_000 + CHANGES * 100)
  }

  it('tells the same whoever follows step by step', async () => {
    const told = await feedOf(mounted, '@owen')
    const steady = (all: readonly Told[]) => brief(all.filter(({ type }) => type !== 'webhook'))
    expect(steady(steadily)).to.deep.equal(steady(told))
    const numbers = steadily.map(({ sequence }) => sequence)
    expect(numbers).to.deep.equal([...new Set(numbers)].sort((left, right) => left - right))
  })

  it('has the values of the outbox and of the audit trail', async () => {
    const lines = new Map<unknown, unknown>()
    for (const told of await feedOf(mounted, '@owen')) {
      const event = events[told.sequence - 1]
      if (!event || told.event.endsWith('.delete')) continue
      expect([told.type, told.person_id, told.person_name ?? '']).to.deep.equal([
        event.recordType,
        event.personId,
        event.personName,
      ])
      const { team_id: _team, member_id: _member, ...values } = event.snapshot
      const { audit_line_id: line, ...payload } = told.payload ?? {}
      const line_id = event.accountId === 'widgets' ? (event.auditLineId ?? undefined) : undefined
      expect([payload, line]).to.deep.equal([values, line_id])
      if (line === undefined) continue
      if (!lines.has(line)) {
        const { json } = await ask('@owen', 'GET', `/audit_lines/${line}`)
        const { cause, changes } = json as { cause: string | null; changes: unknown }
        lines.set(line, { changes, ...(cause === null ? {} : { cause }) })
      }
      const { cause, changes } = told
      expect({ changes, ...('cause' in told ? { cause } : {}) }).to.deep.equal(lines.get(line))
    }
    expect(lines.size).to.be.above(20)
  }).timeout(60_000 + CHANGES * 100)

  it('moves past any number of messages of others, a range at a time', async () => {
    const { knex, storage } = mounted.database
    const [event] = events
    if (!event) throw new Error('nothing has happened')
    const others = Array.from({ length: 6000 }, (_, index) => ({
      ...event,
      id: 1e6 + index,
      accountId: 'stranger',
      team: null,
      member: null,
    }))
    await knex.transaction((db) => addMessages(db, storage, others))
    await addToOutbox(knex, storage, [event])
    await relayEvents(storage)
    const start = `/feed?after=${events.length}&per_page=100`
    const first = await ask('@owen', 'GET', start)
    expect([first.json, nextOf(first)]).to.deep.equal([[], `/feed?after=${events.length + 5000}&per_page=100`])
    // Waiting begins only at the end.
    const second = await ask('@owen', 'GET', `${nextOf(first)}&wait=5`)
    expect((second.json as Told[]).map(({ sequence }) => sequence)).to.deep.equal([events.length + 6001])
  }).timeout(20_000)
})
