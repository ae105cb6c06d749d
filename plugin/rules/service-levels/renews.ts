import { chunksOf, MAX_VALUES } from '../../core/chunks.js'
import { type OtherRecords, type RuleContext, rule } from '../../schema/define-rule.js'
import type { Json } from '../../schema/fields.js'

/** The records whose promise follows from a record, and how they are found. */
interface Renewed {
  /** Fields whose change matters; without them, every save and removal matters, as of sub-records. */
  readonly on?: readonly string[]
  /** Column or link of the record that names what to start from; default: its id. */
  readonly from?: { readonly column: string } | { readonly link: string; readonly record: string }
  /** A type that refers to this, whose records are looked up by the field first. */
  readonly via?: { readonly record: string; readonly by: string }
  /** Fields of the affected SLAs that refer to what was found. */
  readonly of: readonly string[]
}

/**
 * Makes the affected SLAs of open requests due that follow from the record; their timer renews them soon, in small transactions.
 * Any number of them may follow from one service offering or calendar.
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

async function renew(type: string, { from, of, via }: Renewed, contexts: readonly RuleContext[], { makeDue }: OtherRecords) {
  const starts = await Promise.all(contexts.map((context) => startsOf(context, from)))
  const [context] = contexts
  if (!context) return
  const ids = new Set(starts.flat())
  const found = via ? await Promise.all([...ids].map((id) => context.valuesOf(via.record, 'id', via.by, id))) : [[...ids]]
  for (const some of chunksOf([...new Set(found.flat().map(Number))], MAX_VALUES)) {
    for (const field of of) await makeDue(type, 'renew_at', { [field]: some })
  }
}

async function startsOf({ linkedIds, load, next, type }: RuleContext, from: Renewed['from']): Promise<readonly Json[]> {
  if (from && 'link' in from) {
    const ids = await linkedIds(type, next['id'], from.link)
    // Waits for those who count in them.
    await Promise.all(ids.map((id) => load(from.record, id, { lock: true })))
    return ids
  }
  return [next[from?.column ?? 'id'] ?? null].filter((id) => id !== null)
}
