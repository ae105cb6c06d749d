/** Finds records that become one by their keys. Reads a table once for each part of the keys that fits into memory. */
import { keyOfTexts } from '../plugin/core/text/identity.js'
import type { KeyedTable } from './text-keys.js'
import type { MigrationTools } from './tools.js'

/** Rows of which a part keeps the keys, those that are read at once, and clashes of a group that are listed. */
const [PART, PAGE, LISTED] = [200_000, 2_000, 50]

/** A line for each two records with the same key in a unique group. */
export async function clashesIn(
  schema: MigrationTools,
  table: KeyedTable,
  group: readonly string[],
): Promise<readonly string[]> {
  const [counted] = await schema.knex(schema.table(table.name)).count({ count: '*' })
  const parts = Math.ceil(Number(counted?.['count'] ?? 0) / PART)
  const clashes: string[] = []
  for (let part = 0; part < parts; part += 1) clashes.push(...(await clashesOf(schema, table, group, [part, parts])))
  return clashes.slice(0, LISTED)
}

async function clashesOf(
  { knex, table }: MigrationTools,
  { keys, name }: KeyedTable,
  group: readonly string[],
  [part, parts]: readonly [number, number],
): Promise<readonly string[]> {
  const columns = group.flatMap((column) => keys.get(column)?.of ?? [column])
  const seen = new Map<string, { readonly id: number; readonly texts: string }>()
  const clashes: string[] = []
  for (let last = 0; ; ) {
    const rows = knex(table(name)).where('id', '>', last).orderBy('id').limit(PAGE)
    const page: Record<string, unknown>[] = await rows.select('id', ...columns)
    for (const row of page) {
      const key = keyOfGroup(keys, group, row)
      if (key === null || numberOf(key) % parts !== part) continue
      const texts = columns.slice(1).map((column) => JSON.stringify(row[column]))
      const one = { id: Number(row['id']), texts: texts.join(', ') }
      const other = seen.get(key)
      if (!other) seen.set(key, one)
      else if (clashes.length < LISTED)
        clashes.push(`${table(name)}: ids ${other.id} (${other.texts}) and ${one.id} (${one.texts})`)
    }
    if (page.length < PAGE) return clashes
    last = Number(page.at(-1)?.['id'])
  }
}

/** One key for all values of a unique group; null if it has none. */
function keyOfGroup(keys: KeyedTable['keys'], group: readonly string[], row: Record<string, unknown>): string | null {
  const values = group.map((column) => {
    const key = keys.get(column)
    return key
      ? keyOfTexts(
          key.form,
          key.of.map((text) => row[text]),
        )
      : row[column]
  })
  return keyOfTexts('exact', values)
}

/** A number that is the same for the same key. */
function numberOf(key: string): number {
  return Buffer.from(key, 'base64url').readUInt32BE(0)
}
