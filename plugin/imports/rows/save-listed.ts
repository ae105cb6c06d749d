/** Saves the other records that a cell lists or names: all of them, or the row is refused. */
import type { Call } from '../../core/call.js'
import type { Operations, SaveItem } from '../../operations/contract.js'
import { aboutOther } from '../../operations/work/other-refused.js'
import { type Done, saveEach } from '../../operations/work/save-each.js'
import type { RecordType } from '../../schema/catalog.js'
import type { RefusalWords } from './refusals.js'

/** Dependencies of saving them. */
export interface ListedDeps {
  readonly operations: Pick<Operations, 'saveAll'>
  readonly words: RefusalWords
}

/**
 * Saves one record for each piece of work.
 *
 * @returns the work in its order, with the outcomes
 * @throws Invalid about the first of them that cannot be saved; Forbidden or NotFound if the caller may not do that
 */
export async function saveListed<Work>(
  { operations, words }: ListedDeps,
  call: Call,
  type: RecordType,
  works: readonly Work[],
  itemOf: (work: Work) => SaveItem,
): Promise<readonly Done<Work>[]> {
  const done = await saveEach(operations, call, type.name, works, itemOf)
  for (const { saved } of done) {
    if (saved.outcome === 'denied') throw saved.error
    if (saved.outcome === 'refused') throw aboutOther(words, call, { type: type.name, work: 'save', ...saved })
  }
  return done
}
