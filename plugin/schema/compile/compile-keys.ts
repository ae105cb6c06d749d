/** Which texts of a record type have a key: those by which records are found, and those that must be unique. */
import type { RecordField, RecordImport, TextKey } from '../catalog.js'
import { kindOf } from '../kinds/kinds.js'

/** The name of the column with the key of a text. */
export function keyColumn(column: string): string {
  return `key_of_${column}`.slice(0, 64)
}

/** The two texts with which another system names a record, and their key. */
export const SOURCE_PAIR: readonly string[] = ['source', 'sourceID']
export const SOURCE_KEY = keyColumn('source_pair')

/** Formats whose texts are not those of people: the plugin writes them. */
const OF_A_LIST: readonly (RecordField['format'] | undefined)[] = ['picture', 'locale']

/** The keys of a type, by column. */
export function compileKeys(
  file: RecordImport | null,
  columns: ReadonlyMap<string, RecordField>,
  unique: readonly (readonly string[])[],
  title: string | null,
): ReadonlyMap<string, TextKey> {
  const { key, namedBy, alsoNamedBy } = file ?? {}
  const groups = unique.filter((group) => !isSourcePair(group))
  const isNamedOtherwise = (key ?? namedBy) !== undefined || groups.some((group) => group.length === 1)
  const named = [key, namedBy, alsoNamedBy, isNamedOtherwise || title !== 'name' ? undefined : title]
  const folded = [...columns].filter(([column, field]) => {
    const isMeant = field.ignoreCase || named.includes(column) || groups.some((group) => group.includes(column))
    return isMeant && kindOf(field).isText === true && !OF_A_LIST.includes(field.format)
  })
  const keys = new Map<string, TextKey>(folded.map(([column]) => [keyColumn(column), { of: [column], form: 'folded' }]))
  if (groups.length < unique.length) keys.set(SOURCE_KEY, { of: SOURCE_PAIR, form: 'exact' })
  return keys
}

/** True for the group of source and source ID, which are compared exactly, as a pair. */
export function isSourcePair(columns: readonly string[]): boolean {
  return columns.join() === SOURCE_PAIR.join()
}

/** The columns of the unique index over a group: keys in place of texts. */
export function keyedColumns(keys: ReadonlyMap<string, TextKey>, group: readonly string[]): readonly string[] {
  if (isSourcePair(group)) return [SOURCE_KEY]
  return group.map((column) => (keys.has(keyColumn(column)) ? keyColumn(column) : column))
}
