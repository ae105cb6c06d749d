/** Sub-records that put the records of a link in an order: one comes before the other (behaviour: Change templates). */
import { closingPair } from '../../core/closing-pair.js'
import { type Row, type RuleContext, rule } from '../../schema/language/define-rule.js'
import { MAX_ORDERED } from '../../schema/language/relations.js'
import { ownerKey, siblingsOf } from './owner-of.js'

interface Settings {
  /** The fields with the record that comes first, and with the one after it. */
  readonly before: string
  readonly after: string
  /** The code for a record that is not linked with the owner. */
  readonly code: string
}

/**
 * Both records must be linked with the owner, and none may come before itself, over any number of others. Locks the owner, so
 * that two transactions cannot each add half of a cycle, or unlink meanwhile. At most 1,000 for one owner.
 */
export const ordersLinked = rule('ordersLinked', (link: string, { after, before, code }: Settings) => ({
  fields: [before, after],
  async checkAll(contexts) {
    const placed = contexts.filter(({ changed, fieldOf }) => [before, after].some((name) => changed(fieldOf(name).column)))
    await Promise.all(placed.map(({ load, next }) => load(String(next['owner_type']), next['owner_id'], { lock: true })))
    await Promise.all(placed.flatMap((context) => [before, after].map((name) => checkLinked(context, name, link, code))))
    const siblings = await Promise.all(placed.map(siblingsOf))
    const owners = new Map(placed.map(({ next }, index) => [ownerKey(next), siblings[index] ?? []]))
    for (const [owner, stored] of owners) {
      const given = contexts.filter(({ next }) => ownerKey(next) === owner)
      const others = stored.filter(({ id }) => given.every(({ next }) => next['id'] !== id))
      if (others.length + given.length > MAX_ORDERED)
        for (const { fail } of given) fail('base', 'too_many', { max: MAX_ORDERED })
      else for (const { fail } of closing(others, given, { before, after })) fail(after, 'cycle')
    }
  },
}))

async function checkLinked(
  { fail, fieldOf, linked, next }: RuleContext,
  field: string,
  link: string,
  code: string,
): Promise<void> {
  const id = next[fieldOf(field).column] ?? null
  // A missing one is reported by the check of required fields.
  if (id !== null && !(await linked(String(next['owner_type']), next['owner_id'], link, id))) fail(field, code)
}

/** The given pairs that close a cycle, each together with the stored pairs and those before it. */
function closing(
  stored: readonly Row[],
  given: readonly RuleContext[],
  { after, before }: Omit<Settings, 'code'>,
): readonly RuleContext[] {
  const found: RuleContext[] = []
  const [first] = given
  if (!first) return found
  const columns = [first.fieldOf(before).column, first.fieldOf(after).column] as const
  const pairOf = (row: Row) => columns.map((column) => row[column] ?? null)
  const isPair = (row: Row) => !pairOf(row).includes(null)
  const others = stored.filter(isPair)
  let open = given.filter(({ next }) => isPair(next))
  for (;;) {
    const pairs = [...others, ...open.map(({ next }) => next)].map((row) => pairOf(row).map(Number))
    const wrong = open[closingPair(pairs) - others.length]
    if (!wrong) return found
    found.push(wrong)
    open = open.filter((one) => one !== wrong)
  }
}
