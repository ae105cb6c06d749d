import { schemaNamed } from './json-schema.js'
import type { Kind } from './kind.js'
import { jsonInCell, jsonInColumn } from './values/json-values.js'
import { pairsIn, readPairs } from './values/pair-list.js'
import { put } from './writers.js'

/**
 * The JSON object of another field as a list of id and value. Definitions cannot have such fields: the catalog adds one for
 * `custom_data` (`compile/compile-fields.ts`).
 */
export const pairsKind: Kind = {
  options: {},
  column: null,
  input: { read: readPairs, cell: jsonInCell },
  filter: null,
  answer: {
    writer(field, { slot }) {
      const at = slot(field.pairsOf ?? '')
      return put(field.name, (cells) => {
        const cell = cells[at]
        return pairsIn(cell === null || cell === undefined ? null : jsonInColumn(cell))
      })
    },
  },
  document: {
    shown: () => ({ type: 'array', items: schemaNamed('custom_field') }),
    neverNull: 'shown',
  },
}
