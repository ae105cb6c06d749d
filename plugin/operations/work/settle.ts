/**
 * Settles the owners that the work of a transaction has marked, in rounds: lock them, read the records that they follow,
 * decide, and save the differences as one batch per type, which may mark more. ADR 0019.
 */
import { type Call, type CausingRecord, settlingCall } from '../../core/call.js'
import { HookFailed, ItsmError } from '../../core/errors.js'
import { isBlank } from '../../core/text/blank.js'
import { shown } from '../../core/text/shown.js'
import type { RecordType } from '../../schema/catalog.js'
import type { Row } from '../../schema/language/define-rule.js'
import type { SettledValues, Settling, SettlingFacts } from '../../schema/language/define-settling.js'
import type { SaveItem } from '../contract.js'
import { saveAsFarAsPossible } from './as-far-as-possible.js'
import { causeOfSettling } from './causes.js'
import { type Draft, differs, isSound } from './draft.js'
import { readSources, type Sourced } from './facts.js'
import { mistakeInValue } from './mistakes.js'
import { OtherRefused, toldToCaller } from './other-refused.js'
import { lockSettled } from './owners.js'
import type { Pipeline, Work } from './pipeline.js'
import { EndlessWork, type Unit } from './unit.js'
import type { SettleDeps, ValueDeps } from './work-deps.js'

/** Maximum number of rounds of one settling: more than a tree of records has levels. */
const MAX_ROUNDS = 120
/** Maximum number of changes that an error names. */
const MAX_NAMED = 6

/** Values of a record, and the first settling that sets one of them. */
interface Change extends Required<Pick<SaveItem, 'cause' | 'causedBy'>> {
  readonly values: { [name: string]: SettledValues[string] }
  /** Values in their place if the record cannot be saved with them. */
  otherwise?: SettledValues
}
/** Changes of one round: by record, by type. */
type Changes = Map<string, Map<number, Change>>

/** @throws Invalid, Forbidden, NotFound for records that cannot be saved; EndlessWork if the rounds do not end */
export async function settle(deps: SettleDeps, pipeline: Pipeline, unit: Unit, call: Call): Promise<void> {
  const trail: string[] = []
  for (let round = 0; ; round += 1) {
    const marked = unit.takeMarks()
    if (marked.length === 0) return
    if (round === MAX_ROUNDS) {
      throw new EndlessWork(`Settling did not finish within ${MAX_ROUNDS} rounds: ${trail.slice(-MAX_NAMED).join(' → ')} → …`)
    }
    const changes: Changes = new Map()
    for (const { type: name, ids, by } of marked) {
      const type = deps.catalog.type(name)
      const asSettling = settlingCall(call, type.name)
      const owners = await lockSettled(deps, call, unit, type, ids)
      if (owners.size === 0) continue
      for (const settling of type.settle) {
        const sources = await readSources(deps, asSettling, type, settling, [...owners.values()])
        const zone = hasCalendars(settling) ? await deps.accountZone(asSettling) : call.account.timeZone
        notice(unit, sources)
        for (const owner of owners.values()) {
          const around = (row: Row) => factsOf(settling, row, sources, { now: call.now, zone })
          const hasChanged = note(deps, changes, type, settling, owner, sources, around, by.get(Number(owner['id'])) ?? null)
          if (hasChanged) trail.push(`${settling.settle} of ${name} ${owner['id']}`)
        }
      }
    }
    await save(deps, pipeline, call, changes)
  }
}

/** Caches the rows that were read, so that the saves of this round need not read them again to find their owners. */
function notice(unit: Unit, sources: ReadonlyMap<string, Sourced>): void {
  for (const { type, of } of sources.values()) {
    if (type) for (const rows of of.values()) for (const row of rows) unit.notice(type.name, row as Row)
  }
}

/** Fills fields of a new owner from its settlings. It has no id yet, so no other record refers to it. */
export function fillSettled({ call, type }: Pick<Work, 'call' | 'type'>, drafts: readonly Draft[]): void {
  for (const settling of type.settle) {
    if (settling.fills.length === 0) continue
    for (const draft of drafts) {
      const { before, next } = draft
      // Skip refused drafts, so that the function need not handle unreadable values.
      if (before || !isSound(draft)) continue
      const { owner = {} } = decisionOf(
        settling,
        type,
        factsOf(settling, next, new Map(), { now: call.now, zone: call.account.timeZone }),
      )
      const values = byColumn(settling, type, owner)
      for (const name of settling.fills) {
        const column = type.fields.get(name)?.column ?? name
        if (isBlank(next[column]) && Object.hasOwn(values, column)) next[column] = values[column] ?? null
      }
    }
  }
}

async function save(deps: SettleDeps, pipeline: Pipeline, call: Call, changes: Changes): Promise<void> {
  for (const [name, byId] of [...changes].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const type = deps.catalog.type(name)
    const inside = settlingCall(call, type.name)
    const sorted = [...byId].sort(([a], [b]) => a - b)
    const required = sorted.flatMap(([id, { otherwise, values, ...why }]): SaveItem[] =>
      otherwise ? [] : [{ id, body: values, ...why }],
    )
    const outcomes = required.length > 0 ? await pipeline(inside, type, required) : []
    for (const [index, outcome] of outcomes.entries()) {
      if (outcome.outcome === 'refused') {
        const { body = {}, cause = '' } = required[index] ?? {}
        throw toldToCaller(deps, call, cause, new OtherRefused(name, outcome.violations, body))
      }
      if (outcome.outcome === 'denied') throw outcome.error
    }
    const wanted = sorted.flatMap(([id, { otherwise, values, ...why }]) =>
      otherwise ? [{ id, body: values, otherwise, ...why }] : [],
    )
    const tried = await saveAsFarAsPossible(deps.storage, pipeline, inside, type, wanted)
    const refused = wanted.filter((_, index) => !('row' in (tried[index] ?? {})))
    const instead = refused.map(({ otherwise, ...item }): SaveItem => ({ ...item, body: otherwise }))
    await saveAsFarAsPossible(deps.storage, pipeline, inside, type, instead)
  }
}

/**
 * Adds the values of the decision that differ from the stored ones. False if there are none.
 *
 * @param by the record that has marked the owner
 */
function note(
  deps: ValueDeps,
  changes: Changes,
  type: RecordType,
  settling: Settling,
  owner: Row,
  sources: ReadonlyMap<string, Sourced>,
  around: (owner: Row) => object,
  by: CausingRecord | null,
): boolean {
  let hasChanged = false
  const cause = causeOfSettling(settling.settle, type.name)
  const decision = decisionOf(settling, type, around(owner))
  const add = (of: RecordType, row: Row, values: SettledValues, otherwise?: SettledValues) => {
    for (const [column, value] of Object.entries(byColumn(settling, of, values))) {
      if (!differs(row[column], value)) continue
      hasChanged = true
      const mistake = mistakeInValue(deps, of, column, value)
      if (mistake !== null) throw wrong(settling, type, mistake)
      const byId = changes.get(of.name) ?? new Map<number, Change>()
      changes.set(of.name, byId)
      const id = Number(row['id'])
      const change: Change = byId.get(id) ?? { values: {}, cause, causedBy: by }
      byId.set(id, change)
      change.values[column] = value
      if (otherwise) change.otherwise = byColumn(settling, of, otherwise)
    }
  }
  for (const [name, said] of Object.entries(decision)) {
    if (said === undefined || said === null) continue
    const source = sources.get(name)
    if (name === 'owner') add(type, owner, said as SettledValues)
    else if (source?.type && source.isFollowed) {
      const rows = new Map((source.of.get(Number(owner['id'])) ?? []).map((row) => [Number((row as Row)['id']), row as Row]))
      if (!(said instanceof Map)) throw wrong(settling, type, `'${name}' must be a Map of values by id, not ${shown(said)}`)
      for (const [id, values] of said as ReadonlyMap<number, SettledValues>) {
        const row = rows.get(Number(id))
        if (!row) throw wrong(settling, type, `'${name}' has no record ${shown(id)}`)
        add(source.type, row, values, settling.otherwise[name])
      }
    } else throw wrong(settling, type, `'${name}' is not a source with records, so it cannot get values`)
  }
  return hasChanged
}

function hasCalendars({ of }: Settling): boolean {
  return Object.values(of).some((source) => 'calendars' in source)
}

function factsOf(
  settling: Settling,
  owner: Row,
  sources: ReadonlyMap<string, Sourced>,
  common: Pick<SettlingFacts, 'now' | 'zone'>,
) {
  const id = Number(owner['id'] ?? 0)
  const around = Object.entries(settling.of).map(([name, source]) => {
    const found = sources.get(name)
    return [name, 'calendars' in source ? new Map(found?.calendars) : Object.freeze([...(found?.of.get(id) ?? [])])]
  })
  return { ...Object.fromEntries(around), ...common, owner: Object.freeze({ ...owner }) }
}

/** @throws HookFailed if the function fails, or does not return a decision */
function decisionOf(
  settling: Settling,
  type: RecordType,
  facts: object,
): { readonly [name: string]: unknown } & { owner?: SettledValues } {
  let decision: unknown
  try {
    decision = settling.decide(facts as SettlingFacts<never>)
  } catch (error) {
    if (error instanceof ItsmError) throw error
    throw new HookFailed(placeOf(settling, type), error)
  }
  if (decision === null || decision === undefined) return {}
  const isObject = typeof decision === 'object' && !Array.isArray(decision) && !('then' in decision)
  if (!isObject) throw wrong(settling, type, `decide must return an object of values, not a promise or ${shown(decision)}`)
  return decision as { readonly [name: string]: unknown }
}

/** The values by column. @throws HookFailed for names that the type does not have */
function byColumn(settling: Settling, type: RecordType, values: SettledValues): SettledValues {
  if (typeof values !== 'object' || values === null)
    throw wrong(settling, type, `values must be an object, not ${shown(values)}`)
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const column = type.columns.has(name) ? name : type.fields.get(name)?.column
      if (!column || column === 'id') throw wrong(settling, type, `'${name}' is not a stored field of ${type.name}`)
      return [column, value ?? null]
    }),
  )
}

function wrong(settling: Settling, type: RecordType, text: string): HookFailed {
  return new HookFailed(placeOf(settling, type), new TypeError(text))
}

function placeOf(settling: Settling, type: RecordType): string {
  return `settling '${settling.settle}' of ${type.name}`
}
