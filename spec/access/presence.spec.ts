import { expect } from 'chai'
import { linkTable, partTable, recordTable } from '../../migrations/tools.js'
import type { ScopeHook } from '../../plugin/access/sight/ask-scope.js'
import { common } from '../../plugin/schema/kinds/common-fields.js'
import { boolean, datetime, integer, oneOf, parts, ref, refs, string } from '../../plugin/schema/kinds/fields.js'
import { anyOf, compared, criterionOf, myTeams, threeMonthsAgo } from '../../plugin/schema/language/conditions.js'
import { defineRecord, OPERATIONS } from '../../plugin/schema/language/define-record.js'
import { errorOf, withHouse } from '../support/house.js'

const OPEN = { create: ['anyone'], update: ['anyone'], remove: ['anyone'] } as const
const ID = { fields: 'id', sort: 'id', filterable: 'id' } as const

const parcel = defineRecord('parcel', {
  operations: OPERATIONS,
  path: 'parcels',
  fields: {
    ...common,
    name: string(20, { required: true }),
    lost: boolean({ default: false }),
    lost_at: datetime(),
    others: refs('parcel'),
  },
  links: { others: { record: 'parcel', table: 'parcel_pairs', from: 'one_id', to: 'other_id' } },
  collection: { fields: 'id name', sort: 'id', filterable: 'id' },
  existsWhile: anyOf({ lost: false }, { lost_at: compared('>', threeMonthsAgo) }),
  parts: ['label'],
  access: OPEN,
})
const label = defineRecord('label', {
  path: 'labels',
  partOf: [],
  operations: ['list', 'single'],
  fields: { id: integer({ readOnly: true }), text: string(20), stamps: parts('stamp') },
  collection: { fields: 'id text', sort: 'id', filterable: 'id' },
  parts: ['stamp'],
  access: OPEN,
})
const stamp = defineRecord('stamp', {
  path: 'stamps',
  partOf: ['label', 'stamp'],
  operations: ['list'],
  fields: { id: integer({ readOnly: true }), text: string(20) },
  collection: ID,
  access: OPEN,
})
const notice = defineRecord('notice', {
  operations: OPERATIONS,
  path: 'notices',
  fields: {
    ...common,
    name: string(20, { required: true }),
    audience: oneOf(['everybody', 'team', 'account'], { required: true }),
    team: ref('team'),
  },
  collection: { fields: 'id name', sort: 'id', filterable: 'id' },
  existsWhile: { name: ['open', 'of team', 'own', 'foreign'] },
  parts: ['notice_translation'],
  access: {
    see: { roles: ['specialist'], otherwise: { audience: ['everybody', 'account'] } },
    fromTrusted: anyOf({ audience: 'everybody' }, { audience: 'team', team: myTeams }),
    ...OPEN,
  },
})
const translation = defineRecord('notice_translation', {
  path: 'translations',
  table: 'notice_translations',
  partOf: ['notice'],
  operations: ['list'],
  translates: true,
  fields: { id: integer({ readOnly: true }), locale: string(5, { required: true }), name: string(20) },
  collection: { fields: 'id name', sort: 'id', filterable: 'id' },
  unique: [['locale']],
  access: OPEN,
})

let answer: ScopeHook = (_, decide) => decide()

describe('which records are there', () => {
  const house = withHouse({
    records: [parcel, label, stamp, notice, translation],
    scope: (question, decide) => answer(question, decide),
    migrations: [
      {
        name: 'host_0001_parcels',
        async up(schema) {
          await recordTable(schema, 'parcels', (table) => {
            table.string('source', 30)
            table.string('sourceID', 128)
            table.datetime('created_at')
            table.datetime('updated_at')
            table.string('name', 20)
            table.boolean('lost')
            table.datetime('lost_at')
          })
          await linkTable(schema, 'parcel_pairs', 'one_id', 'other_id')
          await partTable(schema, 'labels', (table) => table.string('text', 20))
          await partTable(schema, 'stamps', (table) => table.string('text', 20))
          await recordTable(schema, 'notices', (table) => {
            table.string('source', 30)
            table.string('sourceID', 128)
            table.datetime('created_at')
            table.datetime('updated_at')
            table.string('name', 20)
            table.enum('audience')
            table.ref('team_id')
          })
          await partTable(schema, 'notice_translations', (table) => {
            table.string('locale', 5)
            table.string('name', 20)
            table.unique('owner_type', 'owner_id', 'locale')
          })
        },
        down: async () => {},
      },
    ],
  })
  const list = async (by: number, type: string, options: object = {}) =>
    (await house.operations.list(await house.by(by), type, { parameters: [], ...options })).items

  describe('for anybody', () => {
    let admin = 0
    let there = 0
    let lately = 0
    let gone = 0
    before(async () => {
      admin = await house.addPerson('Ada Admin', ['account_administrator'])
      const add = (name: string, lost_at: string | null) => house.add('parcel', { name, lost: lost_at !== null, lost_at })
      there = await add('there', null)
      lately = await add('lately', '2026-08-21T09:30:01Z')
      gone = await add('gone', '2026-08-21T09:30:00Z')
      const pairs = [there, gone].map((other_id) => ({ one_id: lately, other_id }))
      await house.storage.knex(house.storage.table('parcel_pairs')).insert(pairs)
      const labels = [there, gone].map((owner_id, index) => ({
        id: index + 1,
        account_id: 'acme',
        owner_type: 'parcel',
        owner_id,
        text: `label ${index + 1}`,
      }))
      await house.storage.knex(house.storage.table('labels')).insert(labels)
      const stamps = labels.map(({ id }) => ({ account_id: 'acme', owner_type: 'label', owner_id: id, text: 'paid' }))
      await house.storage.knex(house.storage.table('stamps')).insert(stamps)
    })

    it('are those that meet the condition, for the service itself too', async () => {
      expect((await list(admin, 'parcel')).map((one) => one['name'])).to.deep.equal(['there', 'lately'])
      for (const call of [await house.by(admin), await house.system()]) {
        expect((await house.operations.read(call, 'parcel', lately))['name']).to.equal('lately')
        expect((await errorOf(house.operations.read(call, 'parcel', gone))).name).to.equal('NotFound')
        expect((await errorOf(house.operations.save(call, 'parcel', gone, { lost: false }))).name).to.equal('NotFound')
        expect((await errorOf(house.operations.remove(call, 'parcel', gone))).name).to.equal('NotFound')
        const within = { type: 'parcel', id: gone, path: 'labels' }
        expect((await errorOf(house.operations.list(call, 'label', { parameters: [], within }))).name).to.equal('NotFound')
      }
    })

    it('are not referred to when they are gone, and cannot be', async () => {
      const call = await house.by(admin)
      const [one] = await list(admin, 'parcel', {
        parameters: [
          ['fields', 'others'],
          ['id', String(lately)],
        ],
      })
      expect(one?.['others']).to.deep.equal([{ id: there, name: 'there' }])
      const link = house.operations.link(call, { type: 'parcel', id: there }, 'others', gone)
      expect((await errorOf(link)).name).to.equal('NotFound')
      expect(await house.scope.seesAll(call, house.catalog.type('parcel'))).to.equal(false)
    })

    it('take their parts with them, and the parts of those', async () => {
      expect((await list(admin, 'label')).map((one) => one['text'])).to.deep.equal(['label 1'])
      expect(await list(admin, 'stamp')).to.have.length(1)
    })

    it('are counted back by the calendar', async () => {
      const monthsAgo = async (at: string) => {
        house.clock.set(at)
        const criterion = await house.scope.resolve(await house.by(admin), criterionOf({ at: compared('>', threeMonthsAgo) }))
        return 'values' in criterion ? criterion.values[0] : null
      }
      expect(await monthsAgo('2026-01-15T00:00:00Z')).to.equal('2025-10-15T00:00:00Z')
      expect(await monthsAgo('2026-05-31T12:00:00Z')).to.equal('2026-02-28T12:00:00Z')
      house.clock.set('2026-11-21T09:30:00Z')
    })
  })

  describe('for people of other accounts', () => {
    let user = 0
    let agent = 0
    let outsider = 0
    const notices = new Map<string, number>()
    before(async () => {
      user = await house.addPerson('Ulla User')
      agent = await house.addPerson('Aart Agent', ['specialist'])
      const mail = { name: 'Oona', primary_email: 'oona@umbrella.example' }
      outsider = await house.add('person', mail, { account: 'umbrella' })
      const team = await house.add('team', { name: 'Guests', member_ids: [user] }, { account: 'globex' })
      const add = async (name: string, body: object, account: string) =>
        notices.set(name, await house.add('notice', { name, ...body }, { account }))
      await add('open', { audience: 'everybody' }, 'globex')
      await add('of team', { audience: 'team', team_id: team }, 'globex')
      await add('foreign', { audience: 'account' }, 'globex')
      await add('closed', { audience: 'everybody' }, 'globex')
      await add('own', { audience: 'account' }, 'acme')
      const owner = { type: 'notice', id: notices.get('of team') ?? 0 }
      await house.add('notice_translation', { locale: 'nl', name: 'van team' }, { owner, account: 'globex' })
    })
    const names = async (by: number, options: object = {}) => (await list(by, 'notice', options)).map((one) => one['name'])

    it('are those that trusted accounts mean for them, along with their own', async () => {
      expect(await names(user)).to.deep.equal(['open', 'of team', 'own'])
      expect(await names(agent)).to.deep.equal(['open', 'own'])
      expect(await names(outsider)).to.deep.equal([])
      const read = (by: number, name: string) =>
        house.by(by).then((call) => house.operations.read(call, 'notice', notices.get(name) ?? 0))
      expect(await read(user, 'of team')).to.deep.include({ name: 'of team', account: { id: 'globex', name: 'GLOBEX' } })
      expect((await errorOf(read(agent, 'of team'))).name).to.equal('NotFound')
      expect((await errorOf(read(user, 'foreign'))).name).to.equal('NotFound')
    })

    it('come with their translations', async () => {
      const within = { within: { type: 'notice', id: notices.get('of team') ?? 0, path: 'translations' } }
      const translations = async (by: number, options: object = {}) =>
        (await list(by, 'notice_translation', options)).map((one) => one['name'])
      expect(await translations(user, within)).to.deep.equal(['van team'])
      expect(await translations(user)).to.deep.equal(['van team'])
      expect(await translations(agent)).to.deep.equal([])
    })

    it('are not for the service, which works for its account alone', async () => {
      const { items } = await house.operations.list(await house.system(), 'notice', { parameters: [] })
      expect(items.map((one) => one['name'])).to.deep.equal(['own'])
    })

    it('are what the host says of them', async () => {
      answer = ({ type }, decide) =>
        type === 'notice' ? { all: [decide(), { path: ['name'], op: 'not in', values: ['open'] }] } : decide()
      expect(await names(user)).to.deep.equal(['of team', 'own'])
      answer = ({ type }, decide) => (type === 'notice' ? { any: [] } : decide())
      expect(await names(user)).to.deep.equal([])
      answer = (_, decide) => decide()
    })
  })
})
