/** What a webhook gets and what the feed tells come from one row: the same events, in the same order for each record, with the same values. */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { feedOf, type Told } from '../support/feed.js'
import { withMounted } from '../support/mounted.js'
import { type Receiver, startReceiver } from '../support/receiver.js'

const CHANGES = Number(process.env['FEED_CHANGES'] ?? 120)

interface Pushed {
  readonly type: string
  readonly timestamp: string
  readonly data: {
    readonly object_id: number
    readonly person_id: number | null
    readonly person_name: string | null
    readonly payload: { readonly changes: unknown } & Record<string, unknown>
  }
}

describe('what is pushed and what is pulled', () => {
  const mounted = withMounted('mounted under a prefix', {
    rateLimit: { perHour: 1e9, burst: false },
    webhooks: { allowPrivateAddresses: true },
    jobs: { takeOverAfterMs: 1000 },
  })
  const { ask } = mounted
  const id = (name: string) => mounted.world.id(name)
  let receiver: Receiver
  let first = 0

  async function dispatched(): Promise<void> {
    const { knex } = mounted.database
    const left = async () => (await knex('itsm_outbox').pluck('id')).length
    const waiting = async () => (await knex('itsm_channel_deliveries').where({ state: 'waiting' }).pluck('id')).length
    while ((await left()) + (await waiting()) > 0) await sleep(50)
  }

  before('changes records while a webhook listens', async function () {
    this.timeout(60_000 + CHANGES * 300)
    receiver = await startReceiver()
    await mounted.itsm.start()
    // What made the world was told to nobody.
    await dispatched()
    const [newest] = await mounted.database.knex('itsm_messages').max({ sequence: 'sequence' })
    first = Number(newest?.['sequence'] ?? 0)
    const events = ['request.*', 'team.*', 'person.*']
    const asks = { events, uri: `${receiver.url}/hook`, content_type: 'json', payload: 'changes' }
    expect((await ask('@owen', 'POST', '/webhooks', asks)).status).to.equal(201)
    const requests = ['@mail-is-slow', '@mail-is-down', '@new-laptop', '@forgotten-password']
    const steps = [
      (n: number) => ask('@sam', 'PATCH', `/requests/${id(requests[n % 4] ?? '')}`, { subject: `Subject ${n}` }),
      (n: number) => ask('@sam', 'POST', `/requests/${id(requests[n % 4] ?? '')}/notes`, { text: `Note ${n}` }),
      (n: number) => ask('@hank', 'POST', '/requests', { subject: `Help ${n}`, category: 'incident' }),
      (n: number) =>
        ask('@sam', 'PATCH', `/requests/${id(requests[n % 4] ?? '')}`, {
          team_id: id(n % 2 ? '@service-desk' : '@email-support'),
          member_id: null,
        }),
      (n: number) => ask('@owen', 'PATCH', `/teams/${id('@windows-servers')}`, { name: `Team ${n}` }),
      (n: number) => {
        const host = mounted.itsm.asSystem('the night shift', 'widgets')
        return host.update('request', id(requests[n % 4] ?? ''), { subject: `Night ${n}` })
      },
    ]
    for (let n = 0; n < CHANGES; n += 1) await steps[n % steps.length]?.(n)
  })
  after(() => receiver.close())

  it('are the same', async () => {
    await dispatched()
    const told = (await feedOf(mounted, '@owen')).filter(
      ({ sequence, type }) => sequence > first && ['request', 'team', 'person'].includes(type),
    )
    expect(told.length).to.be.above(CHANGES / 2)
    const pushed = receiver.received.map(({ raw }) => JSON.parse(raw) as Pushed)
    const keyOf = ({ event, object_id }: Pick<Told, 'event' | 'object_id'>) => `${event.split('.')[0]}/${object_id}`
    const pulledOf = groupedBy(told, keyOf)
    const pushedOf = groupedBy(pushed, ({ data, type }) => keyOf({ event: type, object_id: data.object_id }))
    const changed = (
      all: ReadonlyMap<string, readonly { readonly event?: string; readonly type?: string }[]>,
      name: 'event' | 'type',
    ) => new Set([...all].flatMap(([key, some]) => (some.every((one) => isOfTimer(one[name])) ? [] : [key])))
    expect(changed(pushedOf, 'type')).to.deep.equal(changed(pulledOf, 'event'))
    for (const [key, messages] of pulledOf) {
      const pulled = messages.map(({ at, cause = null, changes = null, event, payload, person_id, person_name }) => {
        const { note_id: _, ...rest } = payload ?? {}
        return [event, Math.floor(Date.parse(at) / 1000), person_id ?? null, person_name ?? null, rest, changes, cause]
      })
      const sent = (pushedOf.get(key) ?? []).map(({ data, timestamp, type }) => {
        const { cause = null, changes, ...rest } = data.payload
        return [type, Math.floor(Date.parse(timestamp) / 1000), data.person_id, data.person_name, rest, changes, cause]
      })
      expect(afterTargets(sent), key).to.deep.equal(afterTargets(pulled))
    }
    expect(told.map(({ cause }) => cause)).to.include('host: the night shift')
  }).timeout(60_000 + CHANGES * 100)
})

function groupedBy<T>(all: readonly T[], keyOf: (one: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>()
  for (const one of all) groups.set(keyOf(one), [...(groups.get(keyOf(one)) ?? []), one])
  return groups
}

/** Without what timers told of targets before anything was changed: the webhook may not have been there yet. */
function afterTargets<T extends readonly unknown[]>(events: readonly T[]): readonly T[] {
  const first = events.findIndex(([event]) => !isOfTimer(event))
  return first < 0 ? [] : events.slice(first)
}

function isOfTimer(event: unknown): boolean {
  return String(event).startsWith('request.target-')
}
