/** Saves the records of an array for a client: each as if it had come alone, and all of them with the queries of one (ADR 0057). */
import { setImmediate } from 'node:timers/promises'
import type { Call } from '../../core/call.js'
import { Forbidden, ItsmError, NotFound } from '../../core/errors.js'
import type { RecordType } from '../../schema/catalog.js'
import { readId } from '../../schema/kinds/values/read-values.js'
import { NOTE, SUBSCRIPTION } from '../../schema/language/built-in-types.js'
import { isOutage } from '../../storage/database/faults.js'
import { inTransaction } from '../../storage/database/transaction.js'
import type { Operations, SaveItem, SaveOutcome, Submitting } from '../contract.js'
import { mustUse } from '../read/visible.js'
import { outcomeOfRefusal, saveAsFarAsPossible, type Tolerance } from '../work/as-far-as-possible.js'
import type { Pipeline } from '../work/pipeline.js'
import { findPairs } from '../work/source-pairs.js'
import { callToRegister } from './registered-in.js'
import { announceNotes } from './related/save-notes.js'
import type { SaveDeps } from './save-deps.js'

/** A record of the array on its way. */
interface Work {
  readonly index: number
  readonly given: Submitting
  /** The id of its record: null for a new one; undefined if no record has its source and source ID. */
  id: number | null | undefined
}

/** Creates both of the functions. */
export function createSubmitEach(deps: SaveDeps, pipeline: Pipeline): Pick<Operations, 'placesOf' | 'submitEach'> {
  const placesOf: Operations['placesOf'] = async (call, typeName, items) => {
    if (typeName === SUBSCRIPTION && !call.transaction) await deps.dispatchPending()
    const type = deps.catalog.type(typeName)
    /** One call for each account: those with the same call are saved together. */
    const calls = new Map<string, Call>()
    const places: (Call | ItsmError)[] = []
    for (const item of items) {
      try {
        const there = await callToRegister(deps.callIn, call, type, item)
        places.push(calls.get(there.account.id) ?? there)
        if (!calls.has(there.account.id)) calls.set(there.account.id, there)
      } catch (error) {
        if (!(error instanceof ItsmError)) throw error
        places.push(error)
      }
    }
    return places
  }

  const submitEach: Operations['submitEach'] = (call, typeName, items, isOver) => {
    const type = deps.catalog.type(typeName)
    return inTransaction(deps.storage, call, async (inside) => {
      const outcomes: SaveOutcome[] = []
      const byCall = new Map<Call, Work[]>()
      for (const [index, given] of items.entries()) {
        const works = byCall.get(given.call) ?? []
        byCall.set(given.call, works)
        works.push({ index, given, id: given.item.id })
      }
      for (const [there, some] of byCall) {
        const joined: Call = inside.transaction ? { ...there, transaction: inside.transaction } : there
        for (const [work, outcome] of await submitIn(deps, pipeline, joined, type, some, isOver)) outcomes[work.index] = outcome
      }
      return outcomes
    })
  }
  return { placesOf, submitEach }
}

type Done = Map<Work, SaveOutcome>

/** Saves works of one call, in batches: mostly a single one. */
async function submitIn(
  deps: SaveDeps,
  pipeline: Pipeline,
  call: Call,
  type: RecordType,
  works: readonly Work[],
  isOver: () => boolean,
): Promise<Done> {
  const done: Done = new Map()
  try {
    await mustUse(deps, call, type)
  } catch (error) {
    if (!(error instanceof Forbidden)) throw error
    for (const work of works) done.set(work, { outcome: 'denied', error })
    return done
  }
  const save = async (batch: readonly Work[]) => {
    const found = batch.filter(({ id }) => id !== undefined)
    for (const work of batch) if (work.id === undefined) done.set(work, { outcome: 'denied', error: new NotFound() })
    const items = found.map(({ given, id = null }): SaveItem => ({ ...given.item, id }))
    const outcomes = await saveAsFarAsPossible(deps.storage, pipeline, call, type, items, {
      outcomeOf: (error) => (call.signal?.aborted ? null : outcomeOf(error)),
      isOver,
    })
    for (const [index, work] of found.entries()) done.set(work, outcomes[index] as SaveOutcome)
    if (type.name === NOTE) await announceNotes(deps, call, outcomes)
  }

  for (let rest = works; rest.length > 0; ) {
    await identify(deps, call, type, rest)
    // When the time is over, all that is left is denied at once.
    const batch = isOver() ? rest : independent(type, rest)
    await save(batch)
    const again = refusedTooEarly(batch, done)
    if (again.length > 0) await save(again)
    rest = rest.slice(batch.length)
    // As in the halves of a batch.
    if (rest.length > 0) await setImmediate()
  }
  return done
}

/** Finds the records of works with a source and a source ID, as they are now. */
async function identify(deps: SaveDeps, call: Call, type: RecordType, works: readonly Work[]): Promise<void> {
  const named = works.filter(({ given }) => given.pair !== undefined)
  const ids = await findPairs(
    deps,
    call,
    type,
    named.flatMap(({ given }) => (given.pair ? [given.pair] : [])),
  )
  for (const [index, work] of named.entries()) work.id = ids[index] ?? undefined
}

/**
 * The first of the works, up to one that has to see what an earlier one of them does: the same record, a record with another
 * source ID by then, or a reference to one of the records.
 */
function independent(type: RecordType, works: readonly Work[]): readonly Work[] {
  const ids = new Set<number>()
  let renames = false
  for (const [index, { given, id }] of works.entries()) {
    const { body } = given.item
    const isNamed = given.pair !== undefined
    if (index > 0 && ((id && ids.has(id)) || (isNamed && renames) || idsIn(body).some((one) => ids.has(one))))
      return works.slice(0, index)
    if (id) ids.add(id)
    if (!isNamed && (Object.hasOwn(body, 'source') || Object.hasOwn(body, 'sourceID'))) renames = id !== null
  }
  return works

  /** What may be ids of records of the type: of other types, too, which only makes batches smaller. */
  function idsIn(body: object): readonly number[] {
    const hasOwnKind = [...type.fields.values()].some(({ record }) => record === type.name)
    if (!hasOwnKind || ids.size === 0) return []
    return Object.values(body).flatMap((value: unknown) =>
      (Array.isArray(value) ? value : [value]).flatMap((one) => readId(one) ?? []),
    )
  }
}

/**
 * Refused works that may be accepted now. An earlier record of their batch was changed: it may have had the unique value, or the
 * state, that refused them. Or it was refused itself, after its values had been taken from them.
 */
function refusedTooEarly(batch: readonly Work[], done: Done): readonly Work[] {
  let [isChanged, isRefused] = [false, false]
  return batch.filter((work) => {
    const saved = done.get(work)
    const isAgain =
      saved?.outcome === 'refused' && (isChanged || (isRefused && saved.violations.some(([, code]) => code === 'taken')))
    isChanged ||= saved?.outcome === 'updated'
    isRefused ||= saved?.outcome === 'refused'
    return isAgain
  })
}

/** Whatever fails in one record is its own outcome, unless the database, the network or the machine has failed. */
function outcomeOf(error: unknown): ReturnType<Tolerance['outcomeOf']> {
  const refusal = outcomeOfRefusal(error)
  if (refusal || isOutage(error)) return refusal
  return { outcome: 'denied', error: error instanceof Error ? error : new Error(String(error), { cause: error }) }
}
