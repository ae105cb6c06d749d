/** Keys of texts in tables, by which records are looked for (behaviour: Identity). `row-form.ts` writes them. */
import { foldedKey } from '../../core/text/identity.js'
import type { RecordType } from '../../schema/catalog.js'
import { keyColumn } from '../../schema/compile/compile-keys.js'
import type { Column } from '../../schema/kinds/kind.js'
import { columnOf } from '../../schema/kinds/kinds.js'

/** The form of a key that a text is compared with. */
export const FOLDED_KEY: Column = { ...columnOf({ kind: 'string' }), encode: (text) => foldedKey(String(text)) }

/** The column with the key of a text; null if it has none. */
export function keyColumnOf(type: RecordType, column: string | null): string | null {
  const key = keyColumn(column ?? '')
  return type.keys.has(key) ? key : null
}
