/** Random workflows, step by step. A failure names the seed with which it can be run again. */
import { expect } from 'chai'
import type { Instant } from '../../../plugin/core/clock.js'
import type { Approval } from '../../../plugin/rules/workflow/approvals.js'
import { isDone, isFinished, isHalting, isInHand, isRegistered } from '../../../plugin/rules/workflow/statuses.js'
import { advance, verdictOnApproval } from '../../../plugin/rules/workflow/workflow.js'
import { predecessorsOf, type WorkflowTask } from '../../../plugin/rules/workflow/workflow-task.js'
import type { LinkPair } from '../../../plugin/schema/language/define-settling.js'
import { seeded } from '../../support/minute-by-minute.js'

const BEGIN = Date.parse('2026-11-21T09:30:00Z')
const HOUR = 3_600_000
const instantAt = (milliseconds: number): Instant => `${new Date(milliseconds).toISOString().slice(0, 19)}Z`
const afterWork = (_task: WorkflowTask, moment: Instant, minutes: number) => instantAt(Date.parse(moment) + minutes * 60_000)

type Stored = { -readonly [K in keyof WorkflowTask]: WorkflowTask[K] } & {
  completion_target_at: Instant | null
  starts_at: Instant | null
}
type Chance = () => number
type Decision = { -readonly [K in keyof Approval]: Approval[K] }

/** A workflow that is stored in memory, as the pipeline stores it. */
function simulate(tasks: readonly Stored[], links: readonly LinkPair[], decisions: Map<number, Decision[]>) {
  const byId = new Map(tasks.map((task) => [task.id, task]))
  const order = [...links]
  const starts = new Map<number, number>()
  let now = BEGIN
  let startAt: Instant | null = null

  const setStatus = (task: Stored, status: string) => {
    if (task.status === status) return
    if (isInHand(status) && !isInHand(task.status)) task.assigned_at = instantAt(now)
    if (isRegistered(status)) {
      task.assigned_at = null
      starts.delete(task.id)
    }
    task.finished_at = isFinished(status) ? (task.finished_at ?? instantAt(now)) : null
    task.status = status
  }
  const step = (at: number, stored: readonly WorkflowTask[] = tasks) =>
    advance({
      tasks: stored,
      order,
      startAt,
      createdAt: instantAt(BEGIN),
      now: instantAt(at),
      decisionsOf: (id) => decisions.get(id) ?? [],
      verdict: verdictOnApproval,
      afterWork,
    })
  /** Saves what a step changes, until nothing changes any more. */
  const settle = () => {
    const before = predecessorsOf(tasks, order)
    for (let round = 0; ; round += 1) {
      expect(round, 'rounds').to.be.below(5)
      const { tasks: values, decisions: asked } = step(now)
      let isChanged = false
      for (const [id, { status, ...times }] of values) {
        const task = byId.get(id)
        if (!task) throw new Error('A value of no task')
        if (status !== task.status) {
          isChanged = true
          if (isRegistered(task.status)) {
            const isFree = (before.get(id) ?? []).every((other) => isDone(String(values.get(other)?.['status'])))
            expect(isFree, `task ${id} begins before its predecessors`).to.equal(true)
            expect((task.start_at ?? '') <= instantAt(now), `task ${id} begins before its time`).to.equal(true)
            starts.set(id, (starts.get(id) ?? 0) + 1)
            expect(starts.get(id), `starts of task ${id}`).to.equal(1)
          }
          setStatus(task, String(status))
        }
        for (const [name, value] of Object.entries(times)) {
          if (task[name as keyof Stored] !== value) isChanged = true
          Object.assign(task, { [name]: value })
        }
      }
      for (const [id, { status }] of asked) {
        const decision = [...decisions.values()].flat().find((one) => one.id === id)
        if (!decision) throw new Error('A value of no decision')
        expect(status).to.not.equal(decision.status)
        decision.status = String(status)
        isChanged = true
      }
      if (!isChanged) return
    }
  }
  return {
    ...{ tasks, decisions, order, setStatus, settle },
    wait(hours: number) {
      now += hours * HOUR
    },
    /** Waits for the next task that waits for nothing but its time. */
    waitForStart() {
      const [next] = tasks.flatMap(({ starts_at }) => starts_at ?? []).sort()
      if (next) now = Math.max(now, Date.parse(next))
    },
    startAt(at: Instant | null) {
      startAt = at
    },
    /** Time alone changes nothing until a task starts, and nothing depends on times that were expected before. */
    expectSteady() {
      const [next = now + HOUR] = tasks.flatMap(({ starts_at }) => (starts_at ? Date.parse(starts_at) - 1000 : [])).sort()
      const forgotten = tasks.map((task) => (isRegistered(task.status) ? { ...task, anticipated_assignment_at: null } : task))
      for (const { tasks: values, decisions: asked } of [step(Math.min(next, now + HOUR)), step(now, forgotten)]) {
        expect(asked.size).to.equal(0)
        for (const task of tasks) {
          const { status, starts_at, anticipated_assignment_at, completion_target_at } = task
          expect(values.get(task.id), `task ${task.id}`).to.deep.equal({
            status,
            starts_at,
            anticipated_assignment_at,
            completion_target_at,
          })
        }
      }
    },
    expectNotStuck() {
      const isHalted = tasks.some(({ status }) => isHalting(status))
      const isOver = tasks.every(({ status }) => isDone(status))
      const isGoing = tasks.some(({ status, starts_at }) => isInHand(status) || (starts_at ?? '') > instantAt(now))
      if (!isHalted && !isOver) expect(isGoing).to.equal(true)
    },
  }
}

/** A graph without cycles: a task may wait for those that come before it in a random order of the ids. */
function graph(chance: Chance, many: number) {
  const pick = (below: number) => Math.floor(chance() * below)
  const ids = Array.from({ length: many }, (_, index) => index + 1)
  const shuffled = ids.map((id) => [chance(), id] as const).sort(([a], [b]) => a - b)
  const order: LinkPair[] = []
  const decisions = new Map<number, Decision[]>()
  for (const [index, [, from]] of shuffled.entries()) {
    const others = new Set(Array.from({ length: index === 0 ? 0 : pick(4) }, () => shuffled[pick(index)]?.[1] ?? 0))
    for (const to of others) if (to > 0) order.push({ from, to })
  }
  const tasks = ids.map((id): Stored => {
    const isApproval = chance() < 0.3
    const approvers = isApproval ? 1 + pick(4) : 0
    decisions.set(
      id,
      Array.from({ length: approvers }, (_, index) => ({ id: id * 10 + index, status: 'registered', person: index + 1 })),
    )
    return {
      ...{ id, status: 'registered', category: isApproval ? 'approval' : 'implementation', start_at: null, starts_at: null },
      ...{ required_approvals: 1 + pick(Math.max(1, approvers)), planned_duration: pick(3) === 0 ? 0 : pick(10_001) },
      ...{ assigned_at: null, finished_at: null, anticipated_assignment_at: null, completion_target_at: null },
    }
  })
  return { tasks, order, decisions, ranks: shuffled.map(([, id]) => id) }
}

/** Some of the tasks do not begin before a time. */
function withStarts(chance: Chance, plan: ReturnType<typeof graph>): ReturnType<typeof graph> {
  const start = () => (chance() < 0.3 ? instantAt(BEGIN + Math.floor(chance() * 500) * HOUR) : null)
  return { ...plan, tasks: plan.tasks.map((task) => ({ ...task, start_at: start() })) }
}

const copyOf = ({ tasks, order, decisions }: ReturnType<typeof graph>) =>
  simulate(
    tasks.map((task) => ({ ...task })),
    order,
    new Map([...decisions].map(([id, list]) => [id, list.map((one) => ({ ...one }))])),
  )

const someOf = <T>(chance: Chance, list: readonly T[], most: number): readonly T[] => {
  const many = 1 + Math.floor(chance() * Math.min(most, list.length))
  return list
    .map((one) => [chance(), one] as const)
    .sort(([a], [b]) => a - b)
    .slice(0, many)
    .map(([, one]) => one)
}

describe('random workflows', () => {
  const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000)
  const runs = (many: number, run: (chance: Chance) => void) => {
    for (let number = 0; number < many; number += 1) {
      try {
        run(seeded(seed + number))
      } catch (error) {
        if (error instanceof Error) error.message += ` (SEED=${seed + number})`
        throw error
      }
    }
  }
  const sizes = [1, 2, 3, 5, 10, 30, 200]
  const sizeFor = (chance: Chance) => sizes[Math.floor(chance() * sizes.length)] ?? 1

  it('get to their end, whatever fails, is canceled, rejected or registered again', () => {
    runs(14, (chance) => {
      const work = copyOf(withStarts(chance, graph(chance, sizeFor(chance))))
      if (chance() < 0.3) work.startAt(instantAt(BEGIN - HOUR))
      work.settle()
      for (let steps = 0; work.tasks.some(({ status }) => !isDone(status)); steps += 1) {
        expect(steps, 'steps').to.be.below(2000)
        work.wait(Math.floor(chance() * 100))
        if (chance() < 0.2) work.waitForStart()
        work.settle()
        const open = work.tasks.filter(({ status }) => isInHand(status) || isHalting(status))
        const again: Stored[] = []
        for (const task of someOf(chance, open, 5 + work.tasks.length / 10)) {
          const decisions = work.decisions.get(task.id) ?? []
          const asked = decisions.filter(({ status }) => status === 'assigned')
          const luck = chance()
          if (isHalting(task.status)) {
            work.setStatus(task, luck < 0.7 ? 'registered' : 'canceled')
            if (isRegistered(task.status)) again.push(task)
          } else if (luck < 0.05) work.setStatus(task, 'canceled')
          else if (luck < 0.1) work.setStatus(task, 'registered')
          else if (luck < 0.2) work.setStatus(task, chance() < 0.5 ? 'accepted' : 'waiting_for')
          else if (task.category !== 'approval') work.setStatus(task, chance() < 0.1 ? 'failed' : 'completed')
          else for (const one of someOf(chance, asked, 2)) one.status = chance() < 0.2 ? 'rejected' : 'approved'
        }
        // Somebody else cancels what has not begun.
        const registered = work.tasks.filter(({ status }) => isRegistered(status))
        if (registered.length > 0 && chance() < 0.05)
          for (const task of someOf(chance, registered, 2)) work.setStatus(task, 'canceled')
        work.settle()
        for (const { id, status } of again) {
          // Canceled before it could begin again.
          if (status === 'canceled') continue
          const asked = new Set((work.decisions.get(id) ?? []).map((one) => one.status))
          expect(isHalting(status), `task ${id} halts again`).to.equal(false)
          expect([...asked], `decisions of task ${id}`).to.deep.equal(asked.size === 0 ? [] : [status])
        }
        work.expectNotStuck()
        work.expectSteady()
      }
    })
  })

  it('get to their end, although they are changed on the way', () => {
    runs(14, (chance) => {
      const plan = withStarts(chance, graph(chance, sizeFor(chance)))
      const work = copyOf(plan)
      const decisionsOf = (id: number) => work.decisions.get(id) ?? []
      const ask = (task: Stored) => {
        const people = decisionsOf(task.id)
        const person = Math.max(0, ...people.map((one) => one.person)) + 1
        // No decision of the plan has such an id.
        work.decisions.set(task.id, [...people, { id: 1_000_000 + task.id * 1000 + person, status: 'registered', person }])
      }
      const disturb = [
        // A task is moved behind another one, and in front of it again.
        () => {
          const [one, other] = someOf(chance, plan.ranks, 2)
          if (one === undefined || other === undefined) return
          const [to, from] = plan.ranks.indexOf(one) < plan.ranks.indexOf(other) ? [one, other] : [other, one]
          const known = work.order.findIndex((link) => link.from === from && link.to === to)
          if (known < 0) work.order.push({ from, to })
          else work.order.splice(known, 1)
        },
        // A decision is withdrawn.
        () => {
          const asked = work.tasks.filter(({ status }) => isInHand(status)).flatMap(({ id }) => decisionsOf(id))
          for (const one of someOf(chance, asked, 2)) if (isFinished(one.status)) one.status = 'assigned'
        },
        // Approvers come and go, and so does the number that is needed.
        () => {
          for (const task of someOf(chance, work.tasks, 2)) {
            if (task.category !== 'approval' || isFinished(task.status)) continue
            if (chance() < 0.5) ask(task)
            else work.decisions.set(task.id, decisionsOf(task.id).slice(1))
            task.required_approvals = 1 + Math.floor(chance() * 3)
          }
        },
        // The earliest start is moved, or removed.
        () => {
          for (const task of someOf(chance, work.tasks, 2))
            task.start_at = chance() < 0.3 ? null : instantAt(BEGIN + Math.floor(chance() * 500) * HOUR)
        },
        // What is finished is taken up again, and its approvers are asked again.
        () => {
          const finished = work.tasks.filter(({ status }) => isFinished(status))
          for (const task of someOf(chance, finished, 2)) {
            work.setStatus(task, chance() < 0.5 ? 'assigned' : 'in_progress')
            for (const one of decisionsOf(task.id)) if (isFinished(one.status)) one.status = 'assigned'
          }
        },
      ]
      work.settle()
      for (let steps = 0; work.tasks.some(({ status }) => !isDone(status)); steps += 1) {
        expect(steps, 'steps').to.be.below(2000)
        work.wait(Math.floor(chance() * 10))
        if (chance() < 0.3) work.waitForStart()
        work.settle()
        if (steps < 40) disturb[Math.floor(chance() * disturb.length)]?.()
        const open = work.tasks.filter(({ status }) => isInHand(status) || isHalting(status))
        for (const task of someOf(chance, open, 3 + work.tasks.length / 10)) {
          if (isHalting(task.status)) work.setStatus(task, 'registered')
          else if (task.category !== 'approval') work.setStatus(task, chance() < 0.1 ? 'failed' : 'completed')
          else if (decisionsOf(task.id).length === 0) work.setStatus(task, 'approved')
          else {
            for (const one of someOf(chance, decisionsOf(task.id), 2)) one.status = chance() < 0.1 ? 'rejected' : 'approved'
            if (decisionsOf(task.id).length < (task.required_approvals ?? 1)) ask(task)
          }
        }
        work.settle()
        work.expectNotStuck()
        work.expectSteady()
      }
    })
  })

  it('have the same result in whatever order, one by one or several at once', () => {
    runs(6, (chance) => {
      const plan = graph(chance, sizeFor(chance))
      const results = [1, 5, 200].map((most) => {
        const work = copyOf(plan)
        work.settle()
        while (work.tasks.some(({ status }) => !isDone(status))) {
          const open = work.tasks.filter(({ status }) => isInHand(status))
          expect(open, 'tasks in hand').to.not.have.length(0)
          for (const task of someOf(chance, open, most)) {
            for (const one of work.decisions.get(task.id) ?? []) one.status = 'approved'
            if (task.category !== 'approval') work.setStatus(task, 'completed')
          }
          work.settle()
        }
        return [work.tasks, [...work.decisions]]
      })
      expect(results[1]).to.deep.equal(results[0])
      expect(results[2]).to.deep.equal(results[0])
    })
  })

  it('wait for their start, and begin once it is there', () => {
    runs(20, (chance) => {
      const work = copyOf(graph(chance, sizeFor(chance)))
      work.startAt(instantAt(BEGIN + 10 * HOUR))
      work.settle()
      expect(work.tasks.every(({ status }) => isRegistered(status))).to.equal(true)
      work.wait(10)
      work.settle()
      work.expectNotStuck()
      work.expectSteady()
    })
  })
})
