import { expect } from 'chai'
import type { Call } from '../../plugin/core/call.js'
import { startReceiver } from '../support/receiver.js'
import { withWebhooks } from '../support/webhooks.js'

const INES = { actor: { id: 7, name: 'Ines' } } as Pick<Call, 'actor'>

describe('a test delivery', () => {
  const world = withWebhooks()

  it('is about the record 12345 and says who asked for it', async () => {
    const receiver = await startReceiver()
    const webhook = { id: 4, accountId: 'acme', name: 'Portal', event: 'request.note-added', uri: receiver.url, disabled: true }
    expect(await world.deliveries().test(webhook, INES)).to.deep.equal({ ok: true })
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

  it('is neither repeated nor counted nor mailed about when it fails', async () => {
    const receiver = await startReceiver({ answer: () => 410 })
    const id = await world.addWebhook({ uri: receiver.url })
    const { test, close, deliverDue } = world.deliveries()
    const webhook = { id, accountId: 'acme', name: 'Portal', event: 'person.update', uri: receiver.url }
    expect(await test(webhook, INES)).to.deep.equal({ ok: false, reason: '410 Gone' })
    expect(await deliverDue()).to.deep.equal({ delivered: 0, failed: 0, next: null })
    await close()
    await receiver.close()
    expect(await world.rows('webhook_health')).to.deep.equal([])
    expect(world.mails).to.deep.equal([])
  })
})
