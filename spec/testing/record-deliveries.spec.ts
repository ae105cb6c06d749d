import { expect } from 'chai'
import { createPlugin } from '../../plugin/index.js'
import { recordDeliveries } from '../../plugin/testing/index.js'
import { withDatabase } from '../support/database.js'
import { errorOf } from '../support/house.js'
import { withNock } from '../support/nock.js'
import { silent, TEST_SECRET } from '../support/settings.js'

describe('testing/record-deliveries', () => {
  const database = withDatabase()
  const { nock, fetch } = withNock()

  it('keeps what a receiver with a name of its own would get, and answers in its place', async () => {
    const recorder = recordDeliveries(nock, 'https://hooks.widgets.example', (_, index) => (index === 0 ? 503 : 204))
    const itsm = createPlugin({
      baseUrl: 'https://desk.example/v1',
      secret: TEST_SECRET,
      database: { knex: database.lent },
      log: silent,
      webhooks: { fetch },
    })
    await itsm.accounts.put({ id: 'acme', name: 'Acme' })
    const system = itsm.asSystem('the spec', 'acme')
    const uri = 'https://hooks.widgets.example/sites?secret=1'
    for (const event of ['organization.create', 'organization.update']) await system.create('webhook', { event, uri })
    await itsm.start()
    try {
      const { id } = await system.create('organization', { name: 'Widgets' })
      await recorder.gets(1)
      await system.update('organization', Number(id), { name: 'Widgets Ltd' })
      await recorder.gets(2)
      expect(recorder.deliveries.map(({ path, body }) => [path, body['event'], body['object_id']])).to.deep.equal([
        ['/sites?secret=1', 'organization.create', String(id)],
        ['/sites?secret=1', 'organization.update', String(id)],
      ])
      expect(recorder.deliveries[0]?.headers['content-type']).to.equal('application/x-www-form-urlencoded; charset=utf-8')
      expect(recorder.deliveries[0]?.headers['link']).to.include(
        `<https://desk.example/v1/organizations/${id}>; rel="resource"`,
      )
    } finally {
      await itsm.stop()
    }
  })

  it('says how many came when there are fewer than expected', async () => {
    const recorder = recordDeliveries(nock, 'https://hooks.widgets.example')
    await fetch('https://hooks.widgets.example/', {
      method: 'POST',
      headers: {},
      body: 'event=task.create',
      redirect: 'manual',
      signal: new AbortController().signal,
    })
    const error = await errorOf(recorder.gets(2, 20))
    expect(error.message).to.equal('1 of 2 deliveries arrived within 20 ms')
    expect(recorder.deliveries[0]?.body).to.deep.equal({ event: 'task.create' })
  })
})
