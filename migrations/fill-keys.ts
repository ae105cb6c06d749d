/** Fills columns with keys of texts in ranges of ids: each statement is short, and locks few rows. */
import { keyOfTexts, normalized } from '../plugin/core/text/identity.js'
import type { KeyedTable } from './text-keys.js'
import type { MigrationTools } from './tools.js'

/** Rows of a range. */
const RANGE = 500

type Row = Readonly<Record<string, unknown>>

/** Rows whose keys are right already are left alone, so that an interrupted run goes on where it was. */
export async function fillKeys({ knex, table }: MigrationTools, { keys, name }: KeyedTable): Promise<void> {
  const texts = [...new Set([...keys.values()].flatMap(({ of }) => of))]
  for (let last = 0; ; ) {
    const rows = knex(table(name)).where('id', '>', last).orderBy('id').limit(RANGE)
    const page: readonly Row[] = await rows.select('id', ...texts, ...keys.keys())
    const changed = page.map((row) => ({ id: Number(row['id']), changes: changesOf(row, keys, texts) }))
    for (const column of [...keys.keys(), ...texts]) {
      const some = changed.filter(({ changes }) => changes[column] !== undefined)
      if (some.length === 0) continue
      const cases = some.map(() => 'when ? then ?').join(' ')
      const values = some.flatMap(({ changes, id }) => [id, changes[column] ?? null])
      const ids = some.map(({ id }) => id)
      await knex.raw(`update ?? set ?? = case id ${cases} end where id in (${ids.map(() => '?').join(', ')})`, [
        table(name),
        column,
        ...values,
        ...ids,
      ])
    }
    if (page.length < RANGE) return
    last = Number(page.at(-1)?.['id'])
  }
}

/** The keys that a row does not have yet, and texts in the form in which they are stored from now on. */
function changesOf(row: Row, keys: KeyedTable['keys'], texts: readonly string[]): { readonly [column: string]: string } {
  const changes: { [column: string]: string } = {}
  for (const [column, { form, of }] of keys) {
    const key = keyOfTexts(
      form,
      of.map((text) => row[text]),
    )
    if (key !== null && key !== row[column]) changes[column] = key
  }
  for (const column of texts) {
    const text = row[column]
    const form = typeof text === 'string' ? normalized(text) : null
    // A few letters become two, for which there may be no room.
    if (typeof text === 'string' && form !== null && form !== text && form.length <= text.length) changes[column] = form
  }
  return changes
}
