/** Finds records by source and source ID, which identify a record of an account. */
import type { Call } from '../../core/call.js'
import { inBothCases } from '../../core/text/both-cases.js'
import type { RecordType } from '../../schema/catalog.js'
import type { Criterion } from '../../schema/language/conditions.js'
import { AMBIGUOUS } from '../contract.js'
import type { ReadDeps } from '../read/read-deps.js'
import { folded } from './references.js'

/** A source, and an id in it. */
export type SourcePair = readonly [source: string, sourceID: string]

/**
 * Ids of the records of the call's account with these pairs, in their order; null for those that no record has. Case, accents and
 * blanks at the end do not count, unless several records differ in nothing else; then they do. One query. Does not check if the caller sees them.
 */
export async function findPairs(
  { queries }: Pick<ReadDeps, 'queries'>,
  call: Call,
  type: RecordType,
  pairs: readonly SourcePair[],
): Promise<readonly (number | null)[]> {
  // A text that is too long for its column need not be searched.
  const isPossible = ([source, sourceID]: SourcePair) => fits(type, 'source', source) && fits(type, 'sourceID', sourceID)
  const possible = pairs.filter(isPossible)
  if (possible.length === 0) return pairs.map(() => null)
  // By source: for hundreds of sources with any of hundreds of ids, a server would plan a hundred thousand ranges.
  const idsOf = new Map<string, string[]>()
  for (const [source, sourceID] of possible) idsOf.set(source, [...(idsOf.get(source) ?? []), sourceID])
  const among = (field: string, texts: readonly string[]): Criterion => {
    return { path: [field], op: 'in', values: inBothCases(texts), text: 'ignoreCase' }
  }
  const any = [...idsOf].map(([source, ids]): Criterion => ({ all: [among('source', [source]), among('sourceID', ids)] }))
  const where: Criterion = { all: [{ path: ['account'], op: 'in', values: [call.account.id] }, { any }] }
  const rows = await queries.cells(call, { type, where }, [['id'], ['source'], ['sourceID']])
  const exact = new Map<string, number>()
  const similar = new Map<string, number>()
  for (const [id, source, sourceID] of rows) {
    exact.set(keyOf([String(source), String(sourceID)], String), Number(id))
    const key = keyOf([String(source), String(sourceID)], folded)
    similar.set(key, similar.has(key) ? AMBIGUOUS : Number(id))
  }
  return pairs.map((pair) => exact.get(keyOf(pair, String)) ?? (similar.get(keyOf(pair, folded)) || null))
}

function keyOf(pair: SourcePair, form: (text: string) => string): string {
  return JSON.stringify(pair.map(form))
}

function fits(type: RecordType, field: string, text: string): boolean {
  return text.length <= (type.fields.get(field)?.max ?? Number.POSITIVE_INFINITY)
}
