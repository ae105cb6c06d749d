/** Timers of two processes on one database, of which one is killed in the middle: each record is saved, and saved once. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { systemClock } from '../../plugin/core/clock.js'
import { createLeases } from '../../plugin/storage/queues/leases.js'
import { type ChildHost, startChildHost } from '../support/child-host.js'
import { testStore, withDatabase } from '../support/database.js'
import { silent } from '../support/settings.js'

const WAITING = 60

describe('Timers of a process that is killed', function () {
  this.timeout(180_000)
  const isEmbedded = testStore() === 'embedded'
  const hosts: ChildHost[] = []
  const start = async () => {
    const host = await startChildHost(database.url)
    hosts.push(host)
    return host
  }
  after(async () => {
    for (const host of hosts) await host.kill().catch(() => undefined)
  })
  // After the hook above: the hosts are gone when the database goes.
  const database = withDatabase({ file: true })

  /** Keeps all events in the outbox: nobody else gets the lease of the relay until the work has ended. */
  const keepingEvents = async (work: () => Promise<void>) => {
    const leases = createLeases({ storage: database.storage, clock: systemClock, log: silent, randomId: randomUUID })
    const { held } = await leases.attempt({ kind: 'relay', lastsMs: 600_000 }, work)
    expect(held).to.equal(true)
  }
  const wait = async (host: ChildHost, until: Date, label: string) => {
    const body = { subject: label, category: 'other', status: 'waiting_for', waiting_until: until.toISOString() }
    const made = await host.call('POST', '/requests', { ...body, team_id: await teamOf(host) })
    expect(made.status, JSON.stringify(made.body)).to.equal(201)
    return Number(made.body['id'])
  }
  let team = 0
  const teamOf = async (host: ChildHost) => {
    if (team > 0) return team
    const made = await host.call('POST', '/teams', { name: 'Desk' })
    expect(made.status, JSON.stringify(made.body)).to.equal(201)
    team = Number(made.body['id'])
    return team
  }
  const waitingIn = async (host: ChildHost) => {
    const page = await host.call('GET', '/requests?status=waiting_for&per_page=1')
    return Number(page.headers.get('x-pagination-total-entries'))
  }
  const untilNoneWaits = async (host: ChildHost) => {
    for (let tries = 0; tries < 600 && (await waitingIn(host)) > 0; tries += 1) await sleep(100)
    expect(await waitingIn(host)).to.equal(0)
  }

  it('fire at the moment, without being asked', async () => {
    const host = await start()
    const until = new Date(Math.ceil(Date.now() / 1000) * 1000 + 4000)
    const id = await wait(host, until, 'One')
    expect(await waitingIn(host)).to.equal(1)
    await untilNoneWaits(host)
    const late = Date.now() - until.getTime()
    expect(late).to.be.within(-1000, 3000)
    const { body } = await host.call('GET', `/requests/${id}`)
    expect(body).to.include({ status: 'assigned', waiting_until: null })
  })

  it('catch up after the process was away, and are done once, though one is killed in the middle', () =>
    keepingEvents(async () => {
      const [first] = hosts
      if (!first) throw new Error('The first spec starts the host')
      const until = new Date(Date.now() + 60_000)
      const ids: number[] = []
      for (let n = 0; n < WAITING; n += 1) ids.push(await wait(first, until, `Waiting ${n}`))
      await first.kill()
      // As long as nobody looks, all become due.
      const { knex, storage } = database
      await knex(storage.table('requests')).whereIn('id', ids).update({ waiting_until: '2020-01-01 00:00:00' })
      if (isEmbedded) await knex.raw('PRAGMA wal_checkpoint(TRUNCATE)')

      const doomed = await start()
      const other = isEmbedded ? null : await start()
      await sleep(30)
      await doomed.kill()
      await untilNoneWaits(other ?? (await start()))
      for (const host of hosts) await host.kill().catch(() => undefined)

      const lines = await knex(storage.table('audit_lines'))
        .where({ owner_type: 'request', action: 'update' })
        .whereIn('owner_id', ids)
      expect(lines).to.have.length(WAITING)
      const ended = knex(storage.table('outbox')).where({ event: 'request.waiting-ended' }).whereIn('record_id', ids)
      expect((await ended.pluck('record_id')).map(Number).sort()).to.deep.equal([...ids].sort())
      expect(new Set(lines.map((line) => Number(line.owner_id))).size).to.equal(WAITING)
      for (const line of lines) expect(JSON.parse(line.changes).status).to.deep.equal(['waiting_for', 'assigned'])
    }))

  it('raise events about targets once, though a process is killed in the middle', () =>
    keepingEvents(async () => {
      const [host, { knex, storage }] = [await start(), database]
      const ids: number[] = []
      for (let n = 0; n < WAITING; n += 1) {
        const made = await host.call('POST', '/requests', {
          subject: `Late ${n}`,
          category: 'other',
          team_id: await teamOf(host),
        })
        ids.push(Number(made.body['id']))
      }
      await host.kill()
      const late = () => knex(storage.table('requests')).whereIn('id', ids)
      await late().update({ resolution_event_at: '2020-01-01 00:00:00', resolution_events: 1 })
      if (isEmbedded) await knex.raw('PRAGMA wal_checkpoint(TRUNCATE)')

      const doomed = await start()
      const other = isEmbedded ? null : await start()
      await sleep(30)
      await doomed.kill()
      if (!other) await start()
      for (let tries = 0; tries < 600 && (await late().where({ resolution_events: 1 })).length > 0; tries += 1) await sleep(100)
      for (const one of hosts) await one.kill().catch(() => undefined)
      expect(await late().where({ resolution_events: 2 })).to.have.length(WAITING)
      const missed = knex(storage.table('outbox')).where({ event: 'request.target-missed' }).whereIn('record_id', ids)
      expect((await missed.pluck('record_id')).map(Number).sort()).to.deep.equal([...ids].sort())
    }))
})
