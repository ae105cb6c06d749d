/**
 * The README, and the tables of the documents for hosts that follow from the catalog and from the options. A spec that fails shows
 * the table as it has to be.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { expect } from 'chai'
import { createPlugin } from '../plugin/index.js'
import type { Catalog, RecordType } from '../plugin/schema/catalog.js'
import { DEFINITION_PARTS, EXTENSION_PARTS } from '../plugin/schema/check/definition-shapes.js'
import { importKinds } from '../plugin/schema/derive/import-kinds.js'
import { readFixtures } from '../plugin/testing/index.js'
import { DEFAULT_LANGUAGE, WORD_LANGUAGES } from '../plugin/words/languages.js'
import { optionTables } from './support/option-rows.js'
import { TEST_SECRET } from './support/settings.js'
import { vehicle } from './support/vehicle.js'

const SETTINGS = {
  baseUrl: 'https://desk.example/v1',
  secret: TEST_SECRET,
  database: { url: 'mysql://nobody@nowhere.example/none' },
}
const { catalog } = createPlugin(SETTINGS)
const BEHAVIOR = 'plugin/docs/behaviour.md'
const API = 'plugin/docs/api.md'
const GUIDES = 'plugin/docs/guides'
const REFERENCE = 'plugin/docs/reference'
/** Lines that the README may have: who wants to know more reads a guide. */
const MAX_LINES = 300
/** The features that the head names, with the sections of the changelog about them. */
const FEATURES: Readonly<Record<string, readonly string[]>> = {
  Records: ['Other record types', 'Audit trail', 'Attachments and pictures'],
  Lifecycles: ['Changes, projects, tasks and problems'],
  'Service levels': ['Service levels and calendars'],
  Monitoring: ['Requests and events of monitoring tools'],
  Webhooks: ['Events, listeners, webhooks and mails'],
  'Imports and exports': ['Imports'],
  'Multi-tenant': ['Accounts and permissions'],
  'Sign-in': ['Signing in and tokens'],
  Operation: ['Several processes, outages and speed'],
  Console: ['Console'],
  OpenAPI: ['OpenAPI and generated clients'],
  'Your own types and rules': ['Record types of your own', 'Rules and hooks of your own'],
  Languages: ['Languages and messages'],
}
/** Sections of the changelog about no single feature. */
const NO_FEATURES = [
  ...['What a host must do', 'Installing, options and your own code', 'Calls over HTTP'],
  'Tests, examples and development',
]

describe('the documents for hosts', () => {
  it('lists the addresses of all record types', () => {
    const rows = [...catalog.byPath.values()].map((type) => `| \`/${type.path}\` | ${listsOf(type)} | ${belowOf(type)} |`)
    expect(tableIn(API, 'addresses')).to.equal(['| Path | Lists | Below a record |', '|---|---|---|', ...rows].join('\n'))
  })

  it('lists the options and hooks', () => {
    const { options, hooks } = optionTables()
    const page = textOf(`${REFERENCE}/options.md`)
    expect(page).to.contain(`\n${options}\n`)
    expect(page).to.contain(`\n${hooks}\n`)
  })

  it('names the record types with public titles', () => {
    const paths = [...catalog.types.values()].filter(({ access }) => access.publicTitle).map(({ path }) => path)
    const security = textOf(`${GUIDES}/operating.md`).replaceAll('\n  ', ' ')
    expect(security).to.contain(`Titles are public of ${paths.join(', ').replaceAll('_', ' ')}: `)
  })

  it('lists everything that definitions and extensions take', () => {
    const [, , ...rows] = tableIn(`${GUIDES}/own-type.md`, 'definitions').split('\n')
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

  it('lists the people of the world of fixtures', () => {
    const people = readFixtures('fixtures').world.records.filter(({ type }) => type === 'person')
    const rows = people.map(({ account, body, name, roles = {} }) => {
      const held = Object.entries(roles).map(([at, some]) => some.join(', ') + (at === account ? '' : ` in ${at}`))
      const employer = String(body['organization_id']).replace(/^@/, '').replaceAll('-', ' ')
      return `| \`@${name}\` | ${employer} | ${held.join('; ').replaceAll('_', ' ') || '–'} |`
    })
    expect(tableIn(`${GUIDES}/tests.md`, 'world')).to.equal(
      ['| Name | Works for | Roles |', '|---|---|---|', ...rows].join('\n'),
    )
  })

  it('lists the events of all record types', () => {
    const byEvents = new Map<string, string[]>()
    for (const { name, events } of catalog.types.values()) {
      if (events.size === 0) continue
      const key = [...events].map((event) => `\`${event}\``).join(', ')
      byEvents.set(key, [...(byEvents.get(key) ?? []), name])
    }
    byEvents.set('`completed`', ['import'])
    const rows = [...byEvents].map(([events, names]) => `| ${names.join(', ')} | ${events} |`)
    expect(tableIn(`${GUIDES}/webhooks.md`, 'events')).to.equal(['| Record | Events |', '|---|---|', ...rows].join('\n'))
  })

  it('has a row for each type of import, and so has the list of them', () => {
    const [, table = ''] = textOf(`${GUIDES}/imports.md`).split('\n| `type` | Records are found by')
    expect(namesIn(table.split('\n\n')[0]?.replace(/ \| [^\n]*$/gm, '') ?? '')).to.have.members(importTypes(catalog))
    const [, listed = ''] = textOf(BEHAVIOR).split('\nIn this version:\n')
    expect(namesIn(listed.split('\n\nHosts ')[0] ?? '')).to.have.members(importTypes(catalog))
  })
})

describe('the README', () => {
  const text = textOf('README.md')

  it(`has less than ${MAX_LINES} lines`, () => {
    expect(text.split('\n').length).to.be.below(MAX_LINES)
  })

  it('leads to each guide, and to the other documents for hosts', () => {
    const guides = readdirSync(GUIDES).map((file) => `${GUIDES}/${file}`)
    const others = [`${REFERENCE}/README.md`, API, 'plugin/docs/permissions.md', BEHAVIOR, 'plugin/docs/lifecycles.md']
    const [, list = ''] = text.split('\n## Where next\n')
    for (const path of [...guides, ...others]) expect(list.split('\n## ')[0]).to.contain(`](${path})`)
  })
})

describe('each guide', () => {
  for (const file of readdirSync(GUIDES)) {
    it(`${file} begins with what its reader gets`, () => {
      expect(textOf(`${GUIDES}/${file}`)).to.match(/^# [A-Z][^\n]+\n\nYou get /)
    })
  }
})

describe('the head of the README', () => {
  const head = textOf('README.md').split('\n## ')[0] ?? ''
  const bullets = [...head.matchAll(/^- \*\*(.+?)\*\*: ((?:.|\n {2})+)/gm)].map(([, name = '', text = '']) => ({ name, text }))
  const packed = JSON.parse(textOf('package.json')) as {
    readonly version: string
    readonly license: string
    readonly engines: { readonly node: string }
  }
  const minorOf = (version: string) => version.split('.', 2).join('.')

  it('names the version of the package, which the changelog has first', () => {
    expect(head).to.contain(`\nVersion ${minorOf(packed.version)} · `)
    expect(/^## (\S+)/m.exec(textOf('CHANGELOG.md'))?.[1]).to.equal(packed.version)
  })

  it('and each earlier version there has the date of its release, and at most one place for the steps of hosts', () => {
    const [, first = '', ...earlier] = textOf('CHANGELOG.md').split(/^## /m)
    expect(first).to.match(/^\d+\.\d+\.\d+ \((unreleased|\d{4}-\d\d-\d\d)\)\n/)
    for (const version of earlier) expect(version).to.match(/^\d+\.\d+\.\d+ \(\d{4}-\d\d-\d\d\)\n/)
    for (const version of [first, ...earlier]) expect(version.split('### What a host must do\n').length).to.be.at.most(2)
  })

  it('names what the package requires', () => {
    expect(head).to.contain(` · Node ${minorOf(packed.engines.node.replace('>=', ''))}+, `)
    expect(head).to.contain(`·\n${packed.license} license`)
  })

  it('counts the collections', () => {
    expect(/\[(\d+) collections\]\(plugin\/docs\/api\.md\)/.exec(head)?.[1]).to.equal(String(catalog.byPath.size))
  })

  it('counts the types of imports', () => {
    expectImports(head, catalog)
  })

  it('is out of date as soon as there is one more type of import', () => {
    const more = createPlugin({ ...SETTINGS, records: [vehicle] }).catalog
    const [now = 0, then = 0] = [catalog, more].map((one) => importTypes(one).length)
    expect(importTypes(more)).to.have.members([...importTypes(catalog), 'vehicles'])
    expect(() => expectImports(head, more)).to.throw(`'${then}'`)
    expectImports(head.replace(`[${now} types]`, `[${then} types]`), more)
  })

  it('names the languages of the messages', () => {
    const names = WORD_LANGUAGES.map((id) => new Intl.DisplayNames(DEFAULT_LANGUAGE, { type: 'language' }).of(id) ?? '')
    const list = new Intl.ListFormat('en-GB').format(names)
    expect(bullets.find(({ name }) => name === 'Languages')?.text).to.contain(`in ${list};`)
  })

  it('names the features that the changelog has a section about, and no others', () => {
    expect(bullets.map(({ name }) => name)).to.deep.equal(Object.keys(FEATURES))
    const [, version = ''] = textOf('CHANGELOG.md').split(/^## /m)
    const sections = [...version.matchAll(/^### (.+)$/gm)].map(([, section]) => section)
    expect(sections).to.have.members([...Object.values(FEATURES).flat(), ...NO_FEATURES])
  })

  it('has a link for each feature but the languages', () => {
    const without = bullets.filter(({ text }) => !/\]\(plugin\/docs\//.test(text)).map(({ name }) => name)
    expect(without).to.deep.equal(['Languages'])
  })

  it('says what is not included, in the words of the list of what is not built', () => {
    const [, missing = ''] =
      /\nNot included yet: ([^.]+)\.\n\[Details\]\(plugin\/docs\/behaviour\.md#not-built\)/.exec(head) ?? []
    const [, built = ''] = textOf(BEHAVIOR).split('\n### Not built\n')
    const listed = built.toLowerCase().replace(/\s+/g, ' ')
    const things = missing.split(/, (?:and )?/)
    expect(things).to.have.length.above(4)
    expect(things.filter((thing) => !listed.includes(thing))).to.deep.equal([])
  })
})

/** Checks that a text has the number of all types of imports. The table of the section names them. */
function expectImports(text: string, of: Catalog): void {
  const [, count] = /CSV files of \[(\w+) types\]\(plugin\/docs\/guides\/imports\.md\)/.exec(text) ?? []
  expect(count).to.equal(String(importTypes(of).length))
}

function importTypes(of: Catalog): readonly string[] {
  return importKinds(of).map(({ type }) => type)
}

/** All texts in backticks. */
function namesIn(text: string): readonly string[] {
  return [...text.matchAll(/`(\w+)`/g)].map(([, name = '']) => name)
}

function textOf(file: string): string {
  return readFileSync(file, 'utf8')
}

/** The table of a document between `<!-- name -->` and the next empty line. */
function tableIn(file: string, name: string): string {
  const [, rest = ''] = textOf(file).split(`<!-- ${name} -->\n`)
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
