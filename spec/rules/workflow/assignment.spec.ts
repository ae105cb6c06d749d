import { expect } from 'chai'
import { endsAsTask, goesToManager } from '../../../plugin/rules/workflow/assignment.js'
import { run, type Surroundings } from '../context.js'

describe('goesToManager', () => {
  const rule = goesToManager('member', { field: 'status', values: ['declined'], team: 'team' })
  const refs = { member: 'person', team: 'team' }
  const stored = {
    person: [
      { id: 1, disabled: false },
      { id: 2, disabled: true },
    ],
    team: [
      { id: 5, disabled: false },
      { id: 6, disabled: false },
      { id: 7, disabled: true },
    ],
  }
  const links = ['team 6 members 1', 'team 7 members 1']
  const before = { status: 'open', member_id: 3, team_id: 5, manager_id: 1 }
  for (const [name, about, next] of [
    ['names the manager and a team of the manager', {}, { member_id: 1, team_id: 6 }],
    ['keeps the team of a manager who is in it', { before: { ...before, team_id: 6 } }, { member_id: 1, team_id: 6 }],
    ['keeps the team of a manager without one', { links: [] }, { member_id: 1, team_id: 5 }],
    ['leaves a disabled manager out', { before: { ...before, manager_id: 2 } }, { member_id: null, team_id: 5 }],
    ['keeps the member without a manager', { before: { ...before, manager_id: null } }, { member_id: 3, team_id: 5 }],
    ['keeps who is in the body', { next: { status: 'declined', member: 4, member_id: 4 } }, { member_id: 4, team_id: 5 }],
    ['leaves other values', { next: { status: 'accepted' } }, { member_id: 3, team_id: 5 }],
    ['happens once', { before: { ...before, status: 'declined' } }, { member_id: 3, team_id: 5 }],
  ] as const satisfies readonly (readonly [string, Surroundings, object])[]) {
    it(name, async () => {
      const outcome = await run(rule, { refs, stored, links, before, next: { status: 'declined' }, ...about })
      expect(outcome.next).to.include(next)
    })
  }
})

describe('endsAsTask', () => {
  const rule = endsAsTask('status')
  const stored = {
    task: [
      { id: 1, category: 'approval' },
      { id: 2, category: 'implementation' },
    ],
  }
  for (const [owner_id, status, isRefused] of [
    [1, 'approved', false],
    [1, 'rejected', false],
    [1, 'completed', true],
    [1, 'failed', true],
    [1, 'canceled', false],
    [1, 'accepted', false],
    [2, 'approved', true],
    [2, 'rejected', true],
    [2, 'completed', false],
    [2, 'failed', false],
    [2, 'waiting_for', false],
  ] as const) {
    it(`${isRefused ? 'refuses' : 'accepts'} ${status} in a task of the category ${stored.task[owner_id - 1]?.category}`, async () => {
      const next = { owner_type: 'task', owner_id, status }
      expect((await run(rule, { stored, next })).fails).to.deep.equal(isRefused ? [['status', 'not_for_category']] : [])
      expect((await run(rule, { stored, before: next, next: {} })).fails).to.deep.equal([])
    })
  }
})
