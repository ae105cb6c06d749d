/** Tells the host how many records were saved or removed together, and how long that took (behaviour: Watching). */
import type { Call } from '../../core/call.js'
import type { SaveFacts, Tell } from '../../core/observe.js'
import type { Pipeline } from '../work/pipeline.js'

type Counts = Pick<SaveFacts, 'created' | 'updated' | 'unchanged' | 'removed' | 'refused'>

const NONE: Counts = { created: 0, updated: 0, unchanged: 0, removed: 0, refused: 0 }

/** The pipeline, watched if the host wants to. */
export function watchedPipeline(tell: Tell<SaveFacts> | undefined, pipeline: Pipeline): Pipeline {
  if (!tell) return pipeline
  return (call, type, items) =>
    watched(tell, 'save', call, type.name, async () => {
      const outcomes = await pipeline(call, type, items)
      const counts = { ...NONE }
      for (const { outcome } of outcomes) counts[outcome === 'denied' ? 'refused' : outcome] += 1
      return [outcomes, counts]
    })
}

/** Removes records, watched if the host wants to. */
export async function watchedRemoval(
  tell: Tell<SaveFacts> | undefined,
  call: Call,
  type: string,
  count: number,
  remove: () => Promise<void>,
): Promise<void> {
  if (!tell) return remove()
  await watched(tell, 'remove', call, type, async () => [await remove(), { ...NONE, removed: count }])
}

async function watched<T>(
  tell: Tell<SaveFacts>,
  action: SaveFacts['action'],
  { account, actor, origin, requestId }: Call,
  type: string,
  work: () => Promise<readonly [T, Counts]>,
): Promise<T> {
  const since = performance.now()
  const told = (counts: Counts, failed: boolean) => {
    const ms = performance.now() - since
    tell({ action, type, ...counts, failed, ms, accountId: account.id, personId: actor?.id ?? null, origin, requestId })
  }
  try {
    const [result, counts] = await work()
    told(counts, false)
    return result
  } catch (error) {
    told(NONE, true)
    throw error
  }
}
