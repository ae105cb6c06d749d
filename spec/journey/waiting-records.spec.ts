/** Records of our own types that wait until a moment: the plugin assigns them when it has come. */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { listener } from '../../plugin/index.js'
import { recordFixtures } from '../support/contract.js'
import { createMaker } from '../support/contract-place.js'
import { withMounted } from '../support/mounted.js'
import { settableClock } from '../support/webhooks.js'

/** What a caller would be by itself, the service has to name. */
const NAMED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  request: { requested_by_id: '@ines', team_id: '@service-desk' },
  change: { manager_id: '@carl' },
}
const UNTIL = '2030-03-31T10:00:00Z'

describe('records that wait until a moment', function () {
  this.timeout(60_000)
  const clock = settableClock('2030-03-31T09:00:00Z')
  const ended: number[] = []
  const on = { 'request.waiting-ended': [listener('ended', ({ recordId }) => void ended.push(recordId))] }
  const mounted = withMounted('mounted under a prefix', { clock, on, jobs: { takeOverAfterMs: 1000 } })
  const system = () => mounted.itsm.asSystem('spec', 'widgets')
  const ids = new Map<string, number>()

  const made = async (name: string, more: object = {}): Promise<number> => {
    const { catalog } = mounted.itsm
    const type = catalog.type(name)
    const maker = createMaker({ mounted, catalog, fixtures: recordFixtures })
    const below = recordFixtures.get(name)?.below
    const owner = below === undefined ? null : { type: below, id: await made(below) }
    const child = owner && [...catalog.type(owner.type).children.values()].find(({ record }) => record === name)
    const people = Object.entries(NAMED[name] ?? {}).map(([field, person]) => [field, mounted.world.id(person)])
    const within = child ? { [`${child.by}_id`]: owner.id } : {}
    const body = { ...maker.body(type, 'minimal'), ...Object.fromEntries(people), ...within, ...more }
    return Number((await system().create(name, body))['id'])
  }
  const statusOf = async (name: string) => (await system().read(name, ids.get(name) ?? 0))['status']
  const statuses = () => Promise.all([...ids.keys()].map(async (name) => `${name} ${await statusOf(name)}`))

  before(async () => {
    for (const name of ['request', 'problem', 'task', 'project_task']) {
      ids.set(name, await made(name, { status: 'waiting_for', waiting_until: UNTIL }))
    }
    await mounted.itsm.start()
  })

  it('wait before, also while the timers run', async () => {
    clock.set('2030-03-31T09:59:59Z')
    await sleep(1500)
    for (const text of await statuses()) expect(text).to.match(/ waiting_for$/)
  })

  it('are assigned when the moment has come, and wait for nothing', async () => {
    clock.set(UNTIL)
    for (let tries = 0; tries < 200 && (await statuses()).some((text) => !/ assigned$/.test(text)); tries += 1) await sleep(50)
    expect(await statuses()).to.deep.equal([...ids.keys()].map((name) => `${name} assigned`))
    for (const [name, id] of ids) {
      expect(await system().read(name, id), name).to.include({ waiting_until: null })
      const type = mounted.itsm.catalog.type(name)
      const reply = await mounted.ask('@owen', 'GET', `/${type.path}/${id}/audit`)
      expect(reply.status, reply.text).to.equal(200)
      const [line] = reply.json as { created_by: unknown; changes: Record<string, unknown> }[]
      expect(line, name).to.deep.include({ created_by: null })
      expect(line?.changes?.['status'], JSON.stringify(line)).to.not.equal(undefined)
    }
    for (let tries = 0; tries < 100 && ended.length === 0; tries += 1) await sleep(50)
    expect(ended).to.deep.equal([ids.get('request')])
  })

  it('are assigned within a second or two of a save whose moment is near', async () => {
    const soon = new Date(clock.now().getTime() + 1000).toISOString()
    clock.set('2030-03-31T11:00:00Z')
    await system().update('request', ids.get('request') ?? 0, { status: 'waiting_for', waiting_until: soon })
    for (let tries = 0; tries < 100 && (await statusOf('request')) !== 'assigned'; tries += 1) await sleep(50)
    expect(await statusOf('request')).to.equal('assigned')
  })
})
