import { basename } from 'node:path'
import { expect } from 'chai'
import { records } from '../plugin/records/records.js'
import { FIELD_KINDS } from '../plugin/schema/language/field.js'
import { circlesIn } from './support/circles.js'
import { dependenciesIn, dependencyMembers } from './support/dependencies.js'
import { ABOVE, BESIDE, COMMAND_LINE_MAY_IMPORT, folderOf, MAY_IMPORT, ROOMS } from './support/rooms.js'
import { type Import, type Source, sourcesIn } from './support/sources.js'

/** Members of dependencies with which functions of `operations/` reach others than their caller after the commit. */
const NOTIFIES = ['dispatchPending', 'expectTimers', 'wakeDispatch', 'wakeMails']
/** What no dependencies have that functions of a room of `operations/` take. Without `storage` there is no transaction either. */
const MUST_NOT_TAKE: Readonly<Record<string, readonly string[]>> = {
  read: ['afterWrite', 'before', 'storage', 'validators', 'writer', ...NOTIFIES],
  work: ['afterWrite', 'before', 'validators', 'writer', ...NOTIFIES],
  linking: ['afterWrite', 'before', 'validators', ...NOTIFIES],
  people: ['afterWrite', 'before', 'validators', ...NOTIFIES],
}

/** What `create-plugin.ts` imports past the door of a folder. A door is the file that has the name of its folder: `files/files.ts`. */
const PAST_THE_DOOR: Readonly<Record<string, string>> = {
  'plugin/core/waiting/ask-host.ts': 'core is no room with a door: everybody takes single words from it',
  'plugin/core/waiting/traffic.ts': 'the same: requests, and the work that gives way to them, share it',
  'plugin/access/sign-in/sign-in.ts': 'a door of its own: signing in creates people by the operations, which need access',
}

/** How many names of files may occur twice in plugin/: who looks for a file by its name should find one. */
const SHARED_NAMES = 15
/** Every folder may have them. */
const NOT_COUNTED = /^(index|en|de|fr|nl)\.ts$/

/** Tables of data may be long. */
const TABLES = /^(plugin\/words\/|plugin\/core\/time\/time-zones|plugin\/records\/|migrations\/\d)/
const AIM = 250
const LIMIT = 400
/** Specs stand one after the other, so that their files may be longer. */
const LIMIT_OF_SPECS = 600
/** Longer than the aim, and looked at: each says why it is one file. A file that shrinks must be taken off the list. */
const LONGER: Readonly<Record<string, string>> = {}
/** Where `any` may stand, and why. */
const MAY_SAY_ANY: Readonly<Record<string, string>> = {
  'plugin/schema/language/known-field.ts': 'the compiler compares arguments with it at a glance, and nothing is assigned to it',
}

/** Where names of record types may stand besides records/, rules/ and http/endpoints/. Pages are a client: they know names alone. */
const MAY_NAME_TYPES =
  /^plugin\/(records|rules|http\/endpoints|testing)\/|^plugin\/console\/browser\/|^plugin\/schema\/language\/built-in-types\.ts$|^plugin\/words\//

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
/** The innermost room of a path within its folder; `top` if it is in none. */
function roomIn(rooms: readonly string[], path: string): string {
  const fitting = rooms.filter((room) => path === room || path.startsWith(`${room}/`))
  return fitting.sort((a, b) => b.length - a.length)[0] ?? 'top'
}
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
        // Migrations are made of the same blocks that the tables are checked by, and are run by the storage. Hosts have some, too.
        const isMigration = ['storage', 'options'].includes(folder) && one.path.startsWith('migrations/')
        return isAllowed || isMigration ? [] : [`${source.path} imports ${one.path}`]
      })
    })
    expect(wrong).to.deep.equal([])
  })

  it('lets the command line start without the plugin', () => {
    const { folders, later, types } = COMMAND_LINE_MAY_IMPORT
    const own = plugin.filter(({ path }) => folderOf(path) === 'command-line')
    const wrong = own.flatMap(({ path, imports }) =>
      imports
        .filter((one) => one.path !== '' && !folders.includes(folderOf(one.path)))
        .filter((one) => !(one.typeOnly && types.includes(folderOf(one.path))))
        .map((one) => `${path} imports ${one.path}`),
    )
    expect(wrong).to.deep.equal([])
    const loaded = own.flatMap(({ text }) => [...text.matchAll(/\bimport\('([^']*)'\)/g)].map(([, name]) => name))
    expect(loaded).to.deep.equal(later)
    expect(own.flatMap(({ imports }) => imports.filter(({ name }) => !/^(node:|\.)/.test(name)))).to.deep.equal([])
  })

  for (const [folder, rooms] of Object.entries(ROOMS)) {
    const roomOf = (path: string) => roomIn(Object.keys(rooms), path.slice(`plugin/${folder}/`.length))
    const own = plugin.filter(({ path }) => folderOf(path) === folder)

    it(`lets the rooms of ${folder}/ import only what is below them`, () => {
      const wrong = own.flatMap(({ path, imports }) =>
        imports
          .filter((one) => one.path.startsWith(`plugin/${folder}/`))
          .filter((one) => roomOf(one.path) !== roomOf(path) && !rooms[roomOf(path)]?.includes(roomOf(one.path)))
          .map((one) => `${path} imports ${one.path}`),
      )
      expect(wrong).to.deep.equal([])
      expect([...new Set(own.map(({ path }) => roomOf(path)))].sort()).to.deep.equal(Object.keys(rooms).sort())
    })

    it(`lists the rooms of ${folder}/ from the ground up`, () => {
      const names = Object.keys(rooms)
      const upwards = Object.entries(rooms).flatMap(([room, below]) =>
        below.filter((one) => names.indexOf(one) >= names.indexOf(room)).map((one) => `${room} imports ${one}`),
      )
      expect(upwards).to.deep.equal([])
    })
  }

  it('lets reads take no writer, wakes and hooks along, and other operations no more than they need', () => {
    const operations = plugin.filter(({ path }) => folderOf(path) === 'operations')
    const members = dependencyMembers(operations)
    const roomOf = (path: string) => roomIn(Object.keys(ROOMS['operations'] ?? {}), path.slice('plugin/operations/'.length))
    const wrong = operations.flatMap(({ path, code }) =>
      [...new Set(dependenciesIn(code))].flatMap((name) => {
        const barred = (MUST_NOT_TAKE[roomOf(path)] ?? []).filter((member) => members.get(name)?.has(member))
        return barred.length > 0 ? [`${path} takes ${name}: ${barred.join(', ')}`] : []
      }),
    )
    expect(wrong).to.deep.equal([])
    // The names are those of members: otherwise the check would look for nothing.
    const known = new Set([...members.values()].flatMap((some) => [...some]))
    expect(Object.values(MUST_NOT_TAKE).flatMap((barred) => barred.filter((member) => !known.has(member)))).to.deep.equal([])
  })

  it('has no circles of more than two files, types included, and none of values', () => {
    const graph = (isCounted: (one: Import) => boolean) =>
      new Map(
        plugin.map(({ path, imports }) => [path, imports.filter((one) => one.path && isCounted(one)).map((one) => one.path)]),
      )
    expect(circlesIn(graph(() => true)).filter((files) => files.length > 2)).to.deep.equal([])
    expect(circlesIn(graph((one) => !one.typeOnly))).to.deep.equal([])
  })

  it('lets nobody but create-plugin.ts see the record types', () => {
    const seen = everything.filter(
      ({ path, imports }) =>
        !path.startsWith('plugin/records/') && imports.some((one) => one.path.startsWith('plugin/records/')),
    )
    expect(seen.map(({ path }) => path)).to.deep.equal(['plugin/create-plugin.ts'])
  })

  it('lets create-plugin.ts enter folders by their doors', () => {
    const imports = plugin.find(({ path }) => path === 'plugin/create-plugin.ts')?.imports ?? []
    const inFolders = imports.map(({ path }) => path).filter((path) => path.split('/').length > 2)
    const past = inFolders.filter((path) => path !== `plugin/${folderOf(path)}/${folderOf(path)}.ts`)
    expect(inFolders).to.have.length.above(10)
    expect(past.sort()).to.deep.equal(Object.keys(PAST_THE_DOOR).sort())
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

  it('reads every table through the client that reads pools of all hosts alike', () => {
    const files = ['connections', 'prepared', 'libsql-client', 'knex-dialects.d']
    const others = plugin.filter(({ path }) => !files.includes(basename(path, '.ts')))
    const raw = /withUserParams\(|acquireRawConnection|\bconnection\.(query|execute)\(|\.driver\b/
    const patched = /^plugin\/testing\/watch-statements|^plugin\/storage\/database\/(connections|lend-transaction)/
    expect(others.filter(({ path }) => !patched.test(path)).flatMap((source) => placesOf(source, raw))).to.deep.equal([])
    // Nor is the form made once more where a table is read.
    const cast = /\bcast\([^)]* as char\)/i
    const casts = plugin.filter(
      ({ path, strings }) => !/as-text|count-groups/.test(path) && strings.some(({ text }) => cast.test(text)),
    )
    expect(casts.map(({ path }) => path)).to.deep.equal([])
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

  it('keeps files of specs at a length that one can follow', () => {
    const lengths = sourcesIn('spec').map(({ path, text }) => [path, text.split('\n').length - 1] as const)
    expect(lengths.filter(([, lines]) => lines > LIMIT_OF_SPECS)).to.deep.equal([])
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
    // Definitions are checked for fields of a certain kind: an id is an integer. Pages have an input for each kind, by its name.
    const general = plugin.filter(
      ({ path }) => !/^plugin\/(schema\/(kinds\/|check\/|language\/shapes\.ts)|console\/browser\/)/.test(path),
    )
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
      ...(source.path in MAY_SAY_ANY ? [] : placesOf(source, /(:|<|\bas|\||,) ?any\b(?!\s*:)|\bany(\[\]|>)/)),
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

  it('gives few files the name of another one', () => {
    const names = plugin.map(({ path }) => basename(path)).filter((name) => !NOT_COUNTED.test(name))
    const shared = new Set(names.filter((name, index) => names.indexOf(name) !== index))
    expect(shared.size, [...shared].join(', ')).to.be.at.most(SHARED_NAMES)
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
