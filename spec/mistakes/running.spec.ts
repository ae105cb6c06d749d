/**
 * Mistakes that authors of a host make in functions, and what their log tells them when these run: none of them stays silent. One
 * plugin with a database in memory is enough: `spec/operations/save/` holds the same on all databases.
 */
import { expect } from 'chai'
import { linkTable, recordTable } from '../../migrations/tools.js'
import {
  type Call,
  createPlugin,
  type FillContext,
  type Migration,
  type Plugin,
  rule,
  type WrittenContext,
} from '../../plugin/index.js'
import { silent, TEST_SECRET } from '../support/settings.js'
import { legWith, settling, tripWith } from './trips.js'

/** Any function of a rule, as plain JavaScript calls it. */
type Loose = { readonly [name: string]: (...given: unknown[]) => unknown } & {
  readonly next: { [column: string]: unknown }
  readonly call: Call
}
type Act = (context: Loose) => unknown
type Row = readonly [phase: 'fill' | 'fillWithId' | 'check' | 'written' | 'hook' | 'decide', act: Act, ...says: string[]]

/** What the functions of the next save do. */
let doing: { readonly phase: string; readonly act: Act } | null = null
const act = (phase: string, context: unknown) => (doing?.phase === phase ? doing.act(context as Loose) : undefined)
const careless = rule('careless', () => ({
  fill: (context) => act('fill', context) as undefined,
  fillWithId: (context) => act('fillWithId', context) as undefined,
  check: (context) => act('check', context) as undefined,
  written: (context) => act('written', context) as undefined,
}))
const set =
  (column: string, value: unknown): Act =>
  ({ next }) => {
    next[column] = value
  }

const IN_RULES: readonly Row[] = [
  ['fill', ({ load }) => load?.('persn', 1), "There is no record type 'persn'; did you mean 'person'?"],
  ['fill', ({ load }) => load?.('persn', null), "There is no record type 'persn'; did you mean 'person'?"],
  ['check', ({ load }) => load?.('person', {}), 'the id of a person must be a number, not an object'],
  ['check', ({ changed }) => changed?.('driver'), "trip has no column 'driver'; its column is 'driver_id'"],
  ['check', ({ changed }) => changed?.('statu'), "trip has no column 'statu'; did you mean 'status'?"],
  ['check', ({ fieldOf }) => fieldOf?.('drivr'), "fieldOf: trip has no field 'drivr'; did you mean 'driver'?"],
  ['check', ({ input }) => input?.('drivr'), "input: trip has no field 'drivr'; did you mean 'driver'?"],
  ['check', ({ fail }) => fail?.('nam', 'blank'), "fail: trip has no field 'nam'; did you mean 'name'?"],
  ['check', ({ fail }) => fail?.('name', 'too_lnog'), "there is no sentence 'too_lnog'; did you mean 'too_long'?"],
  ['check', ({ fail }) => fail?.('name', 'blnak'), "there is no sentence 'blnak'; did you mean 'blank'?"],
  ['check', ({ fail }) => fail?.('name', 'too_long'), "fail: the sentence 'too_long' needs a value for 'max'"],
  ['check', ({ fail }) => fail?.('name', 'too_long', { maks: 20 }), "'too_long' needs a value for 'max'", "not for 'maks'"],
  ['check', ({ fail }) => fail?.('name', 'too_long', { max: undefined }), "'too_long' needs a value for 'max'"],
  ['check', ({ sentence }) => sentence?.('less_than'), "sentence: the sentence 'less_than' needs a value for 'min'"],
  ['check', ({ fail }) => fail?.('name'), 'fail: must have the name of a field and a code'],
  ['check', ({ sentence }) => sentence?.('nope'), "there is no sentence 'nope'"],
  ['check', ({ find }) => find?.('leg'), 'find of leg: must have a condition, { field: value }, not undefined'],
  ['check', ({ find }) => find?.('leg', 'x'), "find of leg: must have a condition, { field: value }, not 'x'"],
  ['check', ({ find }) => find?.('lge', {}), "There is no record type 'lge'"],
  ['check', ({ find }) => find?.('leg', { phas: 'new' }), "leg has no field 'phas'; did you mean 'phase'?"],
  ['check', ({ find }) => find?.('leg', { 'trip.nme': 'x' }), "trip has no field 'nme'; did you mean 'name'?"],
  ['check', ({ find }) => find?.('leg', { phase: undefined }), "has no value for 'phase'"],
  ['check', ({ findBy }) => findBy?.('lge', 'trip', 1), "There is no record type 'lge'"],
  ['check', ({ findBy }) => findBy?.('leg', 'trp', 1), "leg has no stored field or link 'trp'", "'trip'"],
  ['check', ({ findBy }) => findBy?.('leg', 'trp', null), "leg has no stored field or link 'trp'"],
  ['check', ({ valuesOf }) => valuesOf?.('leg', 'phase', 'trip', {}), 'the id of a trip must be a number, not an object'],
  ['check', ({ isReferred }) => isReferred?.('leg', 'trip', []), 'the id of a trip must be a number, not an empty list'],
  ['check', ({ linked }) => linked?.('trip', 1, 'helpers', {}), 'the id of a person must be a number, not an object'],
  ['check', ({ linkedIds }) => linkedIds?.('trip', {}, 'helpers'), 'the id of a trip must be a number, not an object'],
  ['check', ({ findBy }) => findBy?.('leg', 'trip', {}), "findBy('leg', 'trip'): an object is no single value"],
  ['check', ({ findBy }) => findBy?.('leg', 'trip', 1, { phas: 'new' }), "leg has no field 'phas'"],
  ['check', ({ valuesOf }) => valuesOf?.('leg', 'phas', 'trip', 1), "leg has no stored field or link 'phas'"],
  ['check', ({ valuesOf }) => valuesOf?.('leg', 'phase', 'trp', null), "leg has no stored field or link 'trp'"],
  ['check', ({ isReferred }) => isReferred?.('leg', 'trp', null), "leg has no stored field or link 'trp'"],
  ['check', ({ linked }) => linked?.('trip', 1, 'helprs', 2), "trip has no link 'helprs'; did you mean 'helpers'?"],
  ['check', ({ linkedIds }) => linkedIds?.('trip', null, 'helprs'), "trip has no link 'helprs'"],
  ['check', ({ hasRole }) => hasRole?.(1, 'specialst'), "there is no role 'specialst'; did you mean 'specialist'?"],
  ['check', set('name', 'x'), 'rule careless of trip failed'],
  ['check', () => false, "must return nothing, not false; refuse with 'fail' instead"],
  ['check', async () => 'Name is wrong', "must return nothing, not 'Name is wrong'"],
  ['check', () => Promise.reject(new Error('gone')), 'rule careless of trip failed: gone'],
  ['written', ({ save }) => save?.('lge', null, { name: 'x' }), "There is no record type 'lge'"],
  [
    'written',
    ({ save }) => save?.('leg', null, { nme: 'x' }),
    "saves a leg with what is no field of it: 'nme'; did you mean 'name'?",
  ],
  ['written', ({ saveAll }) => saveAll?.('leg', [{ id: null, body: { name: 'x', trp: 1 } }]), "'trp'; did you mean 'trip'?"],
  ['written', ({ attempt }) => attempt?.('leg', { id: null, body: { nme: 'x' } }), "'nme'; did you mean 'name'?"],
  ['written', ({ remove }) => remove?.('lge', 1), "There is no record type 'lge'"],
  ['written', ({ addTo }) => addTo?.('trip', 1, 'times_drivn', 1), "trip has no number 'times_drivn'", "'times_driven'"],
  ['written', ({ addTo }) => addTo?.('trip', null, 'name', 1), "trip has no number 'name'"],
  ['written', ({ addTo }) => addTo?.('trip', 1, 'times_driven', Number.NaN), 'the step must be a number, not NaN'],
  ['written', ({ addTo }) => addTo?.('trip', 1, 'times_driven', 1.5), 'the step of trip.times_driven is not_an_integer: 1.5'],
  ['written', ({ addTo }) => addTo?.('trip', 1, 'times_driven', 1e300), 'the step must be a number, not 1e+300'],
  ['written', ({ addTo }) => addTo?.('trip', 'x', 'times_driven', 1), "the id of a trip must be a number, not 'x'"],
  ['written', ({ mail }) => mail?.('x', 'import_completed', {}), "the id of a person must be a number, not 'x'"],
  ['written', ({ save }) => save?.('leg', undefined, { name: 'x' }), 'the id of a leg must be a number, not undefined'],
  ['written', ({ save }) => save?.('leg', '7', { name: 'x' }), "the id of a leg must be a number, not '7'"],
  ['written', ({ save }) => save?.('leg', Number.NaN, { name: 'x' }), 'the id of a leg must be a number, not NaN'],
  ['written', ({ save }) => save?.('leg', null), 'a leg to save must have a body that is an object, not undefined'],
  ['written', ({ save }) => save?.('leg', null, ['x']), 'a leg to save must have a body that is an object, not a list'],
  ['written', ({ save }) => save?.('note', null, { text: 'x' }), 'saves a note without the record that it is part of'],
  ['written', ({ saveAll }) => saveAll?.('leg', { id: null, body: {} }), 'saveAll of leg: must have a list of records'],
  ['written', ({ saveAll }) => saveAll?.('leg', [{ name: 'x' }]), 'a leg to save must have a body that is an object'],
  ['written', ({ attempt }) => attempt?.('leg', { id: 1.5, body: {} }), 'the id of a leg must be a number, not 1.5'],
  ['written', ({ remove }) => remove?.('leg', null), 'the id of a leg must be a number, not null'],
  ['written', ({ removeEach }) => removeEach?.('leg', '12'), "removeEach of leg: must have a list of ids, not '12'"],
  ['written', ({ addTo }) => addTo?.('trp', 1, 'times_driven', 1), "There is no record type 'trp'"],
  ['written', ({ saveAll }) => saveAll?.('leg'), 'saveAll of leg: must have a list of records, not undefined'],
  ...[{ helpers: [3] }, { helpers: 0 }, [0], 'helpers'].map(
    (linkedWith): Row => [
      'written',
      ({ saveAll }) => saveAll?.('trip', [{ id: null, body: { name: 'x' }, linkedWith }]),
      'saveAll of trip: linkedWith must have lists of places of new records, by link',
    ],
  ),
  [
    'written',
    ({ saveAll }) => saveAll?.('leg', [{ id: null, body: { name: 'x' }, linkedWith: { helprs: [0] } }]),
    "linkedWith: leg has no link 'helprs'",
  ],
  [
    'written',
    ({ mail }) => mail?.(1, 'import_failed', { typ: 'x' }),
    "import_failed has no place for 'typ'; did you mean 'type'?",
  ],
  ['written', ({ makeDue }) => makeDue?.('trip', 'starts_at'), 'makeDue of trip: must have a condition'],
  ['written', ({ makeDue }) => makeDue?.('trip', 'starts', {}), "trip has no timer of 'starts'"],
  ['written', ({ makeDue }) => makeDue?.('trip', 'starts_at', { statu: 'x' }), "trip has no field 'statu'"],
  [
    'written',
    ({ mail }) => mail?.(1, 'import_complete', {}),
    "there is no mail 'import_complete'; did you mean 'import_completed'?",
  ],
  ['written', ({ mail }) => mail?.(null, 'import_complete', {}), "there is no mail 'import_complete'"],
  ['written', ({ mail }) => mail?.(1, 'import_failed', { type: {} }), 'type: must be a text, a number'],
  [
    'written',
    ({ addTo, next }) => addTo?.('trip', next['id'], 'seats', 1),
    "sets 'seats' of trip to 1: 'seats' cannot be less than 2",
  ],
  [
    'written',
    ({ addTo, next }) => addTo?.('trip', next['id'], 'seats', -5),
    "sets 'seats' of trip to 0: 'seats' cannot be less",
  ],
  ['written', ({ addTo, next }) => addTo?.('trip', next['id'], 'seats', 12), "'seats' cannot be greater than 9"],
  ['written', ({ next, remove }) => remove?.('trip', next['id']), 'it removes the trip that is being saved'],
  ['fill', ({ next }) => ({ ...next, seats: 5 }), 'rule careless of trip failed: it must return nothing, not an object'],
  ['fill', () => false, 'it must return nothing, not false', "set columns of 'next' instead"],
  ['fillWithId', async () => 'closed', "it must return nothing, not 'closed'"],
  ['fill', ({ next }) => void Object.freeze(next), "it has frozen 'next'"],
  ['fillWithId', ({ next }) => void Object.preventExtensions(next), "it has frozen 'next'"],
  ['fill', set('statu', 'open'), "sets 'statu', which is no stored column of trip; did you mean 'status'?"],
  ['fill', set('driver', 1), "sets 'driver', which is no stored column of trip; its column is 'driver_id'"],
  ['fill', set('status', 'opn'), "rule careless of trip failed: it sets 'status' of trip to 'opn'", "'open'"],
  ['fill', set('seats', '5'), "sets 'seats' of trip to '5'"],
  ['fill', set('starts_at', new Date(0)), "sets 'starts_at' of trip to a Date"],
]

const IN_HOOKS: readonly Row[] = [
  ['hook', set('status', 'opn'), 'before hook of trip.save failed', "did you mean 'open'?"],
  ['hook', set('seats', 10), "'seats' cannot be greater than 9"],
  ['hook', set('seats', 'many'), "to 'many': 'seats' is not a number"],
  ['hook', set('seats', undefined), 'to undefined'],
  ['hook', set('name', {}), "to an object: 'name' is invalid"],
  ['hook', set('name', 'x'.repeat(21)), "'name' is too long"],
  ['hook', set('day', '31-12-2026'), "'day' is not a valid date"],
  ['hook', set('tags', 'red'), "'tags' is invalid"],
  ['hook', set('data', []), "'data' is invalid"],
  ['hook', set('driver_id', '7'), "to '7': 'driver_id' cannot be found"],
  ['hook', set('account_id', 'other'), "sets 'account_id' of trip to 'other'"],
  ['hook', ({ next }) => ({ ...next, seats: 5 }), 'must return nothing, not an object'],
  ['hook', () => 'closed', "must return nothing, not 'closed'"],
  ['hook', ({ next }) => void Object.freeze(next), "before hook of trip.save failed: it has frozen 'next'"],
  ['hook', ({ fail }) => fail?.('name', 'too_long'), "'too_long' needs a value for 'max'"],
  ['hook', ({ changed }) => changed?.('driver'), "its column is 'driver_id'"],
  ['hook', ({ load }) => load?.('persn', 1), "did you mean 'person'?"],
  ['hook', ({ fail }) => fail?.('nam', 'blank'), "did you mean 'name'?"],
]

const IN_SETTLINGS: readonly Row[] = [
  ['decide', () => ({ owner: { statu: 'closed' } }), "settling 'tripStatus' of trip failed: 'statu' is not a stored field"],
  [
    'decide',
    () => ({ owner: { status: 'clsed' } }),
    "settling 'tripStatus' of trip failed: it sets 'status' of trip to 'clsed'",
  ],
  ['decide', () => ({ owner: { seats: 'many' } }), "'seats' is not a number"],
  ['decide', () => ({ legs: { 1: { phase: 'done' } } }), "'legs' must be a Map of values by id"],
  ['decide', () => ({ lgs: new Map() }), "'lgs' is not a source with records"],
  ['decide', () => ({ legs: new Map([[4711, { phase: 'done' }]]) }), "'legs' has no record 4711"],
  ['decide', async () => ({}), 'not a promise'],
  ['decide', () => 'closed', "decide must return an object of values, not a promise or 'closed'"],
]

type Asking = readonly [ask: (itsm: Plugin) => unknown, ...says: string[]]
const loosely = (itsm: Plugin) => itsm.asSystem('spec', 'acme') as unknown as Loose
const OF_THE_HOST: readonly Asking[] = [
  [(itsm) => loosely(itsm)['create']?.('trp', {}), "There is no record type 'trp'; did you mean 'trip'?"],
  [(itsm) => loosely(itsm)['create']?.('trip', { nme: 'x' }), "'nme' is not a known field; did you mean 'name'?"],
  [(itsm) => loosely(itsm)['create']?.('trip', 'x'), 'The body of a trip must be an object'],
  [(itsm) => loosely(itsm)['update']?.('trip', '1', {}), 'The id of a trip must be a number'],
  [(itsm) => loosely(itsm)['read']?.('trip', 1, undefined, ['nme']), "trip has no field 'nme'"],
  [(itsm) => loosely(itsm)['list']?.('trip', {}, 'opn'), "trip has no list 'opn'"],
  [(itsm) => loosely(itsm)['list']?.('trip', { statu: 'open' }), 'Unknown fields: statu'],
  [(itsm) => loosely(itsm)['list']?.('trip', { status: undefined }), "The parameter 'status' must be a text"],
  [(itsm) => loosely(itsm)['list']?.('trip', { status: 'opn' }), "'status'"],
  [(itsm) => loosely(itsm)['list']?.('trip', { sort: 'nme' }), 'Sorting not allowed on', 'nme'],
  [
    (itsm) => loosely(itsm)['link']?.({ type: 'trip', id: 1 }, 'helprs', 1),
    "trip has no links 'helprs'; did you mean 'helpers'?",
  ],
  [(itsm) => loosely(itsm)['upload']?.({ name: 'x', content: 'x' }), 'The content of a file must be a stream'],
  [(itsm) => loosely(itsm)['duration']?.('1', {}), 'The id of a calendar must be a number'],
  [(itsm) => loosely(itsm)['submitEvent']?.({ subjct: 'x' }), "'subjct'"],
  [(itsm) => itsm.asSystem('', 'acme'), 'asSystem: the reason must be a text'],
  [(itsm) => itsm.asSystem('spec', 'nowhere').list('trip'), 'nowhere'],
  [(itsm) => itsm.as('nobody@acme.example').list('trip'), 'nobody@acme.example'],
  [(itsm) => itsm.as({} as never).list('trip'), 'as({ … }): A person must be'],
  [(itsm) => itsm.grant(1, 'acme', ['specialst' as never]), "there is no role 'specialst'; did you mean 'specialist'?"],
  [(itsm) => itsm.grant(4711, 'acme', ['specialist']), 'there is no person with the id 4711'],
  [(itsm) => itsm.grant(1, 'acmee', ['specialist']), "there is no account 'acmee'"],
  [(itsm) => itsm.accounts.put({ id: 'Acme!', name: 'x', timeZone: 'Amsterdam' }), 'Acme!'],
  [(itsm) => itsm.accounts.put({ id: 'globex', name: 'x', timeZone: 'Amsterdamm' }), 'Amsterdamm'],
  [(itsm) => itsm.accounts.trust('acme', 'nowhere'), 'nowhere'],
  [(itsm) => itsm.catalog.type('trp'), "There is no record type 'trp'"],
  [(itsm) => itsm.tokens.create(4711, { name: 'x' }), '4711'],
]

const createTrips: Migration = {
  name: 'host_0001_create_trips',
  async up(schema) {
    await recordTable(schema, 'trips', (table) => {
      for (const [name, length] of [
        ['source', 30],
        ['sourceID', 128],
        ['name', 20],
      ] as const)
        table.string(name, length)
      for (const name of ['created_at', 'updated_at', 'starts_at']) table.datetime(name)
      table.enum('status')
      table.integer('seats')
      table.integer('times_driven')
      table.decimal('price')
      table.ref('driver_id')
      table.date('day')
      table.text('remarks')
      table.strings('tags')
      table.json('data')
      table.boolean('closed')
    })
    await linkTable(schema, 'trip_helpers', 'trip_id', 'person_id')
    await recordTable(schema, 'legs', (table) => {
      table.string('source', 30)
      table.string('sourceID', 128)
      table.datetime('created_at')
      table.datetime('updated_at')
      table.string('name', 20)
      table.enum('phase')
      table.ref('trip_id')
    })
  },
  down: async () => {},
}

describe('a mistake in the functions of a host', () => {
  let itsm: Plugin
  before('creates the plugin', async function () {
    this.timeout(60_000)
    itsm = createPlugin({
      baseUrl: 'https://desk.example/v1',
      secret: TEST_SECRET,
      database: { url: 'sqlite::memory:' },
      log: silent,
      records: [
        tripWith({
          rules: [careless()],
          settle: [settling({ decide: (facts: unknown) => act('decide', facts) })],
          timers: [{ due: 'starts_at', while: { status: 'open' }, set: { status: 'closed' } }],
        }),
        legWith(),
      ],
      migrations: [createTrips],
      before: { 'trip.save': [(context: FillContext) => act('hook', context) as undefined] },
    })
    await itsm.migrate()
    await itsm.accounts.put({ id: 'acme', name: 'Acme', timeZone: 'Amsterdam' })
  })
  after('stops', async () => itsm.stop())
  afterEach(() => {
    doing = null
  })

  const trips = async () => (await itsm.asSystem('spec', 'acme').list('trip')).items.length
  const told = async (ask: () => unknown) => {
    try {
      await ask()
    } catch (error) {
      return String(error)
    }
    return 'nothing'
  }

  for (const [phase, does, ...says] of [...IN_RULES, ...IN_HOOKS, ...IN_SETTLINGS]) {
    it(`in ${phase} is told: ${says.join(' … ')}`, async () => {
      doing = { phase, act: does }
      const text = await told(() => itsm.asSystem('spec', 'acme').create('trip', { name: 'Trip' }))
      expect(text).to.match(
        /^HookFailed: (The rule careless of trip|The host's (before hook of trip.save|settling 'tripStatus' of trip)) failed/,
      )
      for (const part of says) expect(text).to.contain(part)
      doing = null
      expect(await trips()).to.equal(0)
    })
  }

  for (const [ask, ...says] of OF_THE_HOST) {
    it(`in a call of its own is told: ${says.join(' … ')}`, async () => {
      const text = await told(() => ask(itsm))
      for (const part of says) expect(text).to.contain(part)
    })
  }

  for (const text of ['blocked', 'missing', 'Blank', 'taken!', 'required', 'unlocked', 'not offered any more']) {
    it(`is none when a rule refuses in its own words: ${text}`, async () => {
      doing = { phase: 'check', act: ({ fail }) => fail?.('name', text) }
      const said = await told(() => itsm.asSystem('spec', 'acme').create('trip', { name: 'Trip' }))
      expect(said)
        .to.match(/^Invalid: /)
        .and.contain(text)
    })
  }

  it('is none where nothing is wrong', async () => {
    doing = { phase: 'written', act: ({ save }) => (save as WrittenContext['save'])('leg', null, { name: 'Leg' }) }
    await itsm.asSystem('spec', 'acme').create('trip', { name: 'Trip' })
  })
})
