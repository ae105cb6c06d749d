import { expect } from 'chai'
import { createRelay } from '../../plugin/events/relay.js'
import { readMessages } from '../../plugin/storage/queues/messages.js'
import { render } from '../../plugin/webhooks/render.js'
import { readWebhooks } from '../../plugin/webhooks/webhook-rows.js'
import { partsOf, type WorldParts, withWebhooks } from '../support/webhooks.js'

const URI = 'https://receiver.example.com/'

describe('planning deliveries', () => {
  const world = withWebhooks()

  async function relay(deps: Partial<WorldParts> = {}): Promise<void> {
    const { plan } = world.deliveries(deps)
    await createRelay({ storage: world.storage, leases: world.leases(), log: world.log, receivers: [plan] }).run()
  }

  /** The delivery as it is sent. */
  async function rendered(row: Record<string, unknown> = {}) {
    const [message, target] = [Number(row['message']), Number(row['target'])]
    const { knex } = world.storage
    const told = (await readMessages(knex, world.storage, [message])).get(message)
    const webhook = (await readWebhooks(world.storage, knex, [target])).get(target)
    return told && webhook ? render(partsOf(world), webhook, told) : { body: '', link: '' }
  }

  async function form(row: Record<string, unknown> | undefined): Promise<Record<string, string>> {
    return Object.fromEntries(new URLSearchParams((await rendered(row)).body))
  }

  it('queues one delivery for each event and webhook, in order of occurrence', async () => {
    const first = await world.addWebhook({ uri: URI, name: 'First' })
    const second = await world.addWebhook({ uri: URI, name: 'Second' })
    await world.addWebhook({ uri: URI, event: 'request.update' })
    await world.addEvents({ recordId: 1 }, { recordId: 2 })
    await relay()
    const rows = await world.waiting()
    expect(rows.map((row) => [Number(row['target']), Number(row['object_id'])])).to.deep.equal([
      [first, 1],
      [second, 1],
      [first, 2],
      [second, 2],
    ])
    expect(rows[0]).to.include({ event: 'request.create', account_id: 'acme', attempts: 0, next_at: '2026-11-21 09:00:00.000' })
    expect(await form(rows[1])).to.deep.equal({
      webhook_id: String(second),
      account: 'https://acme.example.com',
      name: 'Second',
      event: 'request.create',
      object_id: '1',
      person_id: '7',
      person_name: 'Ines Álvarez',
      'payload[audit_line_id]': '31',
      'payload[status]': 'declared',
    })
    expect((await rendered(rows[1])).link).to.equal(
      '<https://acme.example.com/requests/1>; rel="canonical", <https://api.example.com/v1/requests/1>; rel="resource"',
    )
  })

  it('shows team and member with their accounts', async () => {
    const { knex, table } = world.storage
    await knex(table('teams')).insert({ id: 3, account_id: 'acme', name: 'Network', sourceID: 'NET-1', disabled: false })
    await knex(table('people')).insert({ id: 9, account_id: 'gone', name: 'Tom', disabled: true })
    await world.addWebhook({ uri: URI })
    await world.addEvents({ snapshot: { team_id: 3, member_id: 9 } }, { snapshot: { team_id: 404 } })
    await relay()
    const [both, none] = await world.waiting()
    expect(await form(both)).to.include({
      'payload[team][id]': '3',
      'payload[team][name]': 'Network',
      'payload[team][sourceID]': 'NET-1',
      'payload[team][account][id]': 'acme',
      'payload[team][account][name]': 'Acme',
      'payload[member][id]': '9',
      'payload[member][name]': 'Tom',
      'payload[member][account][id]': 'gone',
      'payload[member][account][name]': 'gone',
      'payload[member][disabled]': 'true',
    })
    expect(await form(both)).to.not.have.any.keys('payload[team][disabled]', 'payload[member][sourceID]')
    expect(Object.keys(await form(none)).filter((name) => name.startsWith('payload[team]'))).to.deep.equal([])
  })

  it('queues nothing for disabled webhooks', async () => {
    await world.addWebhook({ uri: URI, disabled: true })
    await world.addEvents({})
    await relay()
    expect(await world.waiting()).to.deep.equal([])
    expect(await world.rows('outbox')).to.deep.equal([])
  })

  it('queues nothing for webhooks of other accounts, unless they see the record', async () => {
    const { knex, table } = world.storage
    await knex(table('trusts')).insert({ account_id: 'provider', trusted_account_id: 'acme' })
    const id = await world.addWebhook({ uri: URI, account_id: 'provider' })
    await world.addWebhook({ uri: URI, account_id: 'stranger' })
    await world.addEvents({ recordId: 1 }, { recordId: 2 }, { recordId: 2, event: 'request.update' })
    const asked: unknown[] = []
    await relay({
      visibleIn: async (_, records, accounts) => {
        asked.push(records, accounts)
        return new Map([['request/2', new Set(['provider', 'stranger'])]])
      },
    })
    expect(asked).to.deep.equal([
      [
        { type: 'request', id: 1, accountId: 'acme' },
        { type: 'request', id: 2, accountId: 'acme' },
      ],
      ['provider'],
    ])
    const rows = await world.waiting()
    expect(rows.map((row) => [Number(row['target']), Number(row['object_id'])])).to.deep.equal([[id, 2]])
    expect((await form(rows[0]))['account']).to.equal('https://provider.example.com')
  })

  it('names a webhook without a name after its event', async () => {
    await world.addWebhook({ uri: URI, name: null })
    await world.addEvents({})
    await relay()
    expect((await form((await world.waiting())[0]))['name']).to.equal('request.create')
  })

  it('plans a thousand events', async () => {
    await world.addWebhook({ uri: URI })
    await world.addEvents(...Array.from({ length: 1000 }, (_, index) => ({ recordId: index + 1 })))
    await relay()
    expect((await world.waiting()).map((row) => Number(row['object_id']))).to.deep.equal(
      Array.from({ length: 1000 }, (_, index) => index + 1),
    )
  })
})
