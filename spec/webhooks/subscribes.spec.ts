import { expect } from 'chai'
import { createSubscribed } from '../../plugin/webhooks/subscribed.js'
import { subscribedNames, subscribes, whereSubscribed } from '../../plugin/webhooks/subscribes.js'
import { withWebhooks } from '../support/webhooks.js'

const URI = 'https://receiver.example.com/'

describe('the events of a webhook', () => {
  const world = withWebhooks()

  it('are its single event, and further ones, each once', () => {
    expect(subscribedNames({ event: 'request.create', events: null })).to.deep.equal(['request.create'])
    expect(subscribedNames({ event: 'request.create', events: '["task.*","request.create"]' })).to.deep.equal([
      'request.create',
      'task.*',
    ])
    expect(subscribedNames({ event: 'request.create', events: ['task.*'] })).to.deep.equal(['request.create', 'task.*'])
  })

  it('may be all of a record type, but of no other one', () => {
    expect(subscribes(['task.create'], 'task.create')).to.equal(true)
    expect(subscribes(['task.create'], 'task.update')).to.equal(false)
    expect(subscribes(['project_task.create', 'task.*'], 'task.status-changed')).to.equal(true)
    expect(subscribes(['task.*'], 'project_task.create')).to.equal(false)
    expect(subscribes(['project.*'], 'project_task.create')).to.equal(false)
  })

  it('are found in the database', async () => {
    const { knex, table } = world.storage
    const single = await world.addWebhook({ uri: URI, event: 'request.create' })
    const several = await world.addWebhook({ uri: URI, event: 'request.update', events: '["request.create","team.create"]' })
    const all = await world.addWebhook({ uri: URI, event: 'task.create', events: '["request.*"]' })
    await world.addWebhook({ uri: URI, event: 'task.create', events: '["task.*"]' })
    const found = await knex({ w: table('webhooks') })
      .where((one) => whereSubscribed(one, ['request.create', 'request.note-added'], 'w'))
      .where('account_id', 'acme')
      .orderBy('id')
      .pluck('id')
    expect(found.map(Number)).to.deep.equal([single, several, all])
  })

  it('are asked for after a commit, whether a webhook wants any of them', async () => {
    const subscribed = createSubscribed(world.storage)
    expect(await subscribed(['request.create'])).to.equal(false)
    await world.addWebhook({ uri: URI, event: 'task.create', events: '["request.*"]', disabled: true })
    expect(await subscribed(['request.create'])).to.equal(false)
    await world.addWebhook({ uri: URI, event: 'task.create', events: '["request.*"]' })
    expect(await subscribed(['person.create', 'request.create'])).to.equal(true)
    expect(await subscribed(['person.create'])).to.equal(false)
  })
})
