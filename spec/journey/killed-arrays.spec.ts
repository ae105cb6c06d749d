/** An array of bodies in a process that gets killed: nothing of it is stored, or all of it. */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { type ChildHost, startChildHost } from '../support/child-host.js'
import { withDatabase } from '../support/database.js'

const PEOPLE = 500

describe('An array in a process that is killed', function () {
  this.timeout(120_000)
  let host: ChildHost | null = null
  after(async () => {
    await host?.kill().catch(() => undefined)
  })
  // After the hook above: the host is gone when the database goes.
  const database = withDatabase({ file: true })

  it('is done as a whole when it comes again with its key', async () => {
    const bodies = Array.from({ length: PEOPLE }, (_, index) => ({
      name: `P ${index}`,
      primary_email: `p${index}@acme.example`,
    }))
    const key = { 'Idempotency-Key': 'people' }
    const count = async () => {
      const page = await (host as ChildHost).call('GET', '/people?per_page=1')
      return Number(page.headers.get('x-pagination-total-entries')) - 1
    }
    for (const pause of [20, 60, 100, 140]) {
      host = await startChildHost(database.url)
      const lost = host.call('POST', '/people', bodies, key).catch(() => null)
      await sleep(pause)
      await host.kill()
      await lost
      host = await startChildHost(database.url)
      expect(await count()).to.be.oneOf([0, PEOPLE])
      await host.kill()
    }
    host = await startChildHost(database.url)
    const { body, status } = await host.call('POST', '/people', bodies, key)
    expect([status, new Set(body.map((one) => one['status']))]).to.deep.equal([200, new Set([201])])
    expect(await count()).to.equal(PEOPLE)
    expect(await host.stop()).to.equal(0)
    host = null
  })
})
