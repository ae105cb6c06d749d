import { expect } from 'chai'
import { eventName, partsOfEvent } from '../../plugin/events/event-names.js'

describe('event names', () => {
  it('are the record type and the verb', () => {
    expect(eventName('project_task', 'status-changed')).to.equal('project_task.status-changed')
  })

  it('can be taken apart', () => {
    expect(partsOfEvent('project_task.note-added')).to.deep.equal({ type: 'project_task', verb: 'note-added' })
  })

  it('are nothing else', () => {
    for (const text of ['task', 'task.', '.create', 'task.deleted', 'task.create.update']) {
      expect(partsOfEvent(text), text).to.equal(null)
    }
  })
})
