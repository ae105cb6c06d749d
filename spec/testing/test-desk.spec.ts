/** A host's own tests, as it would write them with `testDesk()`: a vehicle with a timer, and an extension of shipped types. */
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { addColumns, extendRecord, InvalidSetup, listener, type Migration, oneOf, string } from '../../plugin/index.js'
import { runCases, shippedFixtures, type TestDesk, testDesk } from '../../plugin/testing/index.js'
import { createVehicles, vehicle } from '../support/vehicle.js'

const columns: Migration = {
  name: 'host_0002_add_columns',
  up: async (tools) => {
    await addColumns(tools, 'requests', (table) => table.string('cost_center', 20))
    await addColumns(tools, 'people', (table) => table.enum('badge'))
  },
  down: async () => {},
}
const extend = [
  extendRecord('request', { fields: { cost_center: string(20) }, collection: { fields: 'cost_center' } }),
  extendRecord('person', { fields: { badge: oneOf(['blue', 'red'], { default: 'blue' }) }, collection: { fields: 'badge' } }),
]

describe('a test desk without a migration', () => {
  it('says what is missing', async () => {
    const error = await testDesk({ extend, now: '2026-11-26T09:00:00Z' }).catch((one: unknown) => one)
    expect(error).to.be.instanceOf(InvalidSetup)
    expect((error as Error).message).to.match(/cost_center/)
  }).timeout(60_000)
})

describe('a test desk', function () {
  this.timeout(60_000)
  const heard: string[] = []
  let desk: TestDesk

  before('is made in one call', async () => {
    desk = await testDesk({
      records: [vehicle],
      extend,
      migrations: [createVehicles, columns],
      on: { 'vehicle.create': [listener('garage', async ({ name }) => void heard.push(name))] },
      now: '2026-11-26T09:00:00Z',
    })
  })
  after(() => desk.close())

  it('answers as the people of its world', async () => {
    const { body, status } = await desk.ask('@owen', 'POST', '/vehicles', {
      name: 'Van',
      license_plate: 'VX-1',
      driver_id: '@hank',
    })
    expect([status, body]).to.deep.include.members([201])
    expect(body).to.deep.include({ name: 'Van', created_at: '2026-11-26T10:00:00+01:00' })
    expect(body).to.have.nested.property('driver.id', desk.world.id('@hank'))
    expect((await desk.ask(null, 'GET', '/vehicles')).status).to.equal(401)
  })

  it('does nothing in the background until it is told to', async () => {
    expect(heard).to.deep.equal([])
    await desk.settle()
    expect(heard).to.deep.equal(['vehicle.create'])
  })

  it('is back where it began after a restore', async () => {
    await desk.restore()
    const { body } = await desk.ask('@owen', 'GET', '/vehicles')
    expect(body).to.deep.equal([])
    await desk.settle()
    expect(heard).to.deep.equal(['vehicle.create'])
    expect(desk.clock.now().toISOString()).to.equal('2026-11-26T09:00:00.000Z')
  })

  it('lets time pass, once for each step', async () => {
    const sent = {
      status: 'waiting_for',
      waiting_until: '2026-11-27T09:00:00Z',
      subject: 'Later',
      category: 'incident',
      impact: 'low',
    }
    const { body } = await desk.ask('@sam', 'POST', '/requests', {
      ...sent,
      service_instance_id: '@laptops',
      member_id: '@sam',
    })
    const { id } = body as { id: number }
    const statusAt = async (at: string) => {
      await desk.advanceTo(at)
      return ((await desk.ask('@sam', 'GET', `/requests/${id}`)).body as { status: string }).status
    }
    expect(await statusAt('2026-11-27T08:59:00Z')).to.equal('waiting_for')
    expect(await statusAt('2026-11-27T09:00:00Z')).not.to.equal('waiting_for')
    expect(() => desk.clock.set('tomorrow')).to.throw(RangeError, 'tomorrow')
  })

  it('receives webhooks, and repeats what was refused when it is time', async () => {
    await desk.restore()
    await desk.ask('@owen', 'POST', '/webhooks', { event: 'vehicle.create', uri: `${desk.receiver.url}/hook`, name: 'Fleet' })
    desk.receiver.answerWith(500)
    await desk.ask('@owen', 'POST', '/vehicles', { name: 'Car', license_plate: 'CR-1' })
    await desk.settle()
    expect(desk.receiver.deliveries.map(({ path }) => path)).to.deep.equal(['/hook'])
    desk.receiver.answerWith(200)
    await desk.settle()
    expect(desk.receiver.deliveries).to.have.length(1)
    await desk.advanceTo(new Date(desk.clock.now().getTime() + 2 * 60_000))
    expect(desk.receiver.deliveries.map(({ body }) => body['event'])).to.deep.equal(['vehicle.create', 'vehicle.create'])
  })

  it('collects mails', async () => {
    await desk.restore()
    const form = 'Name,Primary Email\r\nNina,nina@widgets.example\r\n'
    const body = new FormData()
    body.set('type', 'people')
    body.set('file', new Blob([form]), 'people.csv')
    const headers = { authorization: `Basic ${btoa(`${desk.world.token('@owen')}:x`)}` }
    expect((await fetch(`${desk.baseUrl}/import`, { method: 'POST', headers, body })).status).to.equal(200)
    await desk.settle()
    expect(desk.mails.map(({ to }) => to)).to.deep.equal([['owen@widgets.example']])
    const found = await desk.ask('@owen', 'GET', '/people?primary_email=nina@widgets.example&fields=name')
    expect(found.body).to.have.nested.property('[0].name', 'Nina')
  })

  it('refuses a database that is not for tests, and leaves nothing open', async () => {
    const error = await testDesk({ secret: 'short' }).catch((thrown: unknown) => thrown)
    expect(error).to.have.property('message').that.contains('at least 32 characters')
  })

  describe('with cases of the package', () => {
    const every = process.env['EVERY_CASE'] !== undefined
    const wanted = ['people', 'requests']
    runCases({
      topics: shippedFixtures().topics.filter(({ name }) => every || wanted.includes(name)),
      desk: () => desk,
      describe,
      it,
    })
  })
})
