import { expect } from 'chai'
import { ASKING_COLUMNS, askingOf, SENDING_COLUMNS, sendingOf } from '../../plugin/webhooks/webhook-columns.js'
import { withWebhooks } from '../support/webhooks.js'

describe('what a webhook asks for, in its row', () => {
  const world = withWebhooks()

  async function rowWith(values: object) {
    const { knex, table } = world.storage
    const id = await world.addWebhook({ uri: 'https://receiver.example.com/', ...values })
    return knex(table('webhooks'))
      .where({ id })
      .first(...ASKING_COLUMNS, ...SENDING_COLUMNS)
  }

  it('is the event alone, as a form with a reference, by default', async () => {
    const row = await rowWith({})
    expect(askingOf(row)).to.deep.equal({
      event: 'request.create',
      events: null,
      filter: null,
      exceptPersonId: null,
      disabled: false,
    })
    expect(sendingOf(row)).to.deep.equal({ contentType: 'form', payload: 'reference', headers: null, maxPerMinute: null })
  })

  it('is what was stored, on every database', async () => {
    const headers = '{"names":["X-Env"],"sealed":"AA=="}'
    const row = await rowWith({
      ...{ events: '["task.*"]', filter: 'team=4', except_person_id: 7, disabled: true },
      ...{ content_type: 'json', payload: 'changes', headers, max_per_minute: 60 },
    })
    expect(askingOf(row)).to.deep.equal({
      event: 'request.create',
      events: '["task.*"]',
      filter: 'team=4',
      exceptPersonId: 7,
      disabled: true,
    })
    expect(sendingOf(row)).to.deep.equal({ contentType: 'json', payload: 'changes', headers, maxPerMinute: 60 })
  })
})
