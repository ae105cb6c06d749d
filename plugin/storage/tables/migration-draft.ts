/** Writes the source text of a migration that creates what is missing, ready for a host to keep. */
import { type ExpectedColumn, type ExpectedTable, isStructure } from '../../schema/derive/expected-tables.js'

/** The missing parts of a table: all of it, or some columns and indexes. */
export interface Missing {
  readonly table: ExpectedTable
  readonly columns: 'all' | readonly ExpectedColumn[]
  readonly unique: ExpectedTable['unique']
  readonly indexes: ExpectedTable['indexes']
}

/** The text of the file, ready to be saved under the name of the migration; empty when nothing is missing. */
export function draftOf(missing: readonly Missing[]): string {
  if (missing.length === 0) return ''
  const up = missing.flatMap(makingOf)
  const down = missing.toReversed().flatMap(undoingOf)
  const used = ['addColumns', 'dropColumns', 'dropTables', 'linkTable', 'partTable', 'recordTable'].filter((name) =>
    [...up, ...down].some((line) => line.includes(`${name}(schema`)),
  )
  return [
    `import { ${[...used, 'type Migration'].join(', ')} } from 'koa-itsm'`,
    '',
    'export const addMissingTables: Migration = {',
    "  name: 'NNNN_add_missing_tables',",
    '',
    '  async up(schema) {',
    ...up,
    '  },',
    '',
    '  async down(schema) {',
    ...down,
    '  },',
    '}',
    '',
  ].join('\n')
}

function makingOf({ table, columns, unique, indexes }: Missing): string[] {
  if (columns === 'all' && table.purpose === 'link') {
    const [from, to] = table.columns
    return [`    await linkTable(schema, ${quoted(table.name, from?.name, to?.name)})`]
  }
  const block = columns !== 'all' ? 'addColumns' : table.purpose === 'part' ? 'partTable' : 'recordTable'
  const made = columns === 'all' ? table.columns.filter((column) => !isStructure(column)) : columns
  return [
    `    await ${block}(schema, ${quoted(table.name)}, (table) => {`,
    ...made.map((column) => `      ${columnOf(column)}`),
    ...unique.map((group) => `      table.unique(${quoted(...group)})`),
    ...indexes.map((group) => `      table.index(${quoted(...group)})`),
    '    })',
  ]
}

function columnOf({ name, method, length, isSized }: ExpectedColumn): string {
  if (method === 'id') return 'table.id()'
  return `table.${method}('${name}'${isSized ? `, ${length}` : ''})`
}

function undoingOf({ table, columns }: Missing): string[] {
  if (columns === 'all') return [`    await dropTables(schema, ${quoted(table.name)})`]
  if (columns.length === 0) return [`    // the indexes of ${table.name} may stay`]
  return [`    await dropColumns(schema, ${quoted(table.name, ...columns.map((column) => column.name))})`]
}

function quoted(...names: (string | undefined)[]): string {
  return names.map((name) => `'${name}'`).join(', ')
}
