/** The tables of fields in behaviour.md are those of the definitions. */
import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { createPlugin } from '../plugin/index.js'
import type { RecordField, RecordType } from '../plugin/schema/catalog.js'
import { keptPairs } from './support/kept-values.js'
import { TEST_SECRET } from './support/settings.js'

const { catalog } = createPlugin({
  baseUrl: 'https://desk.example/v1',
  secret: TEST_SECRET,
  database: { url: 'mysql://nobody@nowhere.example/none' },
})

interface Row {
  readonly names: readonly string[]
  readonly defaults: string
  readonly changes: string
  readonly refused: string
}

/** Types whose fields other sections of the document describe, or that have no rules of their own. */
const ELSEWHERE = ['attachment', 'audit_line', 'note', 'ui_extension_version', 'webhook']
/** Fields that all types share, or that other sections describe. */
const SHARED = ['id', 'source', 'sourceID', 'created_at', 'updated_at']
const NOTHING = '–'
/** What holds for a field without a row. */
const ABSENT: Row = { names: [], defaults: NOTHING, changes: NOTHING, refused: NOTHING }

/** The rows by the names in `<!-- fields: task -->`; a table may be that of two types. */
const tables = new Map(
  [...readFileSync('plugin/docs/behaviour.md', 'utf8').matchAll(/^<!-- fields: (.+) -->\n((?:\|.*\n)+)/gm)].flatMap(
    ([, names = '', table = '']) => names.split(' ').map((name) => [name, rowsOf(table)] as const),
  ),
)
const kept = new Set(keptPairs().map(({ value }) => value))
const isTranslation = ({ name }: RecordType) => name.endsWith('_translation')

describe('the tables of fields in behaviour.md', () => {
  it('are there for every record type', () => {
    const types = [...catalog.types.values()].filter((type) => !isTranslation(type)).map(({ name }) => name)
    expect([...tables.keys(), ...ELSEWHERE]).to.have.members(types)
  })

  for (const [name, rows] of tables) {
    const type = catalog.type(name)
    const rowOf = ({ name: field }: RecordField) => rows.find(({ names }) => names.includes(field)) ?? ABSENT
    const fields = [...type.fields.values()].filter((field) => !field.hidden && !SHARED.includes(field.name))

    describe(`of ${name}`, () => {
      it('name fields and links of the type, each once', () => {
        const named = rows.flatMap(({ names }) => names)
        expect(named).to.deep.equal([...new Set(named)])
        expect(named.filter((one) => !type.fields.has(one) && !type.links.has(one))).to.deep.equal([])
      })

      it('have the defaults of the definition, and no others', () => {
        for (const field of fields) {
          const [, shown] = /^`([^`]+)`/.exec(rowOf(field).defaults) ?? []
          // Booleans are false without being listed.
          if (shown !== undefined || field.default !== false) expect(shown, field.name).to.equal(textOf(field.default))
        }
      })

      it('say which fields are required, and what fills those that callers may omit', () => {
        for (const field of fields) {
          const shown = rowOf(field).defaults
          if (field.required) expect(shown, field.name).not.to.equal(NOTHING)
          if (shown.startsWith('required')) expect(field.required, field.name).to.equal(true)
        }
      })

      it('say how each field that is read-only, or that rules keep, changes by itself', () => {
        for (const field of fields) {
          const changes = rowOf(field).changes
          if (isReadOnly(field)) expect(changes, field.name).to.match(/^Read-only/)
          else expect(changes, field.name).not.to.match(/^Read-only/)
          if (kept.has(`${name}.${field.name}`)) expect(changes, field.name).not.to.equal(NOTHING)
        }
      })

      it('say what rules fill in, and what they refuse', () => {
        for (const { behavior, name: rule } of type.rules) {
          const shown = (names: readonly string[] = []) => fields.filter((field) => names.includes(field.name)).map(rowOf)
          for (const row of shown(behavior.fills)) expect(row.defaults, rule).not.to.equal(NOTHING)
          const refuses = shown(behavior.fields).some(({ refused }) => refused !== NOTHING)
          if (behavior.check || behavior.checkAll) expect(refuses, rule).to.equal(true)
        }
      })

      it('say which values another record must not have, and which can be set only at creation', () => {
        for (const field of fields) {
          const refused = rowOf(field).refused
          const isUnique = type.unique.some(([column, ...others]) => column === field.column && others.length === 0)
          if (isUnique) expect(refused, field.name).to.contain('Taken')
          expect(refused.includes('Only at creation'), field.name).to.equal(field.only === 'create')
        }
      })
    })
  }
})

/** Texts in the language of the caller, and sub-records, are described with translations and with their own types. */
function isReadOnly({ derived, kind, readOnly }: RecordField): boolean {
  return readOnly === true && kind !== 'parts' && derived?.as !== 'translation'
}

function textOf(value: RecordField['default']): string | undefined {
  return value === undefined ? undefined : String(value)
}

function rowsOf(table: string): readonly Row[] {
  return table
    .trimEnd()
    .split('\n')
    .slice(2)
    .map((line) => {
      const [names = '', defaults = '', changes = '', refused = ''] = line.slice(2, -2).split(' | ')
      return { names: [...names.matchAll(/`(\w+)`/g)].map(([, name = '']) => name), defaults, changes, refused }
    })
}
