import type { Draft } from '../work/draft.js'
import type { Work } from '../work/pipeline.js'

/** Loads the records that the batch begins to refer to, at most one query per type, before rules ask for them one by one. */
export async function prefetchReferences({ type, unit }: Work, drafts: readonly Draft[]) {
  const wanted = new Map<string, Set<number>>()
  for (const [column, field] of type.columns) {
    if (field.kind !== 'ref' || !field.record) continue
    const ids = wanted.get(field.record) ?? new Set<number>()
    wanted.set(field.record, ids)
    for (const { before, next } of drafts) {
      if (next[column] && next[column] !== before?.[column]) ids.add(Number(next[column]))
    }
  }
  await unit.prefetchAll(wanted)
}
