/** The tables of the README that follow from the catalog. A spec that fails shows the table as it has to be. */
import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { createPlugin } from '../plugin/index.js'
import { DEFINITION_PARTS, EXTENSION_PARTS } from '../plugin/schema/check/definition-shapes.js'
import type { RecordType } from '../plugin/schema/compile/compile.js'
import { TEST_SECRET } from './support/settings.js'

const { catalog } = createPlugin({
  baseUrl: 'https://desk.example/v1',
  secret: TEST_SECRET,
  database: { url: 'mysql://nobody@nowhere.example/none' },
})

describe('the README', () => {
  it('lists the addresses of all record types', () => {
    const rows = [...catalog.byPath.values()].map((type) => `| \`/${type.path}\` | ${listsOf(type)} | ${belowOf(type)} |`)
    expect(tableIn('addresses')).to.equal(['| Path | Lists | Below a record |', '|---|---|---|', ...rows].join('\n'))
  })

  it('names the record types with public titles', () => {
    const paths = [...catalog.types.values()].filter(({ access }) => access.publicTitle).map(({ path }) => path)
    const readme = readFileSync('README.md', 'utf8').replaceAll('\n  ', ' ')
    expect(readme).to.contain(`Titles are public of ${paths.join(', ').replaceAll('_', ' ')}: `)
  })

  it('lists everything that definitions and extensions take', () => {
    const [, , ...rows] = tableIn('definitions').split('\n')
    const namesWhere = (column: number) =>
      rows.flatMap((row) => {
        const cells = row.split(' | ')
        return cells[column]?.replace(/ \|$/, '') === '–'
          ? []
          : [...(cells[0] ?? '').matchAll(/`(\w+)`/g)].map(([, name]) => name)
      })
    // Their names are the first arguments.
    const partsOf = (parts: object) => Object.keys(parts).filter((name) => name !== 'name' && name !== 'extends')
    expect(namesWhere(1)).to.have.members(partsOf(DEFINITION_PARTS))
    expect(namesWhere(2)).to.have.members(partsOf(EXTENSION_PARTS))
  })

  it('lists the events of all record types', () => {
    const byEvents = new Map<string, string[]>()
    for (const { name, events } of catalog.types.values()) {
      if (events.size === 0) continue
      const key = [...events].map((event) => `\`${event}\``).join(', ')
      byEvents.set(key, [...(byEvents.get(key) ?? []), name])
    }
    const rows = [...byEvents].map(([events, names]) => `| ${names.join(', ')} | ${events} |`)
    expect(tableIn('events')).to.equal(['| Record | Events |', '|---|---|', ...rows].join('\n'))
  })
})

/** The table between `<!-- name -->` and the next empty line. */
function tableIn(name: string): string {
  const readme = readFileSync('README.md', 'utf8')
  const [, rest = ''] = readme.split(`<!-- ${name} -->\n`)
  return rest.split('\n\n')[0] ?? ''
}

function listsOf(type: RecordType): string {
  return coded([...type.lists.keys()])
}

function belowOf(type: RecordType): string {
  const parts = [...type.parts].filter(([, part]) => catalog.type(part).nested.size > 0).map(([path]) => path)
  return coded([...type.children.keys(), ...type.links.keys(), ...type.coverages.keys(), ...parts])
}

function coded(names: readonly string[]): string {
  return names.length === 0 ? '' : names.map((name) => `\`${name}\``).join(', ')
}
