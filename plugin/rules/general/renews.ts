import { chunksOf, MAX_VALUES } from '../../core/chunks.js'
import type { Json } from '../../schema/kinds/fields.js'
import { type OtherRecords, type RuleContext, rule } from '../../schema/language/define-rule.js'

/** The records whose stored values follow from a record, and how they are found. */
interface Renewed {
  /** Fields whose change matters; without them, every save and removal matters, as of sub-records. */
  readonly on?: readonly string[]
  /** Records that the followers lead to in place of this one: its owner by the column, or all that it is linked to. */
  readonly from?: { readonly record: string; readonly column: 'owner_id' } | { readonly record: string; readonly link: string }
  /** Followers of all records below this one count as well: those that refer to it by this field, and so on. */
  readonly below?: string
  /** References that lead from a follower to the record: `['support_hours', 'service_hours']`, `['team.work_hours']`. */
  readonly of: readonly string[]
}

/**
 * Makes the records of the type due that follow from the record, if they wait for their renewal; their timer renews them soon,
 * in small transactions. Any number of them may follow from one service offering, team or calendar. ADR 0044.
 */
export const renews = rule('renews', (type: string, settings: Renewed) => ({
  fields: [...(settings.on ?? []), ...(settings.below ? [settings.below] : [])],
  alsoOnUndo: true,
  async writtenAll(contexts, others) {
    const { on } = settings
    const touched = contexts.filter(({ before, changed, fieldOf }) => {
      return on ? before !== null && on.some((field) => changed(fieldOf(field).column)) : isTouched(before, changed)
    })
    await renewFrom(type, settings, touched, others)
  },
  async removed(context) {
    if (!settings.on) await renewFrom(type, settings, [context], context)
  },
}))

/** True if the timer of the field has fired in this save: what the record follows from has changed. */
export function isRenewed({ before, next }: Pick<RuleContext, 'before' | 'next'>, field: string): boolean {
  return Boolean(before?.[field]) && !next[field]
}

function isTouched(before: RuleContext['before'], changed: RuleContext['changed']): boolean {
  return before === null || Object.keys(before).some((column) => column !== 'updated_at' && changed(column))
}

async function renewFrom(type: string, settings: Renewed, contexts: readonly RuleContext[], others: OtherRecords) {
  const { below, from, of } = settings
  const starts = await Promise.all(contexts.map((context) => (below ? withAllBelow(context, below) : startsOf(context, from))))
  await renew(type, of, starts.flat(), others)
}

/** Makes the records of the type due that lead to one of these ids by one of the references. */
export async function renew(
  type: string,
  of: readonly string[],
  ids: readonly Json[],
  { makeDue }: Pick<OtherRecords, 'makeDue'>,
): Promise<void> {
  for (const some of chunksOf([...new Set(ids.map(Number))], MAX_VALUES)) {
    for (const path of of) await makeDue(type, 'renew_at', { [path]: some })
  }
}

async function startsOf({ linkedIds, load, next, type }: RuleContext, from: Renewed['from']): Promise<readonly Json[]> {
  if (!from) return [next['id'] ?? null]
  const ids = 'link' in from ? await linkedIds(type, next['id'], from.link) : [next[from.column] ?? null]
  // Waits for those who count in them.
  await Promise.all(ids.map((id) => load(from.record, id, { lock: true })))
  return ids
}

async function withAllBelow({ findBy, next, type }: RuleContext, field: string): Promise<readonly Json[]> {
  const found = new Set<Json>()
  let level: readonly Json[] = [next['id'] ?? null]
  while (level.length > 0) {
    for (const id of level) found.add(id)
    const below = await Promise.all(level.map((id) => findBy(type, field, id)))
    level = below.flat().flatMap(({ id = null }) => (found.has(id) ? [] : [id]))
  }
  return [...found]
}
