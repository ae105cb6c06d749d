/** Finds records by source and source ID, which identify a record of an account. */
import type { Call } from '../../core/call.js'
import { exactKey } from '../../core/text/identity.js'
import type { RecordType } from '../../schema/catalog.js'
import type { Criterion } from '../../schema/language/conditions.js'
import type { ReadDeps } from '../read/read-deps.js'

/** A source, and an id in it. */
export type SourcePair = readonly [source: string, sourceID: string]

/**
 * Ids of the records of the call's account with exactly these pairs, in their order; null for those that no record has. One
 * query. Does not check if the caller sees them.
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
  const among = (field: string, texts: readonly string[]): Criterion => ({ path: [field], op: 'in', values: texts })
  const any = [...idsOf].map(([source, ids]): Criterion => ({ all: [among('source', [source]), among('sourceID', ids)] }))
  const where: Criterion = { all: [{ path: ['account'], op: 'in', values: [call.account.id] }, { any }] }
  const rows = await queries.cells(call, { type, where }, [['id'], ['source'], ['sourceID']])
  const found = new Map(rows.map(([id, source, sourceID]) => [exactKey([String(source), String(sourceID)]), Number(id)]))
  return pairs.map((pair) => found.get(exactKey(pair)) ?? null)
}

function fits(type: RecordType, field: string, text: string): boolean {
  return text.length <= (type.fields.get(field)?.max ?? Number.POSITIVE_INFINITY)
}
