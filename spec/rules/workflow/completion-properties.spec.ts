/** The end of random changes and projects, for every way in which their tasks can end. A failure names the seed. */
import { expect } from 'chai'
import { changeWorkflow } from '../../../plugin/rules/workflow/change-workflow.js'
import { projectWorkflow } from '../../../plugin/rules/workflow/project-workflow.js'
import type { Json } from '../../../plugin/schema/kinds/fields.js'
import type { Settling } from '../../../plugin/schema/language/define-settling.js'
import { seeded } from '../../support/minute-by-minute.js'
import { NOW } from '../context.js'

type Stored = { [column: string]: Json }

const OF_APPROVALS = ['approved', 'rejected', 'canceled']
const OF_OTHERS = ['completed', 'failed', 'canceled']
const endingsOf = (task: Stored) => (task['category'] === 'approval' ? OF_APPROVALS : OF_OTHERS)

const KINDS = [
  {
    name: 'change',
    workflow: changeWorkflow as Settling,
    categories: ['risk_and_impact', 'approval', 'implementation'],
    reasons: ['withdrawn', 'rejected', 'rolled_back', 'partial', 'complete'],
  },
  {
    name: 'project',
    workflow: projectWorkflow as Settling,
    categories: ['activity', 'approval', 'milestone'],
    reasons: ['withdrawn', 'rejected', 'abandoned', 'partial', 'complete'],
  },
] as const

/** Status and reason by the words of the decision: counted from the tasks, without anything of the code. */
function expected(tasks: readonly Stored[], given: string | null): readonly [status: string, reason: string | null] {
  const count = (...statuses: readonly string[]) => tasks.filter(({ status }) => statuses.includes(String(status))).length
  if (given !== null) return ['completed', given]
  if (count('failed', 'rejected') > 0) return ['progress_halted', null]
  if (count('completed', 'approved') > 0) return ['completed', 'complete']
  return ['completed', 'withdrawn']
}

/** Stores what the settling decides, until nothing differs any more. */
function settle({ decide }: Settling, owner: Stored, tasks: readonly Stored[], order: readonly object[]): void {
  const facts = { order, approvals: [], assignments: [], phases: [], teams: [], calendars: new Map(), now: NOW, zone: 'UTC' }
  const store = (row: Stored, values: object | undefined) => {
    const differing = Object.entries(values ?? {}).filter(([name, value]) => (row[name] ?? null) !== value)
    Object.assign(row, Object.fromEntries(differing))
    return differing.length > 0
  }
  for (let round = 0; ; round += 1) {
    expect(round, 'rounds').to.be.below(5)
    const decision = (decide as (facts: object) => unknown)({ ...facts, owner, tasks }) as {
      readonly owner: object
      readonly tasks: ReadonlyMap<number, object>
    }
    const changes = [store(owner, decision.owner), ...tasks.map((task) => store(task, decision.tasks.get(Number(task['id']))))]
    if (!changes.includes(true)) return
  }
}

describe('the end of random', () => {
  const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000)
  for (const { name, workflow, categories, reasons } of KINDS) {
    it(`${name}s follows from their tasks alone, unless somebody has given the reason`, () => {
      for (let run = 0; run < 12; run += 1) {
        const chance = seeded(seed + run)
        const pick = <T>(list: readonly T[]): T => list[Math.floor(chance() * list.length)] as T
        const tasks = Array.from({ length: 1 + Math.floor(chance() * 5) }, (_, index): Stored => {
          const task = { id: index + 1, category: pick(categories), planned_duration: 1, assigned_at: NOW, finished_at: NOW }
          return { ...task, status: pick(endingsOf(task)) }
        })
        const order = tasks.flatMap((_, index) => (index > 0 && chance() < 0.5 ? [{ from: index + 1, to: index }] : []))
        const owner: Stored = {
          id: 1,
          created_at: NOW,
          status: 'registered',
          completion_reason: null,
          reason_from_tasks: false,
        }
        for (const given of [null, pick(reasons), null]) {
          // As the rule of the record stores it.
          if (given !== null) Object.assign(owner, { status: 'completed', completion_reason: given, reason_from_tasks: false })
          else Object.assign(owner, { status: 'registered', completion_reason: null, reason_from_tasks: false })
          for (const task of tasks) {
            for (const from of endingsOf(task)) {
              for (const to of endingsOf(task)) {
                for (const status of [from, to]) {
                  task['status'] = status
                  settle(workflow, owner, tasks, order)
                  const shown = `${tasks.map((one) => one['status'])}, given ${given}, SEED=${seed + run}`
                  expect([owner['status'], owner['completion_reason']], shown).to.deep.equal(expected(tasks, given))
                }
              }
            }
          }
          if (given === null) continue
          // Something to do opens it, and then nobody has given a reason any more.
          const task = pick(tasks)
          task['status'] = 'assigned'
          settle(workflow, owner, tasks, order)
          expect(owner, `SEED=${seed + run}`).to.include({ completion_reason: null, reason_from_tasks: false })
          expect(owner['status']).to.not.equal('completed')
          task['status'] = 'canceled'
        }
      }
    })
  }
})
