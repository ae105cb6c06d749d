/** Creates many records for the host's own code, like an array over HTTP (ADR 0057). */
import type { Call } from '../../core/call.js'
import { Invalid, ItsmError } from '../../core/errors.js'
import type { Handling, Owner, SaveItem, SaveOutcome, Submitting } from '../contract.js'
import { inWords } from './explain.js'
import type { LocalDeps } from './local-api.js'
import { asSent } from './local-arguments.js'
import type { CreateResult } from './local-values.js'

/** The records to create. */
export interface ManyBodies {
  readonly type: string
  readonly bodies: readonly object[]
  readonly handling: Handling
  /** The owner of sub-records. */
  readonly owner: Owner | undefined
}

/** Creates the records in one transaction: each as if it came alone, and all of them with the queries of one. */
export async function createMany(
  { operations, words }: Pick<LocalDeps, 'operations' | 'words'>,
  call: Call,
  { type, bodies, handling, owner }: ManyBodies,
): Promise<readonly CreateResult[]> {
  const items = bodies.map(
    (body): SaveItem => ({ id: null, body: asSent(body), handling, onlyKnown: true, ...(owner && { owner }) }),
  )
  const places = await placesOf()
  const submitted = places.flatMap((place, index): Submitting[] => {
    const item = items[index]
    return place instanceof ItsmError || !item ? [] : [{ call: place, item }]
  })
  const outcomes = (await operations.submitEach(call, type, submitted, () => false)).values()
  return places.map((place) => resultOf(place instanceof ItsmError ? place : outcomes.next().value))

  async function placesOf(): Promise<readonly (Call | ItsmError)[]> {
    if (!owner) return operations.placesOf(call, type, items)
    await operations.read(call, owner.type, owner.id)
    const there = await operations.beforeSubmit(call, type, { id: null, body: {}, owner })
    return items.map(() => there)
  }

  function resultOf(outcome: SaveOutcome | ItsmError | undefined): CreateResult {
    if (!outcome) throw new Error('There are fewer outcomes than records')
    const error = errorOf(outcome)
    if (error) return { id: null, error: inWords(words, error) }
    if (!('row' in outcome)) throw new Error('An outcome has neither a record nor an error')
    const { row, shownOnce } = outcome
    return { id: Number(row['id']), error: null, ...(shownOnce && { shownOnce }) }
  }
}

function errorOf(outcome: SaveOutcome | ItsmError): Error | null {
  if (outcome instanceof ItsmError) return outcome
  if (outcome.outcome === 'refused') return new Invalid(outcome.violations)
  return outcome.outcome === 'denied' ? outcome.error : null
}
