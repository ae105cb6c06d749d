import { expect } from 'chai'
import { records } from '../plugin/records/records.js'
import { FIELD_KINDS } from '../plugin/schema/kinds/kinds.js'
import { type Source, sourcesIn } from './support/sources.js'

/** What each folder of plugin/ may import of the others. Files at the top level are listed by themselves. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  core: [],
  schema: ['core'],
  rules: ['core', 'schema'],
  records: ['core', 'schema', 'rules'],
  storage: ['core', 'schema'],
  access: ['core', 'schema', 'storage'],
  events: ['core', 'schema', 'storage'],
  files: ['core', 'schema', 'storage', 'access'],
  operations: ['core', 'schema', 'storage', 'access', 'events', 'files'],
  mails: ['core', 'schema', 'storage', 'access'],
  webhooks: ['core', 'schema', 'storage', 'access', 'events', 'operations'],
  imports: ['core', 'schema', 'storage', 'access', 'events', 'operations'],
  monitoring: ['core', 'schema', 'storage', 'access', 'operations'],
  jobs: ['core', 'schema', 'storage', 'access', 'events', 'operations', 'mails', 'webhooks', 'imports'],
  http: ['core', 'schema', 'access', 'events', 'files', 'operations', 'webhooks', 'imports', 'monitoring'],
}
/**
 * What the rooms of a folder may import of each other, types aside. Files beside the rooms put them together: rooms of operations/
 * take no values from these.
 */
const ROOMS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  operations: {
    read: [],
    work: ['read', 'save'],
    save: ['read', 'work', 'links', 'parts'],
    links: ['read', 'work', 'save'],
    parts: ['read', 'save'],
    top: ['read', 'work', 'save', 'links', 'parts'],
  },
  schema: {
    kinds: ['derive', 'top'],
    derive: ['kinds', 'check', 'compile', 'top'],
    check: ['kinds', 'derive', 'compile', 'top'],
    compile: ['kinds', 'check', 'top'],
    top: ['kinds', 'check'],
  },
}
/** These stand above all folders; only `create-plugin.ts` knows the record types. */
const ABOVE = [
  'create-plugin.ts',
  'index.ts',
  'options.ts',
  'plugin.ts',
  'settings.ts',
  'check-options.ts',
  'check-values.ts',
  'check-names.ts',
]
/** For hosts: a user of the plugin, not a part of it. */
const BESIDE = ['testing']

/** Tables of data may be long. */
const TABLES = /^(plugin\/core\/words\/|plugin\/records\/|migrations\/\d)/
const AIM = 250
const LIMIT = 400
/** Longer than the aim, and looked at: each says why it is one file. A file that shrinks must be taken off the list. */
const LONGER: Readonly<Record<string, string>> = {
  'plugin/webhooks/deliver.ts': 'the life of one delivery',
  'plugin/webhooks/queue.ts': 'the queries of one table',
}
/** Where names of record types may stand besides records/, rules/ and http/endpoints/. */
const MAY_NAME_TYPES =
  /^plugin\/(records|rules|http\/endpoints|testing)\/|^plugin\/schema\/built-in-types\.ts$|^plugin\/core\/words\//

/** Kinds of fields with values of their own. The others are relations between records, which all code knows. */
const VALUE_KINDS = new Set<string>(
  FIELD_KINDS.filter((kind) => !['ref', 'refs', 'part', 'parts', 'owner', 'pairs'].includes(kind)),
)
/** Code that must know a certain kind, because a field with a name that we reserve has to be of it. */
const ASK_FOR_A_KIND: Readonly<Record<string, string>> = {
  'plugin/schema/compile/compile.ts datetime': 'lists are sorted by the time updated_at',
  'plugin/schema/compile/compile-fields.ts json': 'custom_data has custom_fields beside it',
  'plugin/schema/openapi/examples.ts boolean': 'an example needs a value where a fixture leaves it open',
  'plugin/schema/openapi/values.ts integer': 'the id of a reference under a name of its own',
}

const plugin = sourcesIn('plugin')
const everything = [...plugin, ...sourcesIn('migrations')]
const folderOf = (path: string) => (path.startsWith('plugin/') ? (path.split('/').at(1) ?? '') : '')
/** The places at which the code (not its comments and strings) matches. */
const placesOf = ({ path, code }: Source, pattern: RegExp) =>
  code.split('\n').flatMap((line, index) => (pattern.test(line) ? [`${path}:${index + 1} ${line.trim()}`] : []))

describe('the architecture', () => {
  it('knows every folder', () => {
    const folders = new Set(plugin.map(({ path }) => folderOf(path)))
    expect([...folders].sort()).to.deep.equal(
      [...Object.keys(MAY_IMPORT), ...ABOVE, ...BESIDE].filter((name) => folders.has(name)).sort(),
    )
  })

  it('lets imports point one way', () => {
    const wrong = plugin.flatMap((source) => {
      const folder = folderOf(source.path)
      const allowed = MAY_IMPORT[folder]
      if (!allowed) return []
      return source.imports.flatMap((one) => {
        const other = folderOf(one.path)
        const isAllowed = one.path === '' || other === folder || allowed.includes(other)
        // Migrations are made of the same blocks that the tables are checked by, and are run by the storage.
        const isMigration = folder === 'storage' && one.path.startsWith('migrations/')
        return isAllowed || isMigration ? [] : [`${source.path} imports ${one.path}`]
      })
    })
    expect(wrong).to.deep.equal([])
  })

  for (const [folder, rooms] of Object.entries(ROOMS)) {
    it(`keeps the rooms of ${folder}/ apart`, () => {
      const roomOf = (path: string) => {
        const [room = '', inside] = path.slice(`plugin/${folder}/`.length).split('/')
        return inside === undefined ? 'top' : room
      }
      const own = plugin.filter(({ path }) => folderOf(path) === folder)
      const wrong = own.flatMap(({ path, imports }) =>
        imports
          .filter((one) => !one.typeOnly && one.path.startsWith(`plugin/${folder}/`))
          .filter((one) => roomOf(one.path) !== roomOf(path) && !rooms[roomOf(path)]?.includes(roomOf(one.path)))
          .map((one) => `${path} imports ${one.path}`),
      )
      expect(wrong).to.deep.equal([])
      expect([...new Set(own.map(({ path }) => roomOf(path)))].sort()).to.deep.equal(Object.keys(rooms).sort())
    })
  }

  it('has no circles of imports', () => {
    const graph = new Map(
      plugin.map(({ path, imports }) => [path, imports.filter((one) => !one.typeOnly && one.path).map((one) => one.path)]),
    )
    const done = new Set<string>()
    const circles: string[] = []
    const walk = (path: string, trail: readonly string[]): void => {
      if (trail.includes(path)) circles.push([...trail.slice(trail.indexOf(path)), path].join(' → '))
      else if (!done.has(path)) {
        for (const next of graph.get(path) ?? []) walk(next, [...trail, path])
        done.add(path)
      }
    }
    for (const path of graph.keys()) walk(path, [])
    expect(circles).to.deep.equal([])
  })

  it('lets nobody but create-plugin.ts see the record types', () => {
    const seen = everything.filter(
      ({ path, imports }) =>
        !path.startsWith('plugin/records/') && imports.some((one) => one.path.startsWith('plugin/records/')),
    )
    expect(seen.map(({ path }) => path)).to.deep.equal(['plugin/create-plugin.ts'])
  })

  it('keeps the database out of http/, and HTTP and the database out of the schema', () => {
    const barred: Readonly<Record<string, RegExp>> = {
      http: /^(knex|objection|mysql2|libsql|mongodb|agenda)\b/,
      schema: /^(koa|knex|objection|mysql2|mongodb|agenda|undici)\b/,
      rules: /^(koa|knex|objection|mysql2|mongodb|agenda|undici)\b/,
      core: /^(koa|knex|objection|mysql2|mongodb|agenda|undici)\b/,
      operations: /^(koa|agenda|mongodb|undici)\b/,
    }
    const wrong = plugin.flatMap(({ path, imports }) => {
      const bar = barred[folderOf(path)]
      return imports.filter((one) => bar?.test(one.name)).map((one) => `${path} imports ${one.name}`)
    })
    // Rules of hosts get a knex: a type, and no code.
    expect(wrong).to.deep.equal(['plugin/schema/language/rule-context.ts imports knex'])
    const ofRules = plugin.find(({ path }) => path === 'plugin/schema/language/rule-context.ts')
    expect(ofRules?.imports.every(({ typeOnly }) => typeOnly)).to.equal(true)
  })

  it('never binds models to a database for everybody', () => {
    expect(plugin.flatMap((source) => placesOf(source, /\bModel\.knex\(/))).to.deep.equal([])
  })

  it('keeps files small', () => {
    const lengths = everything.map(({ path, text }) => [path, text.split('\n').length - 1] as const)
    const above = lengths.filter(([path, lines]) => lines > AIM && !TABLES.test(path))
    expect(above.map(([path]) => path).filter((path) => !(path in LONGER))).to.deep.equal([])
    expect(Object.keys(LONGER).filter((path) => !above.some(([other]) => other === path))).to.deep.equal([])
    expect(lengths.filter(([, lines]) => lines > LIMIT)).to.deep.equal([])
  })

  it('tells record types apart by definition and not by name', () => {
    const names = new Set(records.map(({ name }) => name))
    const named = plugin
      .filter(({ path }) => !MAY_NAME_TYPES.test(path))
      .flatMap(({ path, strings }) =>
        strings.flatMap(({ text, line, before, after }) => {
          const isName = names.has(text) && !/^\s*:/.test(after) && !/\b(from|import) $/.test(before)
          return isName ? [`${path}:${line} '${text}'`] : []
        }),
      )
    expect(named).to.deep.equal([])
  })

  it('asks what a kind of field can do, and not which one it is', () => {
    // Definitions are checked for fields of a certain kind: an id is an integer.
    const general = plugin.filter(({ path }) => !/^plugin\/schema\/(kinds|check)\//.test(path))
    const linesOf = (pattern: RegExp) =>
      general.flatMap(({ path, text }) =>
        text.split('\n').flatMap((line) => [...line.matchAll(pattern)].map(([, kind = '']) => [path, kind] as const)),
      )
    const asked = linesOf(/\bkind\)? [!=]== '(\w+)'/g).filter(([, kind]) => VALUE_KINDS.has(kind))
    expect(linesOf(/\bswitch \((?:\w+\.)*kind\)/g)).to.deep.equal([])
    expect(asked.map(([path, kind]) => `${path} ${kind}`).sort()).to.deep.equal(Object.keys(ASK_FOR_A_KIND).sort())
  })

  it('has no any, no ! and no unfinished business', () => {
    const wrong = everything.flatMap((source) => [
      ...placesOf(source, /(:|<|\bas|\||,) ?any\b(?!\s*:)|\bany(\[\]|>)/),
      ...placesOf(source, /[\w)\]]!(\.|\[|\)|,|;|$)/),
      ...source.text
        .split('\n')
        .flatMap((line, index) =>
          /\b(TODO|FIXME|XXX|HACK)\b|@ts-(ignore|expect-error)/.test(line) ? [`${source.path}:${index + 1}`] : [],
        ),
    ])
    expect(wrong).to.deep.equal([])
  })

  it('has no state that instances would share', () => {
    const wrong = everything.flatMap((source) => {
      const collections = [
        ...source.code.matchAll(/^(?:export )?const (\w+)(?:: [^=]+)? = (?:new (?:Map|Set|WeakMap|WeakSet)\b|\[|\{|Object)/gm),
      ]
      return [
        ...placesOf(source, /^(export )?(let|var) /),
        ...collections.flatMap(([, name]) => [
          ...placesOf(
            source,
            new RegExp(`(?<![.\\w])${name}\\.(set|add|delete|clear|push|pop|shift|unshift|splice|sort|reverse|fill)\\(`),
          ),
          ...placesOf(source, new RegExp(`(?<![.\\w])${name}(\\.\\w+|\\[[^\\]]+\\]) (\\?\\?|\\|\\||[-+*])?= `)),
        ]),
      ]
    })
    expect(wrong).to.deep.equal([])
  })

  it('has one way to wait longer after each failure, and one to split what is too much for a statement', () => {
    const waits = /\bPAUSES\b.*\[\d|\bfor \(const pause\b|\b2 \*\* \(/
    const splits = /\bfor \(let \w+ = 0; .*\+= [A-Za-z](?!.*\.subarray\()/
    const elsewhere = (pattern: RegExp, home: string) =>
      plugin.filter(({ path }) => path !== home).flatMap((source) => placesOf(source, pattern))
    expect(elsewhere(waits, 'plugin/core/waiting/backoff.ts')).to.deep.equal([])
    expect(elsewhere(splits, 'plugin/core/chunks.ts')).to.deep.equal([])
  })

  it('logs errors under the name that loggers know: pino writes any other one as {}', () => {
    const wrong = plugin.flatMap((source) => placesOf(source, /(\blog\.\w+\(|\bdetails = )\{ ?error\b/))
    expect(wrong).to.deep.equal([])
  })

  it('exports by name', () => {
    expect(everything.flatMap((source) => placesOf(source, /^export default\b/))).to.deep.equal([])
  })

  it('calls files by what they are, in kebab-case', () => {
    const words = /(^|[-/])(helpers?|utils?|managers?|handlers?|misc|common|base|entity|entities|item|items)(-|\.|\/)/
    const wrong = everything.filter(
      ({ path }) =>
        !/^[a-z0-9/.-]+$/.test(path.replace(/^migrations\/\d{4}_[a-z_]+/, '')) ||
        (words.test(path) && !path.endsWith('/common-fields.ts') && !path.endsWith('/common-headers.ts')),
    )
    expect(wrong.map(({ path }) => path)).to.deep.equal([])
  })
})
