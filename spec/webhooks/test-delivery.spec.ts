import { expect } from 'chai'
import Koa from 'koa'
import type { Call } from '../../plugin/core/call.js'
import { createPlugin } from '../../plugin/index.js'
import { serving } from '../http/client.js'
import { withDatabase } from '../support/database.js'
import { startReceiver } from '../support/receiver.js'
import { silent, TEST_SECRET } from '../support/settings.js'
import { withWebhooks } from '../support/webhooks.js'

const INES = { actor: { id: 7, name: 'Ines' } } as Call

describe('a test delivery', () => {
  describe('to a receiver', () => {
    const world = withWebhooks()
    const lastError = async () => (await world.rows('webhooks'))[0]?.['last_error']

    it('is about the record 12345 and says who asked for it', async () => {
      const receiver = await startReceiver()
      const webhook = {
        id: 4,
        accountId: 'acme',
        name: 'Portal',
        event: 'request.note-added',
        uri: receiver.url,
        disabled: true,
      }
      const { test, close } = world.deliveries()
      ;(await test(INES, webhook)).begin()
      await receiver.gets(1)
      await close()
      await receiver.close()
      expect(receiver.received.map(({ body }) => body)).to.deep.equal([
        {
          webhook_id: '4',
          account: 'https://acme.example.com',
          name: 'Portal',
          event: 'request.note-added',
          object_id: '12345',
          person_id: '7',
          person_name: 'Ines',
        },
      ])
      expect(receiver.received[0]?.headers['link']).to.equal(
        '<https://acme.example.com/requests/12345>; rel="canonical", <https://api.example.com/v1/requests/12345>; rel="resource"',
      )
    })

    it('leaves how it ended with the webhook, and nothing else', async () => {
      const answers = [410, 204]
      const receiver = await startReceiver({ answer: () => answers.shift() ?? 500 })
      const id = await world.addWebhook({ uri: receiver.url, disabled: true })
      const webhook = { id, accountId: 'acme', name: 'Portal', event: 'person.update', uri: receiver.url }
      const results: unknown[] = []
      for (const _ of [1, 2]) {
        const { test, close, deliverDue } = world.deliveries()
        ;(await test(INES, webhook)).begin()
        await close()
        results.push(await lastError())
        expect(await deliverDue()).to.deep.equal({ delivered: 0, failed: 0, next: null })
      }
      await receiver.close()
      expect(results).to.deep.equal(['410 Gone', null])
      const [row] = await world.rows('webhooks')
      expect(row).to.include({ updated_at: '2026-11-01 00:00:00' })
      expect([await world.rows('webhook_health'), world.mails]).to.deep.equal([[], []])
    })

    it('says nothing of an address that the webhook no longer has', async () => {
      const receiver = await startReceiver({ answer: () => 410 })
      const id = await world.addWebhook({ uri: 'https://new.example/' })
      const { test, close } = world.deliveries()
      ;(await test(INES, { id, accountId: 'acme', name: 'Portal', event: 'person.update', uri: receiver.url })).begin()
      await close()
      await receiver.close()
      expect(await lastError()).to.equal(null)
    })

    it('is made once more, and not more often, when it is asked for while one is under way', async () => {
      let release = () => {}
      const asked = new Promise<void>((resolve) => {
        release = resolve
      })
      const receiver = await startReceiver({
        answer: async (_, index) => {
          if (index === 0) await asked
          return 200
        },
      })
      const id = await world.addWebhook({ uri: receiver.url })
      const webhook = { id, accountId: 'acme', name: 'Portal', event: 'person.update', uri: receiver.url }
      const { test, close } = world.deliveries()
      for (let times = 0; times < 20; times++) (await test(INES, webhook)).begin()
      await receiver.gets(1)
      release()
      await receiver.gets(2)
      await close()
      ;(await test(INES, webhook)).begin()
      await receiver.close()
      expect(receiver.received).to.have.length(2)
    })
  })

  describe('that is asked for', () => {
    const database = withDatabase()

    it('is answered at once, however long the receiver takes, and says who we are', async () => {
      let release = () => {}
      const answered = new Promise<void>((resolve) => {
        release = resolve
      })
      const receiver = await startReceiver({
        answer: async () => {
          await answered
          return 503
        },
      })
      const itsm = createPlugin({
        baseUrl: 'https://desk.example/api/v1',
        secret: TEST_SECRET,
        database: { knex: database.lent },
        log: silent,
        webhooks: { allowPrivateAddresses: true },
        people: { signedIn: async () => ({ email: 'ada@acme.example' }) },
      })
      await itsm.accounts.put({ id: 'acme', name: 'Acme' })
      const system = itsm.asSystem('the spec', 'acme')
      const ada = await system.create('person', { name: 'Ada', primary_email: 'ada@acme.example' })
      await itsm.grant(Number(ada['id']), 'acme', ['account_administrator'])
      const { id } = await system.create('webhook', { event: 'request.create', uri: `${receiver.url}/hook`, disabled: true })
      const host = new Koa()
      host.proxy = true
      host.use(itsm.middleware)
      const status = await serving(host, async ({ send }) => {
        const headers = { 'X-Forwarded-Proto': 'https' }
        return (await send(`/v1/webhooks/${id}/test`, { method: 'POST', headers })).status
      })
      expect(status).to.equal(204)
      expect((await system.read('webhook', Number(id)))['last_error']).to.equal(null)
      await receiver.gets(1)
      release()
      await itsm.stop()
      await receiver.close()
      expect(receiver.received[0]?.headers['user-agent']).to.match(
        /^koa-itsm\/\d+\.\d+\.\d+ \(https:\/\/desk\.example\/api\/v1\/openapi\.json\)$/,
      )
      expect((await system.read('webhook', Number(id)))['last_error']).to.equal('503 Service Unavailable')
    })
  })
})
