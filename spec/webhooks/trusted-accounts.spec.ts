import { expect } from 'chai'
import { createPlugin } from '../../plugin/index.js'
import { withDatabase } from '../support/database.js'
import { type Receiver, startReceiver } from '../support/receiver.js'
import { silent, TEST_SECRET } from '../support/settings.js'

describe('webhooks of trusted accounts', () => {
  const database = withDatabase()
  let receiver: Receiver

  before(async () => {
    receiver = await startReceiver()
  })
  after(() => receiver.close())

  it('are told of a request that was passed to them, in their own name, and no others are', async () => {
    const itsm = createPlugin({
      baseUrl: 'https://desk.example/v1',
      secret: TEST_SECRET,
      database: { knex: database.lent },
      log: silent,
      webhooks: { allowPrivateAddresses: true },
    })
    for (const id of ['acme', 'provider', 'bystander', 'stranger']) await itsm.accounts.put({ id, name: id.toUpperCase() })
    await itsm.accounts.trust('provider', 'acme')
    await itsm.accounts.trust('acme', 'bystander')
    const [acme, provider] = [itsm.asSystem('the spec', 'acme'), itsm.asSystem('the spec', 'provider')]
    for (const account of ['acme', 'provider', 'bystander', 'stranger']) {
      for (const event of ['request.create', 'request.update', 'request.team-changed', 'person.create', 'team.create']) {
        await itsm.asSystem('the spec', account).create('webhook', { event, name: account, uri: `${receiver.url}/${account}` })
      }
    }
    const ada = Number((await acme.create('person', { name: 'Ada', primary_email: 'ada@acme.example' }))['id'])
    const theirs = Number((await provider.create('team', { name: 'Network' }))['id'])
    const ours = Number((await acme.create('team', { name: 'Desk' }))['id'])
    await itsm.grant(ada, 'acme', ['specialist'])
    const desk = itsm.as(ada)
    const request = await desk.create('request', {
      subject: 'No signal',
      category: 'other',
      requested_by_id: ada,
      team_id: ours,
    })
    const id = Number(request['id'])
    await itsm.start()
    try {
      await receiver.gets(4)
      await desk.update('request', id, { team_id: theirs })
      await receiver.gets(4 + 4)
      await desk.update('request', id, { subject: 'No signal at all' })
      await receiver.gets(8 + 2)
      await desk.update('request', id, { team_id: ours })
      await receiver.gets(10 + 2)
    } finally {
      await itsm.stop()
    }
    const told = (account: string) =>
      receiver.received.filter(({ path }) => path === `/${account}`).map(({ body }) => body['event'])
    expect(told('acme').slice(0, 3)).to.have.members(['person.create', 'team.create', 'request.create'])
    expect(told('acme').slice(3)).to.deep.equal([
      ...['request.update', 'request.team-changed', 'request.update'],
      ...['request.update', 'request.team-changed'],
    ])
    // Their own team, then what happened while the request was with them.
    expect(told('provider')).to.deep.equal(['team.create', 'request.update', 'request.team-changed', 'request.update'])
    expect([told('bystander'), told('stranger')]).to.deep.equal([[], []])
    const [, update] = receiver.received.filter(({ path }) => path === '/provider')
    expect(update?.body).to.include({
      account: 'https://provider.desk.example',
      name: 'provider',
      object_id: String(id),
      'payload[team][name]': 'Network',
      'payload[team][account][id]': 'provider',
    })
    expect(update?.headers['link']).to.equal(
      `<https://provider.desk.example/requests/${id}>; rel="canonical", <https://desk.example/v1/requests/${id}>; rel="resource"`,
    )
  }).timeout(30_000)

  it('hear of notes that they may see, at the same address too, and of nothing once trust has ended', async () => {
    const at = `${receiver.url}/shared`
    const itsm = createPlugin({
      baseUrl: 'https://desk.example/v1',
      secret: TEST_SECRET,
      database: { knex: database.lent },
      log: silent,
      webhooks: { allowPrivateAddresses: true },
    })
    for (const id of ['customer', 'repair']) await itsm.accounts.put({ id, name: id.toUpperCase() })
    await itsm.accounts.trust('customer', 'repair')
    const [customer, repair] = [itsm.asSystem('the spec', 'customer'), itsm.asSystem('the spec', 'repair')]
    const person = async (system: typeof customer, account: string) => {
      const body = { name: account, primary_email: `someone@${account}.example` }
      const id = Number((await system.create('person', body))['id'])
      await itsm.grant(id, account, ['specialist'])
      return { id, as: itsm.as(id) }
    }
    const [ada, rob] = [await person(customer, 'customer'), await person(repair, 'repair')]
    const team = Number((await repair.create('team', { name: 'Repair', member_ids: [rob.id] }))['id'])
    const body = { subject: 'It leaks', category: 'other', team_id: team } as const
    const id = Number((await ada.as.create('request', body))['id'])
    for (const system of [customer, repair]) await system.create('webhook', { event: 'request.note-added', uri: at })
    const before = receiver.received.length
    await ada.as.update('request', id, { note: 'To both' })
    await ada.as.update('request', id, { internal_note: 'Of the customer' })
    await rob.as.update('request', id, { internal_note: 'Of the provider' })
    await rob.as.update('request', id, { note: 'To both again' })
    await itsm.start()
    try {
      await receiver.gets(before + 6)
    } finally {
      await itsm.stop()
    }
    const heard = receiver.received.slice(before).map(({ body }) => [String(body['account']), body['person_name']])
    const by = (account: string) => heard.filter(([of]) => of?.includes(`//${account}.`)).map(([, name]) => name)
    expect(by('customer')).to.deep.equal(['customer', 'customer', 'repair'])
    expect(by('repair')).to.deep.equal(['customer', 'repair', 'repair'])
    const texts = receiver.received.map(({ body }) => JSON.stringify(body)).join()
    expect(texts).to.not.match(/Of the|To both/)

    const again = createPlugin({
      baseUrl: 'https://desk.example/v1',
      secret: TEST_SECRET,
      database: { knex: database.lent },
      log: silent,
      webhooks: { allowPrivateAddresses: true },
    })
    await again.as(ada.id).update('request', id, { note: 'After the change, before the message' })
    await again.accounts.distrust('repair', 'customer')
    await again.start()
    try {
      await receiver.gets(before + 7)
    } finally {
      await again.stop()
    }
    expect(receiver.received.slice(before + 6).map(({ body }) => body['account'])).to.deep.equal([
      'https://customer.desk.example',
    ])
  }).timeout(30_000)
})
