import type { Json } from '../../schema/kinds/fields.js'
import { type OtherRecords, type Row, type RuleContext, rule } from '../../schema/language/define-rule.js'
import { highest, IMPACTS } from '../workflow/progress.js'

/**
 * Keeps the impact of the record that a field refers to: the highest one of all records of the account that refer to it and meet
 * the tests; empty without any (behaviour: Services).
 *
 * The referenced records are locked first, those with the lowest id before the others: transactions that change the impacts of
 * two records around the same one wait for each other there, and the later one sees both.
 */
export const passesImpact = rule('passesImpact', (field: string, tests: Tests) => ({
  fields: [field, 'impact', ...Object.keys(tests)],
  alsoOnUndo: true,
  keeps: { [`${field}.impact`]: [field, 'impact', ...Object.keys(tests)] },
  begins: true,
  async writtenAll(contexts, others) {
    await passOn(field, tests, contexts, others)
  },
  async removed(context) {
    await passOn(field, tests, [{ ...context, before: context.next, next: {} }], context)
  },
}))

/** Values by field. */
interface Tests {
  readonly [field: string]: readonly string[]
}

async function passOn(field: string, tests: Tests, contexts: readonly RuleContext[], { saveAll }: OtherRecords) {
  const [first] = contexts
  const { column, record } = first?.fieldOf(field) ?? { column: field, record: '' }
  if (!first || !record) return
  /** Record and impact that a row counts for; null if it does not count. */
  const countOf = (row: Row | null): readonly [to: Json, impact: Json] | null => {
    const counts = row !== null && Object.entries(tests).every(([name, values]) => values.includes(String(row[name])))
    return counts && row[column] && row['impact'] ? [row[column], row['impact']] : null
  }
  const touched = new Set<number>()
  for (const { before, next } of contexts) {
    const [was, is] = [countOf(before), countOf(next)]
    if (was?.[0] === is?.[0] && was?.[1] === is?.[1]) continue
    for (const count of [was, is]) if (count) touched.add(Number(count[0]))
  }
  const ids = [...touched].sort((a, b) => a - b)
  const owners = await Promise.all(ids.map((id) => first.load(record, id, { lock: true })))
  // Records of other accounts are not changed: people there would not see the cause.
  const own = owners.filter((row) => row !== null).filter((row) => row['account_id'] === first.call.account.id)
  const found = await Promise.all(own.map(({ id }) => first.valuesOf(first.type, 'impact', field, id, tests)))
  const items = own.flatMap((row, index) => {
    const impacts = (found[index] ?? []).map((impact) => (typeof impact === 'string' ? impact : null))
    const impact = highest(impacts, IMPACTS)
    const body = { impact: impact === 'none' ? null : impact }
    return body.impact === (row['impact'] ?? null) ? [] : [{ id: Number(row['id']), body }]
  })
  await saveAll(record, items)
}
