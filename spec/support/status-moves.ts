/** Changes of statuses: those that rules, settlings and timers name, and those that happen while specs run. ADR 0031. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { expect } from 'chai'
import { after, before } from 'mocha'
import { STATUS_MOVED, type StatusMove } from '../../plugin/operations/work/status-moves.js'
import { records } from '../../plugin/records/records.js'
import type { Catalog, RecordType } from '../../plugin/schema/catalog.js'
import { compile } from '../../plugin/schema/compile/compile.js'
import type { Criterion } from '../../plugin/schema/language/conditions.js'
import type { Move } from '../../plugin/schema/language/moves.js'

export type { StatusMove }

/** A move of the catalog, with every status that it concerns. */
export interface NamedMove {
  readonly type: string
  /** Null for new records. */
  readonly from: readonly (string | null)[]
  readonly to: readonly string[]
  /** `rule pendingWith of request`, `settling of change`, `timer waiting_until of task`. */
  readonly cause: string
  readonly move: Move
}

/** Every move that the rules, settlings and timers of a catalog name. */
export function namedMoves(catalog: Catalog): readonly NamedMove[] {
  return [...catalog.types.values()].flatMap((type) => [
    ...type.rules.flatMap(({ name, behavior }) =>
      (behavior.moves ?? []).map((move) => named(catalog, move.record ?? type.name, `rule ${name} of ${type.name}`, move)),
    ),
    ...type.settle.flatMap(({ moves, of, settle }) =>
      Object.entries(moves).flatMap(([source, some]) => {
        const from = of[source]
        const record = source === 'owner' ? type.name : from && ('type' in from ? from.type : 'part' in from ? from.part : '')
        return some.map((move) => named(catalog, record ?? '', `settling ${settle} of ${type.name}`, move))
      }),
    ),
    ...type.timers.flatMap(({ due, body, while: waiting }) =>
      typeof body['status'] === 'string'
        ? [named(catalog, type.name, `timer ${due} of ${type.name}`, timed(due, body['status'], waiting))]
        : [],
    ),
  ])
}

/** Statuses of a type in the order of its definition; none if it has no status. */
export function statusesOf(type: RecordType | undefined): readonly string[] {
  return type?.fields.get('status')?.values ?? []
}

/** True if the move names the change. Settlings save records in calls of their type. */
export function names({ cause, from, to, type }: NamedMove, moved: StatusMove): boolean {
  const asCall = cause.replace(/^settling .*/, `settling of ${type}`)
  const isCause = moved.by === cause || moved.by === asCall
  return isCause && type === moved.type && from.some((one) => one === moved.from) && to.some((one) => one === moved.to)
}

/** Changes by rules, settlings and timers of a catalog that no move names, each once. */
export function unnamed(catalog: Catalog, moved: readonly StatusMove[]): readonly string[] {
  const all = namedMoves(catalog)
  const wrong = moved.filter((one) => {
    // Rules that a spec adds to a type are its own.
    const rule = /^rule (\w+) of /.exec(one.by)?.[1]
    const isOurs = catalog.types.get(one.type)?.rules.some(({ name }) => rule === undefined || name === rule)
    return isOurs && /^(rule|settling|timer) /.test(one.by) && !all.some((move) => names(move, one))
  })
  return [...new Set(wrong.map(({ by, from, to, type }) => `${type}: ${from} → ${to} by ${by}`))]
}

export interface Watch {
  readonly moved: readonly StatusMove[]
  stop(): void
}

/** Fails the calling block (in `describe`) if one of our rules changes the status of a record of ours, and does not name it. */
export function mustNameMoves(): void {
  let watch: Watch | null = null
  before('watches statuses', () => {
    watch = watchMoves()
  })
  after('has seen only changes of statuses that rules name', () => {
    watch?.stop()
    ours ??= compile(records, [])
    expect(unnamed(ours, watch?.moved ?? [])).to.deep.equal([])
  })
}

/** Our record types, compiled when the first block ends. */
let ours: Catalog | null = null

/** Collects the changes of statuses in this process. */
export function watchMoves(): Watch {
  const moved: StatusMove[] = []
  const listen = (message: unknown) => moved.push(message as StatusMove)
  subscribe(STATUS_MOVED, listen)
  return { moved, stop: () => unsubscribe(STATUS_MOVED, listen) }
}

function named(catalog: Catalog, record: string, cause: string, move: Move): NamedMove {
  const statuses = statusesOf(catalog.types.get(record))
  const to = move.to === undefined ? statuses : [move.to].flat()
  const others = statuses.filter((one) => !move.notFrom?.includes(one) && (to.length > 1 || one !== to[0]))
  // Types that share a move need not have all of its statuses.
  const from = (move.from ?? others).filter((one) => one === null || statuses.includes(one))
  return { type: record, from, to, cause, move }
}

/** Hidden times in words. */
const TIMES: Readonly<Record<string, string>> = { begins_at: 'the start date has come', ends_at: 'the expiry date is over' }

function timed(due: string, to: string, waiting: Criterion): Move {
  return { from: statusesIn(waiting), to, when: TIMES[due] ?? `the time in \`${due}\` has come` }
}

function statusesIn(criterion: Criterion): readonly string[] {
  if ('all' in criterion) return criterion.all.flatMap(statusesIn)
  if (!('path' in criterion) || criterion.op !== 'in' || criterion.path.join() !== 'status') return []
  return criterion.values.map(String)
}
