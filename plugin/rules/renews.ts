import { chunksOf, MAX_VALUES } from '../core/chunks.js'
import { type OtherRecords, type RuleContext, rule } from '../schema/define-rule.js'
import type { Json } from '../schema/fields.js'

/** The records whose stored values follow from a record, and how they are found. */
interface Renewed {
  /** Fields whose change matters; without them, every save and removal matters, as of sub-records. */
  readonly on?: readonly string[]
  /** Records that the followers lead to in place of this one: its owner by the column, or all that it is linked to. */
  readonly from?: { readonly record: string; readonly column: 'owner_id' } | { readonly record: string; readonly link: string }
  /** References that lead from a follower to the record: `['support_hours', 'service_hours']`, `['team.work_hours']`. */
  readonly of: readonly string[]
}

/**
 * Makes the records of the type due that follow from the record, if they wait for their renewal; their timer renews them soon,
 * in small transactions. Any number of them may follow from one service offering, team or calendar. ADR 0044.
 */
export const renews = rule('renews', (type: string, settings: Renewed) => ({
  fields: settings.on ?? [],
  async writtenAll(contexts, others) {
    const { on } = settings
    const touched = contexts.filter(({ before, changed, fieldOf }) => {
      return on ? before !== null && on.some((field) => changed(fieldOf(field).column)) : isTouched(before, changed)
    })
    await renew(type, settings, touched, others)
  },
  async removed(context) {
    if (!settings.on) await renew(type, settings, [context], context)
  },
}))

function isTouched(before: RuleContext['before'], changed: RuleContext['changed']): boolean {
  return before === null || Object.keys(before).some((column) => column !== 'updated_at' && changed(column))
}

async function renew(type: string, { from, of }: Renewed, contexts: readonly RuleContext[], { makeDue }: OtherRecords) {
  const starts = await Promise.all(contexts.map((context) => startsOf(context, from)))
  for (const some of chunksOf([...new Set(starts.flat().map(Number))], MAX_VALUES)) {
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
