import type { Call } from '../../core/call.js'
import type { Operations, SaveItem, SaveOutcome } from '../contract.js'

/** A piece of work, and what the pipeline made of it. */
export interface Done<Work> {
  readonly work: Work
  readonly saved: SaveOutcome
}

/** Saves one record for each piece of work, all of them at once. @returns the work in its order, with the outcomes */
export async function saveEach<Work>(
  operations: Pick<Operations, 'saveAll'>,
  call: Call,
  typeName: string,
  works: readonly Work[],
  itemOf: (work: Work) => SaveItem,
): Promise<readonly Done<Work>[]> {
  if (works.length === 0) return []
  const outcomes = await operations.saveAll(call, typeName, works.map(itemOf))
  return works.map((work, index) => {
    const saved = outcomes[index]
    if (!saved) throw new Error('The pipeline returned fewer outcomes than there were records')
    return { work, saved }
  })
}
