/**
 * Mistakes that authors of a host make, and what they are told at start: none of them stays silent. Each row has the mistake, and
 * the parts of the message that name its place and what is wrong.
 */
import { expect } from 'chai'
import { InvalidSetup } from '../../plugin/core/errors.js'
import { ENDPOINT_PATHS } from '../../plugin/http/endpoint-paths.js'
import {
  type ChannelOf,
  createPlugin,
  defineChannel,
  defineRecord,
  type Extension,
  follow,
  integer,
  listener,
  me,
  oneOf,
  type PluginOptions,
  placed,
  ref,
  rule,
  string,
  text,
} from '../../plugin/index.js'
import { checkNames } from '../../plugin/options/options.js'
import { records } from '../../plugin/records/records.js'
import { mistakesIn } from '../../plugin/schema/check/check.js'
import { compile } from '../../plugin/schema/compile/compile.js'
import { SHARED_LISTS } from '../../plugin/words/shared-lists.js'
import { settingsWith, TEST_SECRET } from '../support/settings.js'
import { legWith, ruleWith, settling, tripWith } from './trips.js'

function pages(): void {}

function chat(name: string, more: Partial<ChannelOf<string, null>> = {}) {
  return defineChannel(name, { targets: () => [], render: () => null, send: () => null, ...more })
}

type Rows = readonly (readonly [mistake: object, ...says: string[]])[]

const ours = records.filter(({ name }) => ['person', 'team', 'note', 'site'].includes(name))
const catalog = compile(records, [], SHARED_LISTS)

/** What an author is told. */
function told(make: () => unknown): string {
  try {
    const found = make()
    return Array.isArray(found) ? found.join('\n') : 'nothing'
  } catch (error) {
    return error instanceof InvalidSetup ? error.mistakes.join('\n') : String(error)
  }
}
/** The mistakes in a trip, a leg, extensions: those of the small world of `trips.ts`, and no others. */
const defining = (trip: object, fields: object = {}) => told(() => mistakesOf([tripWith(trip, fields), legWith()]))
const LISTS = new Set(SHARED_LISTS.keys())
/** The small world lacks most of our types, which is a mistake of its own. */
const known = new Set(mistakesIn(ours, [], LISTS, ENDPOINT_PATHS))
function mistakesOf(definitions: readonly ReturnType<typeof tripWith>[], extensions: readonly Extension[] = []) {
  return mistakesIn([...ours, ...definitions], extensions, LISTS, ENDPOINT_PATHS).filter((text) => !known.has(text))
}
const extending = (more: object) => told(() => mistakesOf([tripWith(), legWith()], [{ extends: 'trip', ...more } as Extension]))

const right: PluginOptions = {
  baseUrl: 'https://desk.example/v1',
  secret: TEST_SECRET,
  database: { url: 'sqlite::memory:' },
}

const OPTIONS: Rows = [
  [{ baseUrl: 'desk.example' }, 'baseUrl: must be a URL'],
  [{ baseUrl: 'https://desk.example/v2' }, 'baseUrl', "'/v1'"],
  [{ baseUrl: 'http://desk.example/v1' }, 'baseUrl: must be https'],
  [{ baseUrl: 'https://ines:secret@desk.example/v1' }, 'baseUrl: must be without a user and password'],
  [{ secret: 'short' }, 'secret', '32 characters'],
  [{ secret: ' '.repeat(40) }, 'secret', '32 characters'],
  [{ databse: {} }, 'databse', "did you mean 'database'?"],
  [{ database: { url: 'sqlite::memory:', knex: () => {} } }, 'database: must have either knex or url'],
  [{ database: { url: 'sqlite::memory:', pol: {} } }, 'database.pol', "'pool'"],
  [{ database: { url: 'mysql://root@localhost' } }, 'database.url', '/database'],
  [{ database: { url: 'mysql:///desk' } }, 'database.url', '@host'],
  [{ database: { knex: () => {} } }, 'database.knex: must be made by knex()'],
  [{ tablePrefix: 'Desk-' }, 'tablePrefix'],
  [{ headerPrefixes: ['X_'] }, 'headerPrefixes', "'X_'"],
  [{ headerPrefixes: [] }, 'headerPrefixes: must have at least one'],
  [{ people: { byMail: () => {} } }, 'people.byMail'],
  [{ people: { provision: () => {} } }, 'people.provision'],
  [{ jobs: { wrok: true } }, 'jobs.wrok', "'work'"],
  [{ jobs: { backend: 'redis' } }, 'jobs.backend'],
  [{ jobs: { drainForMs: -1 } }, 'jobs.drainForMs'],
  [{ jobs: { takeOverAfterMs: 5 } }, 'jobs.takeOverAfterMs'],
  [{ jobs: { collection: 'system.jobs' } }, 'jobs.collection'],
  [{ timeouts: { callMs: 0 } }, 'timeouts.callMs'],
  [{ timeouts: { hookMs: 60_000, callMs: 5_000 } }, 'timeouts.hookMs: must be less than timeouts.callMs'],
  [{ rateLimit: { perHour: 0 } }, 'rateLimit.perHour: must be 1 or more'],
  [{ rateLimit: { perHour: 0.5 } }, 'rateLimit.perHour: must be 1 or more'],
  [{ rateLimit: { burst: 0 } }, 'rateLimit.burst: must be 1 or more, or false'],
  [{ rateLimit: { perHour: Number.NaN } }, 'rateLimit.perHour'],
  [{ rateLimit: { burst: true } }, 'rateLimit.burst'],
  [{ rateLimit: { burstSeconds: 2 } }, 'rateLimit.burstSeconds', 'rateLimit.burstMs'],
  [{ rateLimit: { store: 'redis' } }, 'rateLimit.store'],
  [{ signIn: { failuresPerAddress: 0 } }, 'signIn.failuresPerAddress'],
  [{ oauth: { tokenLifetimeMs: 5 } }, 'oauth.tokenLifetimeMs'],
  [{ files: { sizeLimit: -5 } }, 'files.sizeLimit'],
  [{ files: { store: { write: () => {} } } }, 'files.store.read: must be a function'],
  [{ files: { allowedExtensions: ['.pdf'] } }, 'files.allowedExtensions', "'.pdf'"],
  [{ files: { urlLifetimeMs: 5 } }, 'files.urlLifetimeMs'],
  [{ webhooks: { timeoutMs: 0 } }, 'webhooks.timeoutMs'],
  [{ webhooks: { allowNetworks: ['10.0.0.0/99'] } }, 'webhooks.allowNetworks', "'10.0.0.0/99'"],
  [{ webhooks: { userAgent: 'a\nb' } }, 'webhooks.userAgent'],
  [{ log: { info: () => {} } }, 'log.warn: must be a function'],
  [{ clock: {} }, 'clock.now: must be a function'],
  [{ authorize: true }, 'authorize: must be a function'],
  [{ records: [{ path: 'trips' }] }, 'records[0]', 'defineRecord()'],
  [{ extend: [{}] }, 'extend[0]', 'extendRecord()'],
  [{ migrations: [{}] }, 'migrations[0]'],
  [{ before: { 'request.save': () => {} } }, 'before.request.save: must be an array'],
  [{ on: { 'request.create': ['x'] } }, 'on.request.create: must be an array of functions'],
  [{ on: { 'request.create': [() => {}] } }, "on.request.create[0]: must have a name: listener('pager', (event) => …)"],
  [
    { on: { 'request.create': [listener('pager', () => {})], 'request.update': [listener('pager', () => {})] } },
    "on.request.update[0]: must have another name than on.request.create[0], not 'pager'",
  ],
  [{ on: { 'request.create': [pages, pages] } }, 'on.request.create[1]: is listed twice'],
  [{ on: { 'request.create': [listener('x'.repeat(65), () => {})] } }, 'on.request.create[0]: must have a name'],
  [{ channels: [{ name: 'chat' }] }, 'channels[0].targets: must be a function', 'channels[0].send: must be a function'],
  [{ channels: ['chat'] }, 'channels[0]: must be made by defineChannel()'],
  [{ channels: [chat('webhook')] }, "channels[0].name: must be a name that no other channel has, not 'webhook'"],
  [{ channels: [chat('chat'), chat('chat')] }, "channels[1].name: must be a name that no other channel has, not 'chat'"],
  [{ channels: [chat('A b')] }, 'channels[0].name: must be at most 32 lower-case letters'],
  [{ channels: [chat('chat', { events: ['request.crate'] })] }, "did you mean 'request.create'?"],
  [{ channels: [chat('chat', { events: 'request.create' as never })] }, 'channels[0].events: must be a list'],
  [{ channels: [chat('chat', { attempts: 0 })] }, 'channels[0].attempts: must be a whole number, 1 or more'],
  [{ channels: [chat('chat', { waits: [] })] }, 'channels[0].waits: must be a list'],
  [{ channels: [chat('chat', { timeoutMs: 1.5 })] }, 'channels[0].timeoutMs: must be whole milliseconds'],
  [{ channels: [chat('chat', { lane: 'x' as never })] }, 'channels[0].lane: must be a function'],
  [{ events: { keepDays: -1 } }, 'events.keepDays'],
  [{ before: { 'requst.save': [() => {}] } }, 'before.requst.save', "did you mean 'request.save'?"],
  [{ before: { 'request.create': [() => {}] } }, 'before.request.create', "'<record type>.save'"],
  [{ on: { 'request.crate': [listener('pager', () => {})] } }, 'on.request.crate', "did you mean 'request.create'?"],
  [{ words: { klingon: {} } }, 'words.klingon: there is no such language'],
  [{ words: { nl: { field: {} } } }, 'words.nl.field', "did you mean 'fields'?"],
  [{ words: { nl: { fields: { name: 5 } } } }, 'words.nl.fields.name: must be a text'],
  [{ words: { nl: { fields: { name: ' ' } } } }, 'words.nl.fields.name: must be a text'],
  [{ words: { nl: { mails: { import_complete: {} } } } }, 'words.nl.mails.import_complete', "'import_completed'"],
  [{ words: { nl: { mails: { import_failed: { subject: 'x' } } } } }, 'words.nl.mails.import_failed.lines'],
]

/** Names in texts, which are compared with the definitions. */
const WORDS: Rows = [
  [{ nl: { fields: { subjct: 'Onderwerp' } } }, 'words.nl.fields.subjct', "did you mean 'subject'?"],
  [{ nl: { fields: { 'requst.subject': 'Onderwerp' } } }, "there is no record type 'requst'", "'request'"],
  [{ es: { fields: { 'request.subjct': 'Asunto' } } }, "words.es.fields.request.subjct: request has no field 'subjct'"],
  [{ de: { values: { 'request.statu': { assigned: 'x' } } } }, 'words.de.values.request.statu', "'request.status'"],
  [{ de: { values: { 'request.status': { asigned: 'x' } } } }, 'words.de.values.request.status.asigned', "'assigned'"],
  [{ fr: { values: { countries: { zz: 'x' } } } }, 'words.fr.values.countries.zz: there is no such value'],
  [{ en: { sentences: { too_lnog: 'Too long' } } }, 'words.en.sentences.too_lnog', "did you mean 'too_long'?"],
  [{ en: { sentences: { too_long: 'At most {maxi} letters' } } }, 'words.en.sentences.too_long', '{maxi}', "'max'"],
  [{ en: { sentences: { blank: '{field} is empty' } } }, 'words.en.sentences.blank', '{field}'],
  [
    { nl: { mails: { import_failed: { subject: '{typ}', lines: [] } } } },
    'words.nl.mails.import_failed: there is no value for {typ}',
    "'type'",
  ],
  [{ nl: { mails: { webhook_disabled: { subject: 'x', lines: ['{hook}'] } } } }, 'words.nl.mails.webhook_disabled', '{hook}'],
]

const DEFINITIONS: Rows = [
  [{ path: 'Trips' }, 'trip.path', "'Trips'"],
  [{ path: 'me' }, 'trip.path', '/me'],
  [{ pth: 'x' }, "there is no 'pth'", "did you mean 'path'?"],
  [{ table: 'outbox' }, 'trip.table', "'outbox' is a table of the plugin"],
  [{ title: 'data' }, "trip.title: 'data' cannot be compared"],
  [{ title: 'helpers' }, "trip.title: 'helpers' cannot be compared"],
  [{ title: 'nam' }, 'trip.title', "'nam'", "'name'"],
  [{ reference: ['sets'] }, 'trip.reference', "'sets'", "'seats'"],
  [{ collection: { sort: 'nme' } }, 'trip.collection.sort', "'nme'"],
  [{ collection: { sort: '', fields: 'id' } }, 'trip.collection.sort: must have at least one field'],
  [{ collection: { sort: '-name name', fields: 'id' } }, "trip.collection.sort: 'name' occurs twice"],
  [{ collection: { sort: 'name', fields: 'id nme' } }, 'trip.collection.fields', "'nme'"],
  [{ collection: { sort: 'name', filterable: 'data' } }, 'trip.collection.filterable', "'data' cannot be compared"],
  [{ collection: { sort: 'name', fields: 'id', sortable: { except: 'seats' } } }, 'trip.collection.sortable.except', "'seats'"],
  [{ unique: [['nme']] }, 'trip.unique', "'nme'"],
  [{ unique: [['name', 'name']] }, "trip.unique: 'name' occurs twice"],
  [{ unique: [[]] }, 'trip.unique', 'must have fields'],
  [{ events: ['created'] }, 'trip.events', "'created'", "'create'"],
  [{ events: ['create', 'create'] }, "trip.events: 'create' occurs twice"],
  [{ events: ['note-added'] }, 'trip.events', 'note-added'],
  [{ parts: ['lg'] }, 'trip.parts', "'lg'"],
  [{ parts: ['leg'] }, 'trip.parts', 'leg must be a sub-record'],
  [{ children: { legs: { record: 'leg', by: 'trp' } } }, 'trip.children.legs', "'trp'"],
  [{ links: { crew: { record: 'persn', table: 'x', from: 'a', to: 'b' } } }, 'trip.links.crew', "'persn'"],
  [{ links: { crew: { record: 'person', table: 'x', from: 'a', to: 'a' } } }, 'trip.links.crew', 'same column'],
  [{ softDeleteField: 'clsed' }, 'trip.softDeleteField', "'clsed'"],
  [{ existsWhile: { clsed: false } }, 'trip.existsWhile', "'clsed'"],
  [{ lists: { mine: { drivr: me } } }, 'trip.lists.mine', "'drivr'"],
  [{ lists: { open: { status: 'opn' } } }, 'trip.lists.open', "'opn'", "'open'"],
  [{ lists: { open: { status: [] } } }, 'trip.lists.open', 'no values'],
  [{ lists: { full: { seats: 'many' } } }, 'trip.lists.full', "'many' is not a number"],
  [{ lists: { 'Not Mine': {} } }, 'trip.lists.Not Mine'],
  [{ lists: { odd: { anyOf: [{ status: 'open' }], name: 'x' } } }, 'trip.lists.odd', 'anyOf'],
  [{ access: { create: ['admin'], update: [] } }, "trip.access: create: there is no role 'admin'"],
  [{ access: { create: [], update: ['account_administrater'] } }, 'trip.access', "'account_administrator'"],
  [{ access: { create: [], update: [{ person: 'drver' }] } }, 'trip.access', "'drver' is not a reference to a person"],
  [{ access: { create: [], update: [{ memberOf: 'driver' }] } }, 'trip.access', "'driver' is not a reference to a team"],
  [{ access: { create: [], update: [{ who: 'auditor', fields: ['sets'] }] } }, 'trip.access', "'sets'"],
  [{ access: { create: [], update: [], remove: ['auditor'] } }, 'trip.access.remove: no record can be removed'],
  [{ operations: ['list', 'remove'] }, 'trip.operations: remove needs grants'],
  [{ operations: ['lst'] }, 'trip.operations', "'lst'"],
  [{ access: { create: [] } }, 'trip.access.update', 'is missing'],
  [{ nested: ['create'] }, 'trip.nested: only sub-records can have it'],
  [{ import: { type: 'trips', order: 1, columns: [{ header: 'Name', field: 'nme' }] } }, 'import.columns.Name', "'nme'"],
  [
    { import: { type: 'trips', order: 1, columns: [{ header: 'Name', field: 'name' }], key: 'name' } },
    "trip.import.key: several records may have the same 'name'",
  ],
  [{ import: { type: 'trips', order: 1, columns: [], key: 'name' } }, "trip.import.key: there is no column for 'name'"],
  [
    { import: { type: 'trips', order: 1, columns: [1, 2].map(() => ({ header: 'Name', field: 'name' })) } },
    "trip.import.columns: the header 'Name' occurs twice",
  ],
  [{ import: { type: 'Trips', order: 1, columns: [] } }, "trip.import.type: 'Trips' is not lower case"],
  [{ import: { type: 'trips', order: 1, columns: [{ header: ' ', field: 'name' }] } }, 'the header must be a text'],
  [{ import: { type: 'trips', order: 1, columns: [{ header: 'Id', field: 'name' }] } }, "the column 'Id', for 'id'"],
  [{ import: { type: 'people', order: 1, columns: [] } }, "the import type 'people' is already that of"],
  [{ partImports: [{ type: 'x', order: 1, owner: { header: 'X', field: 'nme' }, parts: {} }] }, 'partImports.x', "'nme'"],
  [{ timers: [{ due: 'starts', while: { status: 'open' }, set: { status: 'closed' } }] }, 'trip.timers', "'starts'"],
  [{ timers: [{ due: 'seats', while: { status: 'open' }, set: { status: 'closed' } }] }, 'trip.timers', 'datetime'],
  [{ timers: [{ due: 'starts_at', while: { statu: 'open' }, set: { status: 'closed' } }] }, 'while', "'statu'"],
  [{ timers: [{ due: 'starts_at', while: { status: 'open' }, set: { statu: 'closed' } }] }, 'set', "'statu'", "'status'"],
  [{ timers: [{ due: 'starts_at', while: { status: 'open' }, set: { status: 'clsed' } }] }, 'set', "'clsed'"],
  [{ timers: [{ due: 'starts_at', while: { status: 'open' }, set: { remarks: 'x' } }] }, 'would still be due'],
  [{ timers: [{ due: 'starts_at', while: { status: 'open' }, set: {} }] }, 'set: must have at least one field'],
  [{ rules: [ruleWith({ fil: () => {} })] }, 'trip.rules.careless.fil', "did you mean 'fill'?"],
  [{ rules: [ruleWith({ fields: ['nme'], fill: () => {} })] }, 'trip.rules.careless', "'nme'", "'name'"],
  [{ rules: [ruleWith({ fill: 'x' })] }, 'trip.rules.careless.fill: must be a function'],
  [{ rules: [ruleWith({ fields: ['name'] })] }, 'trip.rules.careless', 'one of the phases'],
  [{ rules: [ruleWith(undefined)] }, 'trip.rules.careless', 'must return an object'],
  [{ rules: ['careless'] }, 'trip.rules[0]', 'written with rule()'],
  [{ rules: [placed(ruleWith({ fill: () => {} }), { after: 'carful' })] }, 'trip.rules.careless', 'carful'],
  [{ settle: [settling({ of: {} })] }, 'trip.settle.tripStatus.of: must not be empty'],
  [{ settle: [settling({ of: { legs: { type: 'lg', by: 'trip' } } })] }, 'tripStatus.of.legs.type', "'lg'"],
  [{ settle: [settling({ of: { legs: { type: 'leg', by: 'trp' } } })] }, 'tripStatus.of.legs.by', "'trp'", "'trip'"],
  [{ settle: [settling({ of: { legs: { type: 'leg', by: 'trip', where: { phas: 'x' } } } })] }, 'where', "'phas'", "'phase'"],
  [{ settle: [settling({ of: { legs: { link: 'crew' } } })] }, 'tripStatus.of.legs.link', "'crew'"],
  [{ settle: [settling({ fields: ['statu'] })] }, 'trip.settle.tripStatus', "'statu'", "'status'"],
  [{ settle: [settling({ fills: ['id'] })] }, 'trip.settle.tripStatus', "'id' is given by the database"],
  [{ settle: [settling({ fills: ['statu'] })] }, 'trip.settle.tripStatus', "'statu'"],
  [{ settle: [settling({ otherwise: { lgs: {} } })] }, 'tripStatus.otherwise.lgs', "'legs'"],
  [{ settle: [settling(), settling()] }, 'trip.settle.tripStatus', 'used twice'],
]

const FIELDS: Rows = [
  [{ Trip_id: integer() }, 'trip.fields.Trip_id', "'_id'"],
  [{ constructor: integer() }, 'trip.fields.constructor', 'reserved'],
  [{ Name: string(5) }, 'trip.fields.name', "'name' and 'Name' need the same column"],
  [{ size: oneOf(['a', 'a']) }, 'trip.fields.size', 'a value occurs twice'],
  [{ size: oneOf(['a'], { default: 'b' as never }) }, 'trip.fields.size', "'b' is not among the values"],
  [{ size: string(0) }, 'trip.fields.size', 'maximum length'],
  [{ size: integer({ minimum: 5, maximum: 1 }) }, 'trip.fields.size', 'the minimum is greater'],
  [{ size: integer({ default: 12, maximum: 9 }) }, 'trip.fields.size: the default 12 is not within'],
  [{ size: integer({ minimum: 1.5 }) }, 'trip.fields.size', 'must be whole'],
  [{ size: string(5, { default: 'longer' }) }, 'trip.fields.size: the default has more than 5 characters'],
  [{ helpers: string(5) }, "trip.fields.helpers: 'helpers' is a link; refs() shows it"],
  [{ size: integer({ default: 'x' as never }) }, 'trip.fields.size', 'not a valid integer'],
  [{ car: ref('vehicel') }, 'trip.fields.car', "'vehicel'"],
  [{ size: { ...string(5), requird: true } }, "there is no 'requird'", "'required'"],
  [{ size: { kind: 'strng' } }, 'trip.fields.size.kind', "'strng'", "'string'"],
  [{ size: string(5, { readOnly: true, writeOnly: true }) }, 'trip.fields.size', 'both readOnly and writeOnly'],
  [{ size: string(5, { read: [] }) }, 'trip.fields.size: read must not be empty'],
  [{ size: string(5, { read: ['king'] as never }) }, 'trip.fields.size', "'king'"],
  [{ size: text({ note: 'public' }) }, 'trip.fields.size', 'writeOnly'],
  [{ size: string(5, { derived: { from: 'nme', as: 'value' }, readOnly: true }) }, 'trip.fields.size', "'nme'"],
]

const EXTENSIONS: Rows = [
  [{ fields: { name: string(5) } }, 'extension of trip: fields.name exists'],
  [{ fields: { size: ref('vehicel') } }, 'fields.size', "'vehicel'"],
  [{ values: { statu: ['x'] } }, 'values.statu', "'statu'"],
  [{ values: { name: ['x'] } }, 'values.name', 'not an enumeration'],
  [{ lists: { mine: { drivr: me } } }, 'lists.mine', "'drivr'"],
  [{ rules: [ruleWith({ fields: ['nme'], fill: () => {} })] }, 'rules.careless', "'nme'"],
  [{ relax: ['nme'] }, 'relax', "'nme'"],
  [{ access: { remove: ['auditor'] } }, 'access.remove: no record can be removed'],
  [{ feilds: {} }, "there is no 'feilds'", "'fields'"],
  [{ events: ['updated'] }, 'events', "'updated'"],
]

/** What the functions for authors refuse at once. */
const MAKING: readonly (readonly [make: () => unknown, ...says: string[]])[] = [
  [() => rule('', () => ({})), 'rule(): the name must be a text'],
  [() => rule('x', 'y' as never), "rule('x'): must have a function"],
  [() => follow('', { of: {}, decide: () => null }), 'follow: the name must be a text'],
  [() => follow('x', { of: {} } as never), "follow('x'): decide must be a function"],
  [() => createPlugin(null as never), 'the options must be an object'],
  [() => mistakesOf([tripWith({ path: 'x' }), legWith({ path: 'x' })]), "the path 'x' is already that of trip"],
  [() => mistakesOf([tripWith()], [{ extends: 'trp' } as Extension]), 'extension of trp: there is no such record type'],
  [() => mistakesOf([defineRecord('trip', {} as never)]), 'trip.fields: is missing'],
]

describe('a mistake of a host', () => {
  const every = (area: string, rows: Rows, make: (mistake: never) => string) => {
    for (const [mistake, ...says] of rows) {
      it(`in ${area} is told at start: ${says.join(' … ')}`, () => {
        const text = make(mistake as never)
        for (const part of says) expect(text).to.contain(part)
      })
    }
  }
  every('the options', OPTIONS, (more: object) => told(() => createPlugin({ ...right, ...more } as PluginOptions)))
  every('its texts', WORDS, (words: never) => told(() => checkNames(settingsWith(), catalog, words)))
  every('a definition', DEFINITIONS, (more: object) => defining(more))
  every('a field', FIELDS, (fields: object) => defining({}, fields))
  every('an extension', EXTENSIONS, (more: object) => extending(more))
  for (const [make, ...says] of MAKING) {
    it(`in a call is told at once: ${says.join(' … ')}`, () => {
      const text = told(make)
      for (const part of says) expect(text).to.contain(part)
    })
  }

  it('is none where nothing is wrong', () => {
    expect(defining({ settle: [settling()], rules: [ruleWith({ fields: ['name'], fill: () => {} })] })).to.equal('')
    expect(told(() => checkNames(settingsWith(), catalog, { nl: { fields: { subject: 'Onderwerp' } } }))).to.equal('nothing')
  })
})
