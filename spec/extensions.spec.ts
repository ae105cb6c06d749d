/** What extensions add is served like everything else. That lists, writes, events and imports of extended types work is checked by spec/contract. */
import { setTimeout } from 'node:timers/promises'
import { expect } from 'chai'
import { createPlugin, extendRecord, InvalidSetup } from '../plugin/index.js'
import { withHostType } from './support/contract.js'
import { withMounted } from './support/mounted.js'
import { inspected } from './support/openapi.js'
import { TEST_SECRET } from './support/settings.js'

describe('an extension', () => {
  const mounted = inspected(
    withMounted('mounted under a prefix', {
      ...withHostType,
      extend: [
        ...withHostType.extend,
        extendRecord('request', { values: { status: ['parked'] }, collection: { fields: 'urgent' } }),
      ],
      words: { en: { values: { 'vehicle.status': { parked: 'In the car park' } } } },
    }),
  )
  const ask = async (as: string, method: string, path: string, body?: object) => {
    const answer = await mounted.ask(as, method, path, body)
    expect(answer.status, `${method} ${path}: ${answer.text}`).to.be.oneOf([200, 201])
    return answer.json as never
  }
  let count = 0
  const make = async (
    more: object = {},
    as = '@owen',
  ): Promise<{ id: number; status: string; color: string; drivers: unknown }> => {
    count += 1
    return ask(as, 'POST', '/vehicles', { name: `Van ${count}`, license_plate: `V-${count}`, ...more })
  }

  it('adds values that are stored, listed, labelled and described, behind those that are there', async () => {
    await make({ status: 'sold' })
    const parked = await make({ status: 'parked' })
    const sorted: { status: string }[] = await ask('@owen', 'GET', '/vehicles?sort=-status&fields=status')
    expect(sorted[0]?.status).to.equal('parked')
    expect(await ask('@owen', 'GET', '/vehicles?status=parked&fields=id')).to.deep.equal([{ id: parked.id }])
    const enums: Record<string, { id: string; txt: string }[]> = await ask('@owen', 'GET', '/enums')
    expect(enums['vehicle.status']?.map(({ txt }) => txt)).to.deep.equal(['Ordered', 'In Use', 'Sold', 'In the car park'])
    expect(enums['request.status']?.at(-1)).to.include({ id: 'parked', txt: 'Parked' })
    const document = JSON.stringify(
      ((await mounted.ask(null, 'GET', '/openapi.json')).json as { components: object }).components,
    )
    expect(document).to.contain('"ordered","in_use","sold","parked"')
    const request: { id: number } = await ask('@dana', 'POST', '/requests', {
      subject: 'A leak',
      category: 'incident',
      impact: 'low',
    })
    await ask('@dana', 'PATCH', `/requests/${request.id}`, { status: 'parked' })
    expect(await ask('@dana', 'GET', '/requests/open?status=parked&fields=id,status')).to.deep.equal([
      { id: request.id, status: 'parked' },
    ])
    const [listed]: object[] = await ask('@dana', 'GET', '/requests?status=parked')
    expect(listed).to.have.property('urgent')
  })

  it('adds lists of records over fields that other extensions add, on our types and on its own', async () => {
    const id = mounted.world.id('@amsterdam')
    const vehicle = await make({ depot_id: id })
    const names = (found: { id: number }[]) => found.map((one) => one.id)
    expect(names(await ask('@owen', 'GET', `/sites/${id}/depot_vehicles`))).to.include(vehicle.id)
    const other = await make()
    await ask('@owen', 'POST', `/sites/${id}/depot_vehicles/${other.id}`)
    expect(names(await ask('@owen', 'GET', `/vehicles?depot=${id}`))).to.include(other.id)
    const change: { id: number } = await ask('@carl', 'POST', '/changes', {
      subject: 'New tyres',
      template_id: mounted.world.id('@new-mail-server'),
      release_id: mounted.world.id('@winter-release'),
    })
    const task: { id: number } = await ask('@carl', 'POST', `/changes/${change.id}/tasks`, {
      template_id: mounted.world.id('@approve-plan'),
      team_id: mounted.world.id('@email-support'),
      vehicle_id: vehicle.id,
    })
    expect(names(await ask('@carl', 'GET', `/vehicles/${vehicle.id}/tasks`))).to.deep.equal([task.id])
    expect(names(await ask('@carl', 'GET', `/tasks?vehicle=${vehicle.id}`))).to.deep.equal([task.id])
  })

  it('adds links, seen from both sides', async () => {
    const hank = mounted.world.id('@hank')
    const vehicle = await make({ driver_ids: [hank] })
    expect(await ask('@owen', 'GET', `/people/${hank}/driven_vehicles?fields=id`)).to.deep.equal([{ id: vehicle.id }])
    expect((await mounted.ask('@owen', 'DELETE', `/people/${hank}/driven_vehicles/${vehicle.id}`)).status).to.equal(204)
    expect(((await ask('@owen', 'GET', `/vehicles/${vehicle.id}`)) as { drivers: unknown }).drivers).to.deep.equal([])
  })

  it('adds permissions, and takes none away', async () => {
    const vehicle = await make({ color: 'red', inspector_id: mounted.world.id('@ines') })
    expect((await ask('@cora', 'PATCH', `/vehicles/${vehicle.id}`, { seats: 4 })) as object).to.include({ seats: 4 })
    expect((await ask('@owen', 'PATCH', `/vehicles/${vehicle.id}`, { seats: 5 })) as object).to.include({ seats: 5 })
    const limited = await ask('@ines', 'PATCH', `/vehicles/${vehicle.id}`, { color: 'black', seats: 2 })
    expect(limited as object).to.include({ color: 'black', seats: 5 })
    expect((await mounted.ask('@sam', 'PATCH', `/vehicles/${vehicle.id}`, { seats: 1 })).status).to.equal(403)
    const mine = await make({ inspector_id: mounted.world.id('@ines') }, '@ines')
    expect(mine.id).to.be.a('number')
  })

  it('adds notes, with their attachments and their event, and history', async () => {
    const vehicle = await make({ note: 'Delivered' })
    const address = `/vehicles/${vehicle.id}`
    await ask('@owen', 'POST', `${address}/notes`, { text: 'Registered', internal: true })
    const notes: { text: string }[] = await ask('@owen', 'GET', `${address}/notes`)
    expect(notes.map(({ text }) => text)).to.deep.equal(['Delivered', 'Registered'])
    expect(await ask('@ines', 'GET', `${address}/notes`)).to.have.length(1)
    await ask('@owen', 'PATCH', address, { chassis: 'ABC', note: 'Stamped' })
    const lines: { changes: object }[] = await ask('@owen', 'GET', `${address}/audit`)
    expect(lines[0]?.changes).to.deep.include({ chassis: [null, 'ABC'] })
    expect(mounted.itsm.catalog.events).to.include('vehicle.note-added')
  })

  it('keeps unique what it calls so', async () => {
    await make({ chassis: 'TWICE' })
    const again = await mounted.ask('@owen', 'POST', '/vehicles', { name: 'Copy', license_plate: 'CO-PY', chassis: 'twice' })
    expect(again.json).to.deep.include({ errors: [['chassis', 'Chassis has already been taken']] })
  })

  it('adds sub-records, which are shown within the record', async () => {
    const vehicle = await make()
    await ask('@owen', 'POST', `/vehicles/${vehicle.id}/inspections`, { garage: 'Joe', passed: true })
    const read: { inspections: object[] } = await ask('@owen', 'GET', `/vehicles/${vehicle.id}`)
    expect(read.inspections.map(({ id: _, ...rest }: { id?: number }) => rest)).to.deep.equal([{ garage: 'Joe', passed: true }])
  })

  it('adds columns to import files', async () => {
    await mounted.itsm.start()
    const form = [
      '--b',
      'Content-Disposition: form-data; name="type"',
      '',
      'vehicles',
      '--b',
      'Content-Disposition: form-data; name="file"; filename="v.csv"',
      'Content-Type: text/csv',
      '',
      'Name,License Plate,Color',
      'Imported,IM-1,red',
      '--b--',
      '',
    ].join('\r\n')
    const sent = await mounted.ask('@owen', 'POST', '/import', Buffer.from(form), {
      'Content-Type': 'multipart/form-data; boundary=b',
    })
    expect(sent.status, sent.text).to.equal(200)
    const found = async () => (await ask('@owen', 'GET', '/vehicles?license_plate=IM-1&fields=color')) as { color: string }[]
    for (let tries = 0; tries < 100 && (await found()).length === 0; tries += 1) await setTimeout(100)
    expect((await found())[0]?.color).to.equal('red')
  }).timeout(30_000)

  it('is asked for its columns and tables at start, with a draft of the migration', async () => {
    const [createVehicles] = withHostType.migrations
    const itsm = createPlugin({
      ...withHostType,
      migrations: [createVehicles],
      baseUrl: 'https://desk.example/v1',
      secret: TEST_SECRET,
      database: { url: 'sqlite::memory:' },
    })
    try {
      await itsm.migrate()
      const error = await itsm.start().then(
        () => null,
        (thrown: unknown) => thrown,
      )
      expect(error).to.be.instanceOf(InvalidSetup)
      const text = (error as InvalidSetup).mistakes.join('\n')
      for (const part of ['color', 'chassis', 'inspector_id', 'vehicle_drivers', 'inspections', 'vehicle_id'])
        expect(text).to.contain(part)
      // What is unique by its key gets its index from migrate(), with the key.
      expect(text)
        .to.match(/addColumns\(schema, 'vehicles'/)
        .and.not.match(/table\.unique\('account_id', 'chassis'\)/)
    } finally {
      await itsm.stop()
    }
  })
})
