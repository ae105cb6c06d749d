/** State diagrams and tables of plugin/docs/lifecycles.md, built from the moves of the catalog and from those by hand. ADR 0031. */
import type { Catalog } from '../../plugin/schema/catalog.js'
import { type NamedMove, namedMoves, type StatusMove, statusesOf } from './status-moves.js'

/** A usual move that a person makes by setting the status. Any other one is possible, too, unless a rule refuses it. */
interface HandMove {
  readonly from: string
  readonly to: string
  readonly by: string
  readonly when: string
}

type Hand = readonly (readonly [from: string, to: string, by: string, when: string])[]

const REQUESTS: Hand = [
  ['assigned', 'accepted', 'a specialist', 'a member of the team takes it on'],
  ['assigned', 'declined', 'a specialist', 'the team does not take it'],
  ['declined', 'assigned', 'the coordinator', 'it is given to another team or member'],
  ['accepted', 'in_progress', 'the member', 'work begins'],
  ['in_progress', 'waiting_for', 'the member', 'nothing can be done until a known time'],
  ['in_progress', 'waiting_for_customer', 'the member', 'the requester has to answer a question'],
  ['in_progress', 'completed', 'the member', 'it is done'],
  ['completed', 'assigned', 'the service desk', 'the solution does not hold'],
]

const PROBLEMS: Hand = [
  ['assigned', 'accepted', 'a specialist', 'a member of the team takes it on'],
  ['assigned', 'declined', 'a specialist', 'the team does not take it'],
  ['accepted', 'in_progress', 'the member', 'the search for the cause begins'],
  ['in_progress', 'waiting_for', 'the member', 'nothing can be done until a known time'],
  ['in_progress', 'analyzed', 'the member', 'the cause is known'],
  ['in_progress', 'progress_halted', 'the manager', 'nobody works on it for now'],
  ['analyzed', 'change_requested', 'the manager', 'a change has to solve it'],
  ['assigned', 'solved', 'the manager', 'the cause is gone'],
]

const WORK: Hand = [
  ['assigned', 'accepted', 'a specialist', 'somebody takes it on'],
  ['accepted', 'in_progress', 'the member', 'work begins'],
  ['in_progress', 'waiting_for', 'the member', 'nothing can be done until a known time'],
  ['in_progress', 'completed', 'the member', 'the work is done'],
  ['in_progress', 'failed', 'the member', 'the work cannot be done as planned'],
  ['assigned', 'approved', 'the approver', 'an approval task is approved'],
  ['assigned', 'rejected', 'the approver', 'an approval task is rejected'],
  ['registered', 'canceled', 'the manager', 'it is not needed any more'],
  ['failed', 'assigned', 'the manager', 'it is tried again'],
  ['rejected', 'registered', 'the manager', 'it begins again'],
]

/** Usual moves by hand; none where the system sets every status. A story shows each of them. */
const BY_HAND: Readonly<Record<string, Hand>> = {
  request: REQUESTS,
  problem: PROBLEMS,
  task: [...WORK, ['assigned', 'declined', 'a specialist', 'the team does not take it']],
  task_approval: [
    ['assigned', 'approved', 'the approver', 'the approver agrees'],
    ['assigned', 'rejected', 'the approver', 'the approver does not agree'],
  ],
  project_task: WORK,
  project_task_assignment: [
    ['assigned', 'accepted', 'the assignee', 'the assignee takes it on'],
    ['accepted', 'in_progress', 'the assignee', 'work begins'],
    ['in_progress', 'waiting_for', 'the assignee', 'nothing can be done until a known time'],
    ['in_progress', 'completed', 'the assignee', 'the work is done'],
    ['assigned', 'approved', 'the assignee', 'the task is an approval, and the assignee agrees'],
    ['assigned', 'rejected', 'the assignee', 'the task is an approval, and the assignee does not agree'],
  ],
  change: [],
  project: [],
  project_phase: [],
  release: [],
  sla: [
    ['being_prepared', 'scheduled_for_activation', 'a service level manager', 'it is agreed on and begins later'],
    ['being_prepared', 'active', 'a service level manager', 'it is agreed on and begins now'],
  ],
  knowledge_article: [
    ['new', 'internal', 'a knowledge manager', 'specialists may read it'],
    ['internal', 'public', 'a knowledge manager', 'everybody for whom its service is may read it'],
    ['public', 'archived', 'a knowledge manager', 'it is out of date'],
    ['archived', 'internal', 'a knowledge manager', 'it is needed again'],
  ],
  service_offering: [
    ['planned', 'unpublished', 'a service level manager', 'it is described, and not offered yet'],
    ['unpublished', 'available', 'a service level manager', 'it is offered'],
    ['available', 'temporarily_unavailable', 'a service level manager', 'it cannot be ordered for a while'],
    ['temporarily_unavailable', 'available', 'a service level manager', 'it can be ordered again'],
    ['available', 'discontinued', 'a service level manager', 'it is not offered any more'],
  ],
  service_instance: [
    ['being_prepared', 'in_production', 'a service level manager', 'people may use it'],
    ['in_production', 'discontinued', 'a service level manager', 'it is switched off'],
  ],
}

/** Types with the same lifecycle as another one. */
export const LIKE: Readonly<Record<string, string>> = { flsa: 'sla', contract: 'sla' }

/** Types with a status that is not a lifecycle, with the reason. */
export const WITHOUT: Readonly<Record<string, string>> = {
  ci: 'a configuration item may have any of its statuses after any other one',
  request_template: 'it is the status of the requests that are made from the template',
}

/** A row of a table, and its arrows in the diagram. */
interface Arrow {
  readonly key: string
  readonly from: readonly (string | null)[]
  readonly to: readonly string[]
  readonly by: string
  readonly when: string
}

/** Types with a diagram. */
export const DRAWN: readonly string[] = Object.keys(BY_HAND)

/** The moves by hand of a type that none of the changes shows. */
export function notShown(type: string, moved: readonly StatusMove[]): readonly string[] {
  const isShown = ({ from, to }: HandMove) =>
    moved.some((one) => one.type === type && one.by === 'hand' && one.from === from && one.to === to)
  return handMoves(type).flatMap((move) => (isShown(move) ? [] : [`${type}: ${move.from} → ${move.to} by hand`]))
}

/** The diagram and the table of a type, as Markdown. */
export function lifecycle(catalog: Catalog, type: string): string {
  const statuses = statusesOf(catalog.types.get(type))
  const arrows = arrowsOf(catalog, type)
  const rows = arrows.map(({ key, from, to, by, when }) => {
    const cells = [key, coded(from, statuses, to), coded(to, statuses, from), by, when]
    return `| ${cells.join(' | ')} |`
  })
  return [diagram(arrows, statuses), '', '| | From | To | By | When |', '|---|---|---|---|---|', ...rows].join('\n')
}

/** With more statuses than this on one side, the diagram has one node for all of them. */
const MAX_NODES = 3

function diagram(arrows: readonly Arrow[], statuses: readonly string[]): string {
  const groups = new Map<string, string>()
  const labels = new Map<string, string[]>()
  const nodesOf = (side: readonly (string | null)[], other: readonly (string | null)[]): readonly string[] => {
    if (side.length <= MAX_NODES) return side.map((one) => one ?? '[*]')
    const text = described(side, statuses, other)
    if (!groups.has(text)) groups.set(text, `group${groups.size + 1}`)
    return [groups.get(text) ?? '']
  }
  for (const { key, from, to } of arrows) {
    // Every status to every status would only be in the way.
    if (from.length > MAX_NODES && to.length > MAX_NODES) continue
    for (const one of nodesOf(from, to)) {
      for (const other of nodesOf(to, from)) {
        const arrow = `${one} --> ${other}`
        labels.set(arrow, [...(labels.get(arrow) ?? []), key])
      }
    }
  }
  const lines = [
    ...[...groups].map(([text, id]) => `state "${text}" as ${id}`),
    ...[...labels].map(([arrow, keys]) => `${arrow} : ${keys.join(', ')}`),
  ]
  return ['```mermaid', 'stateDiagram-v2', ...lines.map((line) => `  ${line}`), '```'].join('\n')
}

function arrowsOf(catalog: Catalog, type: string): readonly Arrow[] {
  const first = catalog.type(type).fields.get('status')?.default
  const created: Arrow[] =
    typeof first === 'string' ? [{ key: 'A', from: [null], to: [first], by: 'its creator', when: 'it is created' }] : []
  const hand = handMoves(type).map(({ from, to, by, when }, index) => ({
    key: String.fromCharCode('A'.charCodeAt(0) + created.length + index),
    ...{ from: [from], to: [to], by, when },
  }))
  const distinct = new Map(
    namedMoves(catalog)
      .filter((move) => move.type === type)
      .map((named) => [JSON.stringify([named.from, named.to, named.move.by, named.move.when]), named]),
  )
  const system = [...distinct.values()].map((named, index) => arrowOf(named, index))
  return [...created, ...hand, ...system]
}

function arrowOf({ cause, from, move, to }: NamedMove, index: number): Arrow {
  const by = move.by ?? (cause.startsWith('timer ') ? 'the system, at that time' : 'the system')
  return { key: String(index + 1), from, to, by, when: move.when }
}

function handMoves(type: string): readonly HandMove[] {
  return (BY_HAND[type] ?? []).map(([from, to, by, when]) => ({ from, to, by, when }))
}

/** Statuses in a cell. */
function coded(side: readonly (string | null)[], statuses: readonly string[], other: readonly (string | null)[]): string {
  if (side.length > MAX_NODES) return described(side, statuses, other, (one) => `\`${one}\``)
  return side.map((one) => (one === null ? '–' : `\`${one}\``)).join(', ')
}

/** Many statuses in words: all but few, or all of them. */
function described(
  side: readonly (string | null)[],
  statuses: readonly string[],
  other: readonly (string | null)[],
  code = (one: string) => one,
): string {
  const missing = statuses.filter((one) => !side.includes(one) && !(other.length === 1 && other[0] === one))
  const isOther = other.length === 1 && other[0] !== null && !side.includes(other[0] ?? null)
  const any = isOther ? 'any other' : 'any'
  if (missing.length === 0) return any
  if (missing.length <= MAX_NODES) return `${any} but ${missing.map(code).join(', ')}`
  return side.map((one) => code(String(one))).join(', ')
}
