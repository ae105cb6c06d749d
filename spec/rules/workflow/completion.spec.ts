import { expect } from 'chai'
import { AS_CALLER, type CallFacts } from '../../../plugin/core/call.js'
import { valuesOnlyWith } from '../../../plugin/rules/general/values-only-with.js'
import { notBoth, pendingWith } from '../../../plugin/rules/requests/pending.js'
import { completedByReason } from '../../../plugin/rules/workflow/completion.js'
import { run } from '../context.js'

describe('rules about statuses', () => {
  describe('completedByReason', () => {
    const use = completedByReason('status', { reason: 'why', completed: 'done', open: 'new', computed: 'found' })
    const result = async (before: object | null, next: object, more: object = {}) => {
      const outcome = await run(use, { before: before as never, next: { ...next }, ...more })
      return outcome.fails[0] ?? outcome.next['status']
    }

    it('completes the record when a reason is given, and opens it when the reason is taken away', async () => {
      expect(await result(null, { why: 'lost' })).to.equal('done')
      expect(await result({ status: 'busy', why: null }, { why: 'lost' })).to.equal('done')
      expect(await result({ status: 'done', why: 'lost' }, { why: null })).to.equal('new')
      expect(await result({ status: 'busy', why: 'lost' }, { why: null })).to.equal('busy')
    })
    it('leaves the status as it is otherwise', async () => {
      expect(await result(null, { why: null })).to.equal('new')
      expect(await result({ status: 'busy', why: null }, { subject: 'x' })).to.equal('busy')
      expect(await result({ status: 'done', why: 'lost' }, { why: 'found' })).to.equal('done')
    })
    it('takes the status that the record has, and refuses any other', async () => {
      expect(await result(null, { status: 'new' })).to.equal('new')
      expect(await result({ status: 'busy', why: null }, { status: 'busy' })).to.equal('busy')
      expect(await result({ status: 'busy', why: null }, { status: 'done', why: 'lost' })).to.equal('done')
      expect(await result(null, { status: 'busy' })).to.deep.equal(['status', 'cannot_be_changed'])
      expect(await result({ status: 'busy', why: null }, { status: 'done' })).to.deep.equal(['status', 'cannot_be_changed'])
    })
    const settling: CallFacts = { ...AS_CALLER, bypassesPermissions: true, setsReadOnly: true, reason: 'settling of thing' }
    it('knows that somebody has given the reason, even the same one, and leaves what settling finds', async () => {
      const found = async (next: object, more: object = {}) =>
        (await run(use, { before: { status: 'done', why: 'lost', found: true }, next: { ...next }, ...more })).next['found']
      expect(await found({ subject: 'x' })).to.equal(true)
      expect(await found({ why: 'lost' })).to.equal(false)
      expect(await found({ why: null })).to.equal(false)
      expect(await found({ why: 'stolen', found: true }, { facts: settling })).to.equal(true)
    })
    it('lets imports bring a status', async () => {
      expect(await result(null, { status: 'busy' }, { origin: 'import' })).to.equal('busy')
    })
  })

  describe('pendingWith', () => {
    const settings = { status: 'status', pending: 'pending', otherwise: 'assigned', final: ['solved'] }
    const use = pendingWith('change', settings)
    const status = async (before: object | null, next: object) =>
      (await run(use, { refs: { change: 'change' }, before: before as never, next: { ...next } })).next['status']

    it('waits when the reference is set, and goes on when it is cleared', async () => {
      expect(await status({ status: 'assigned', change_id: null }, { change_id: 3 })).to.equal('pending')
      expect(await status({ status: 'pending', change_id: 3 }, { change_id: null })).to.equal('assigned')
    })
    it('does not wait for what is completed already', async () => {
      const stored = { change: [{ id: 3, status: 'completed' }] }
      const statusOf = async (before: object) =>
        (await run(use, { refs: { change: 'change' }, stored, before: before as never, next: { change_id: 3 } })).next['status']
      expect(await statusOf({ status: 'accepted', change_id: null })).to.equal('accepted')
      expect(await statusOf({ status: 'pending', change_id: 2 })).to.equal('assigned')
    })
    it('leaves the status alone that the caller sends', async () => {
      expect(await status({ status: 'assigned', change_id: null }, { change_id: 3, status: 'accepted' })).to.equal('accepted')
    })
    it('leaves records alone that are at their end, that do not wait, and whose reference stays', async () => {
      expect(await status({ status: 'solved', change_id: null }, { change_id: 3 })).to.equal('solved')
      expect(await status({ status: 'accepted', change_id: 3 }, { change_id: null })).to.equal('accepted')
      expect(await status({ status: 'accepted', change_id: 3 }, { subject: 'x' })).to.equal('accepted')
    })
  })

  describe('notBoth', () => {
    const use = notBoth('change', 'project', { code: 'one_only' })
    const refs = { change: 'change', project: 'project' }
    const fails = async (before: object | null, next: object) =>
      (await run(use, { refs, before: before as never, next: { ...next } })).fails
    it('refuses the one that is new', async () => {
      expect(await fails(null, { change_id: 1, project_id: 2 })).to.deep.equal([['project', 'one_only']])
      expect(await fails({ change_id: null, project_id: 2 }, { change_id: 1 })).to.deep.equal([['change', 'one_only']])
    })
    it('takes one of them, and one in place of the other', async () => {
      expect(await fails(null, { change_id: 1 })).to.deep.equal([])
      expect(await fails({ change_id: null, project_id: 2 }, { change_id: 1, project_id: null })).to.deep.equal([])
    })
    it('does not come back to what was there before', async () => {
      expect(await fails({ change_id: 1, project_id: 2 }, { subject: 'x' })).to.deep.equal([])
    })
  })

  describe('valuesOnlyWith', () => {
    const use = valuesOnlyWith('status', { values: ['approved'], field: 'category', among: ['approval'], code: 'no' })
    const fails = async (before: object | null, next: object) =>
      (await run(use, { before: before as never, next: { ...next } })).fails
    it('refuses the value without one of the others', async () => {
      expect(await fails(null, { status: 'approved', category: 'work' })).to.deep.equal([['status', 'no']])
      expect(await fails({ status: 'approved', category: 'approval' }, { category: 'work' })).to.deep.equal([['status', 'no']])
    })
    it('takes it with one of them, and other values with all', async () => {
      expect(await fails(null, { status: 'approved', category: 'approval' })).to.deep.equal([])
      expect(await fails(null, { status: 'open', category: 'work' })).to.deep.equal([])
    })
    it('does not come back to what was there before', async () => {
      expect(await fails({ status: 'approved', category: 'work' }, { subject: 'x' })).to.deep.equal([])
    })
  })
})
