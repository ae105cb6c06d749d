import { expect } from 'chai'
import { countStatements } from '../support/count-statements.js'
import { withHouse } from '../support/house.js'
import { timersOf } from '../support/house-timers.js'

const EVENT = 'request.waiting-ended'
const UNTIL = '2026-11-23T10:00:00Z'

describe('the event of a request that goes on because its time has come', function () {
  this.timeout(60_000)
  const house = withHouse({
    before: {
      'request.save': [
        ({ before, next }) => {
          if (before && next['subject'] === 'Later')
            Object.assign(next, { status: 'waiting_for', waiting_until: '2026-12-24T10:00:00Z' })
          if (before && next['subject'] === 'Started' && next['status'] === 'assigned') next['status'] = 'in_progress'
        },
      ],
    },
  })
  let [sam, team] = [0, 0]
  before(async () => {
    sam = await house.addPerson('Sam', ['specialist'])
    team = await house.add('team', { name: 'Desk' })
    await house.operations.link(await house.system(), { type: 'team', id: team }, 'members', sam)
  })
  beforeEach(async () => {
    house.clock.set('2026-11-23T09:00:00Z')
    await house.storage.knex(house.storage.table('outbox')).delete()
  })

  const wait = (more: object = {}) =>
    house.add('request', {
      ...{ subject: 'Waiting', category: 'other', requested_by_id: sam, team_id: team, member_id: sam },
      ...{ status: 'waiting_for', waiting_until: UNTIL, ...more },
    })
  const fire = async (at: string) => {
    house.clock.set(at)
    return timersOf(house).fireDue()
  }
  const events = async (id: number) =>
    (await house.table('outbox')).filter((row) => row['record_id'] === id).map((row) => String(row['event']))
  const ended = async () => (await house.table('outbox')).filter((row) => row['event'] === EVENT).map((row) => row['record_id'])

  it('is there once, after the others of the same save, and names nobody', async () => {
    const id = await wait()
    await fire('2026-11-23T09:59:59Z')
    expect(await events(id)).to.deep.equal(['request.create'])
    expect(await fire(UNTIL)).to.include({ saved: 1 })
    await fire('2026-11-23T12:00:00Z')
    expect((await events(id)).slice(1)).to.deep.equal(['request.update', 'request.status-changed', EVENT])
    const [row] = (await house.table('outbox')).filter(({ event }) => event === EVENT)
    expect(row).to.include({ person_id: null, account_id: 'acme' })
    expect(row?.['audit_line_id']).to.be.a('number')
  })

  it('comes again when the request has waited again', async () => {
    const id = await wait()
    await fire(UNTIL)
    const again = { status: 'waiting_for', waiting_until: '2026-11-24T10:00:00Z' }
    await house.operations.save(await house.by(sam), 'request', id, again)
    await fire('2026-11-24T10:00:00Z')
    expect(await ended()).to.deep.equal([id, id])
  })

  it('is not for what a person does, before the time or after it', async () => {
    const [before, after] = [await wait(), await wait()]
    await house.operations.save(await house.by(sam), 'request', before, { status: 'in_progress' })
    house.clock.set('2026-11-23T10:00:05Z')
    await house.operations.save(await house.by(sam), 'request', after, { status: 'in_progress' })
    await fire('2026-11-23T10:00:10Z')
    expect(await ended()).to.deep.equal([])
  })

  it('is not for a request that a hook has wait longer, but for one that it starts', async () => {
    const [later, started] = [await wait({ subject: 'Later' }), await wait({ subject: 'Started' })]
    await fire(UNTIL)
    expect(await house.row('request', later)).to.include({ status: 'waiting_for', waiting_until: '2026-12-24T10:00:00Z' })
    expect(await house.row('request', started)).to.include({ status: 'in_progress' })
    expect(await ended()).to.deep.equal([started])
  })

  it('is there once for each request of a group, also if the group takes the others along', async () => {
    const [first, second] = [await wait(), await wait()]
    await house.operations.save(await house.by(sam), 'request', second, { grouped_into_id: first })
    const group = Number((await house.row('request', second))?.['grouped_into_id'])
    house.clock.set(UNTIL)
    await timersOf(house, { pageSize: 1 }).fireDue()
    for (const id of [group, first, second]) expect(await house.row('request', id)).to.include({ status: 'assigned' })
    expect(await ended()).to.have.members([group, first, second])
  })

  it('is stored by the statement that stores the other events', async () => {
    await wait()
    const writes = await countStatements(house.storage.knex).writesOf(() => fire(UNTIL))
    expect(writes.filter((sql) => sql.includes(house.storage.table('outbox')))).to.have.length(1)
  })
})
