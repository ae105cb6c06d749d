import { expect } from 'chai'
import { filtersEvents, firstOfEvents } from '../../../plugin/rules/general/subscriptions.js'
import { run } from '../context.js'

const EVENTS = ['task.update', 'time_entry.delete', 'project.create', 'project_task.create']

describe('rules of records that ask for events', () => {
  describe('firstOfEvents', () => {
    const result = async (before: object | null, next: object) => {
      const rule = firstOfEvents('event', 'events')
      const about = { before: before as null, next: { ...before, ...next }, values: { event: EVENTS } }
      // What is given is what the new row has.
      return (await run(rule, { ...about, given: Object.keys(next) })).next['event']
    }

    it('takes the first of several, or the first of a type, where none is given', async () => {
      expect(await result(null, { event: null, events: ['task.update', 'project.create'] })).to.equal('task.update')
      expect(await result(null, { event: null, events: ['time_entry.*'] })).to.equal('time_entry.delete')
      expect(await result(null, { event: null, events: null })).to.equal(null)
      expect(await result(null, { event: 'project.create', events: ['task.update'] })).to.equal('project.create')
    })
    it('follows the several while these had it', async () => {
      const both = { event: 'task.update', events: ['task.*'] }
      expect(await result(both, { events: ['project.*'] })).to.equal('project.create')
      expect(await result(both, { events: ['project.*', 'task.update'] })).to.equal('task.update')
      expect(await result(both, { events: null })).to.equal('task.update')
      expect(await result({ event: 'task.update', events: ['project.create'] }, { events: ['time_entry.*'] })).to.equal(
        'task.update',
      )
      expect(await result(both, { event: 'task.update', events: ['project.*'] })).to.equal('task.update')
    })
  })

  describe('filtersEvents', () => {
    const fails = async (next: object, before: object | null = null) => {
      const mistakes = { project: 'no such field' }
      const row = { ...before, ...next }
      return (await run(filtersEvents('filter', 'event', 'events'), { before: before as null, next: row, mistakes })).fails
    }
    const refused = [['filter', 'filter_mistake', { type: 'project', mistake: 'no such field' }]]

    it('refuses a filter that does not fit one of the types', async () => {
      expect(await fails({ event: 'task.update', filter: 'a=1' })).to.deep.equal([])
      expect(await fails({ event: 'task.update', events: ['task.*', 'project.*'], filter: 'a=1' })).to.deep.equal(refused)
      expect(await fails({ event: 'project.create', events: null, filter: 'a=1' })).to.deep.equal(refused)
      expect(await fails({ event: 'project.create', events: null, filter: null })).to.deep.equal([])
    })
    it('looks at it again when the events change, and only then', async () => {
      const stored = { event: 'task.update', events: null, filter: 'a=1', name: 'x' }
      expect(await fails({ events: ['project.create'] }, stored)).to.deep.equal(refused)
      expect(await fails({ name: 'y' }, { ...stored, event: 'project.create' })).to.deep.equal([])
    })
  })
})
