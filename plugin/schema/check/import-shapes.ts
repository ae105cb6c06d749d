/** The shapes of import files in definitions. */
import { ROLES } from '../../core/call.js'
import { type Shape, TEXTS } from '../language/shapes.js'

const COLUMN: Shape = {
  parts: { header: 'text', field: 'text', shows: 'text', mayEndWith: TEXTS, within: 'text', also: 'text' },
  required: ['header', 'field'],
  noun: 'an import column',
}
export const GIVEN_COLUMN: Shape = { either: ['text', COLUMN], called: 'a header, or an import column' }
const ROWS: Shape = {
  parts: { field: 'text', columns: { list: COLUMN } },
  required: ['field', 'columns'],
  noun: 'the rows of an import',
}
export const IMPORT: Shape = {
  parts: {
    type: 'text',
    columns: { list: GIVEN_COLUMN },
    ignored: TEXTS,
    key: 'text',
    namedBy: 'text',
    alsoNamedBy: 'text',
    order: 'number',
    rows: ROWS,
  },
  required: ['type', 'columns', 'order'],
  noun: 'an import',
}
const NAMED: Shape = {
  parts: { header: 'text', field: 'text', source: 'text', sourceID: 'text' },
  required: ['header', 'field'],
  noun: 'the columns that name a record',
}
const CONSTANT: Shape = {
  parts: { header: 'text', value: 'text' },
  required: ['header', 'value'],
  noun: 'a column with one text',
}
const ROLE_COLUMN: Shape = {
  parts: { header: 'text', role: { words: ROLES } },
  required: ['header', 'role'],
  noun: 'the column of a role',
}
const ROLE_COLUMNS: Shape = {
  parts: { account: 'text', columns: { list: ROLE_COLUMN } },
  required: ['account', 'columns'],
  noun: 'the columns of roles',
}
export const PART_IMPORT: Shape = {
  parts: {
    type: 'text',
    order: 'number',
    owner: NAMED,
    relates: { parts: { field: 'text', to: NAMED }, required: ['field', 'to'], noun: 'the columns of a related record' },
    parts: {
      named: {
        parts: { columns: { list: COLUMN }, key: TEXTS },
        required: ['columns', 'key'],
        noun: 'the columns of sub-records',
      },
    },
    link: COLUMN,
    roles: ROLE_COLUMNS,
    replaces: COLUMN,
    constant: CONSTANT,
    headerOrder: TEXTS,
    showsId: 'boolean',
    ignored: TEXTS,
  },
  required: ['type', 'order', 'owner', 'parts'],
  noun: 'an import of sub-records',
}
