import { expect } from 'chai'
import { phaseOf } from '../../../plugin/rules/workflow/project-workflow.js'
import { NOW } from '../context.js'

const EARLIER = '2026-11-20T08:00:00Z'

describe('a phase', () => {
  for (const [name, stored, tasks, phase] of [
    ['without tasks', null, [], ['registered', null, null]],
    ['before its tasks', null, [['registered', null]], ['registered', null, null]],
    ['with a task that begins', null, [['assigned', null]], ['in_progress', NOW, null]],
    ['that has begun', EARLIER, [['in_progress', EARLIER]], ['in_progress', EARLIER, null]],
    ['whose task was canceled before it began', null, [['canceled', null]], ['completed', null, NOW]],
    ['whose task was canceled after it had begun', EARLIER, [['canceled', EARLIER]], ['completed', EARLIER, NOW]],
    [
      'with something left to do after a canceled task',
      EARLIER,
      [
        ['canceled', EARLIER],
        ['registered', null],
      ],
      ['in_progress', EARLIER, null],
    ],
    ['whose task is registered again', EARLIER, [['registered', null]], ['registered', null, null]],
    ['whose task has failed', EARLIER, [['failed', EARLIER]], ['completed', EARLIER, NOW]],
  ] as const) {
    it(`${name} is ${phase[0]}`, () => {
      const values = phaseOf(
        { started_at: stored, completed_at: null },
        tasks.map(([status, assigned_at]) => ({ status, assigned_at })),
        NOW,
      )
      expect([values['status'], values['started_at'], values['completed_at']]).to.deep.equal(phase)
    })
  }
})
