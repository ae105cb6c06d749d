import { expect } from 'chai'
import { linkTable, partTable, recordTable } from '../../../migrations/tools.js'
import { common, identity } from '../../../plugin/schema/kinds/common-fields.js'
import { boolean, integer, owner, ref, refs, string } from '../../../plugin/schema/kinds/fields.js'
import { me } from '../../../plugin/schema/language/conditions.js'
import { defineRecord } from '../../../plugin/schema/language/define-record.js'
import { countStatements } from '../../support/count-statements.js'
import { withHouse } from '../../support/house.js'

const LIST = { sort: 'id', filterable: 'id' } as const
const STAFF = { see: { roles: ['specialist'], otherwise: { keeper: me } }, create: ['anyone'], update: ['anyone'] } as const
const ANY = { allowDisabled: true } as const
const shared = { keeper: ref('person'), disabled: boolean({ default: false }) }

/** Its titles are nobody's business. */
const plan = defineRecord('plan', {
  path: 'plans',
  title: 'subject',
  fields: { ...common, subject: string(40), ...shared, budget: integer() },
  collection: { fields: 'id subject', ...LIST },
  reference: ['budget'],
  parts: ['page'],
  access: STAFF,
})
const page = defineRecord('page', {
  path: 'pages',
  title: 'heading',
  partOf: [],
  operations: ['list', 'single'],
  fields: { ...identity, heading: string(40), owner: owner() },
  collection: { fields: 'id heading owner', ...LIST, sortable: 'id heading', filterable: 'id heading' },
  access: { create: ['anyone'], update: ['anyone'] },
})
/** Everybody knows its clubs by name, in their own language too, and whose they are. */
const club = defineRecord('club', {
  path: 'clubs',
  fields: {
    ...common,
    name: string(40),
    localized_name: string(40, { derived: { from: 'name', as: 'translation' } }),
    plan: ref('plan', ANY),
    ...shared,
  },
  collection: { fields: 'id name', ...LIST },
  reference: ['localized_name', 'plan'],
  access: { ...STAFF, publicTitle: true },
})
const visit = defineRecord('visit', {
  path: 'visits',
  title: null,
  fields: {
    ...identity,
    plan: ref('plan', ANY),
    other: ref('plan', ANY),
    page: ref('page'),
    club: ref('club', ANY),
    guest: ref('person', ANY),
    plans: refs('plan'),
  },
  links: { plans: { record: 'plan', table: 'visit_plans', from: 'visit_id', to: 'plan_id' } },
  collection: { fields: 'id plan other page club guest plans', ...LIST, sortable: 'id plan club' },
  access: { create: ['anyone'], update: ['anyone'] },
})

describe('references to records that the caller does not see', () => {
  const house = withHouse({
    records: [plan, page, club, visit],
    migrations: [
      {
        name: 'host_0001_visits',
        async up(schema) {
          for (const name of ['plans', 'clubs']) {
            await recordTable(schema, name, (table) => {
              table.string('source', 30)
              table.string('sourceID', 128)
              table.string('subject', 40)
              table.string('name', 40)
              table.integer('budget')
              table.ref('keeper_id')
              table.ref('plan_id')
              table.boolean('disabled')
              table.datetime('created_at')
              table.datetime('updated_at')
            })
          }
          await partTable(schema, 'pages', (table) => table.string('heading', 40))
          await recordTable(schema, 'visits', (table) => {
            for (const name of ['plan', 'other', 'page', 'club', 'guest']) table.ref(`${name}_id`)
          })
          await linkTable(schema, 'visit_plans', 'visit_id', 'plan_id')
        },
        down: async () => {},
      },
    ],
  })
  let user = 0
  let staff = 0
  let hidden = 0
  let shown = 0
  let sheet = 0
  let hiddenClub = 0
  let id = 0
  const read = async (by: number, visitId = id) => house.operations.read(await house.by(by), 'visit', visitId)
  const list = async (by: number, parameters: readonly (readonly [string, string])[] = [], type = 'visit') =>
    (await house.operations.list(await house.by(by), type, { parameters })).items

  before(async () => {
    user = await house.addPerson('Uma User')
    staff = await house.addPerson('Stan Staff', ['specialist'])
    const secret = { budget: 5, source: 'Vault', sourceID: 'S-1', disabled: true }
    hidden = await house.add('plan', { subject: 'Lay off half of the staff', ...secret })
    shown = await house.add('plan', { subject: 'Summer party', keeper_id: user, budget: 7 })
    sheet = await house.add('page', { heading: 'Whom to lay off' }, { owner: { type: 'plan', id: hidden } })
    hiddenClub = await house.add('club', { name: 'Board', plan_id: hidden, ...secret })
    id = await house.add('visit', {
      plan_id: hidden,
      other_id: shown,
      page_id: sheet,
      club_id: hiddenClub,
      guest_id: staff,
      plan_ids: [shown, hidden],
    })
  })

  it('show their id, and their title where everybody knows titles of that type', async () => {
    const expected = {
      id,
      plan: { id: hidden },
      other: { id: shown, subject: 'Summer party', budget: 7 },
      page: { id: sheet },
      club: { id: hiddenClub, name: 'Board', localized_name: 'Board' },
      guest: { id: staff, name: 'Stan Staff' },
      plans: [{ id: hidden }, { id: shown, subject: 'Summer party', budget: 7 }],
    }
    expect(await read(user)).to.deep.equal(expected)
    expect(await list(user)).to.deep.equal([expected])
    const call = await house.by(user)
    const saved = await house.operations.refer(call, 'plan', [hidden, shown])
    expect(saved).to.deep.equal([{ id: hidden }, { id: shown, subject: 'Summer party', budget: 7 }])
    expect(await house.operations.refer(call, 'club', [hiddenClub])).to.deep.equal([
      { id: hiddenClub, name: 'Board', localized_name: 'Board' },
    ])
  })

  it('show all to those who see them, and to the service itself', async () => {
    const full = { id: hidden, subject: 'Lay off half of the staff', budget: 5, sourceID: 'S-1', disabled: true }
    for (const call of [await house.by(staff), await house.system()]) {
      const record = await house.operations.read(call, 'visit', id)
      expect(record).to.deep.include({ plan: full, page: { id: sheet, heading: 'Whom to lay off' } })
      expect(record['club']).to.deep.equal({
        id: hiddenClub,
        name: 'Board',
        localized_name: 'Board',
        plan: full,
        sourceID: 'S-1',
        disabled: true,
      })
      expect(record['plans']).to.deep.equal([full, { id: shown, subject: 'Summer party', budget: 7 }])
    }
  })

  it('say of further records what the caller sees of these', async () => {
    const open = await house.add('club', { name: 'Chess', keeper_id: user, plan_id: hidden })
    const visitId = await house.add('visit', { club_id: open })
    expect((await read(user, visitId))['club']).to.deep.equal({
      id: open,
      name: 'Chess',
      localized_name: 'Chess',
      plan: { id: hidden },
    })
    await house.storage.knex(house.storage.table('visits')).where({ id: visitId }).delete()
  })

  it('show the account of a trusted one where they show the title', async () => {
    const far = { account: 'globex' }
    const [theirs, keptByUser] = [
      await house.add('plan', { subject: 'Buy ACME' }, far),
      await house.add('plan', { subject: 'Joint party', keeper_id: user }, far),
    ]
    const theirClub = await house.add('club', { name: 'Globetrotters' }, far)
    const guest = await house.add(
      'person',
      { name: 'Gil', primary_email: 'gil@globex.example', disabled: true, sourceID: '7' },
      far,
    )
    const visitId = await house.add('visit', {})
    await house.storage
      .knex(house.storage.table('visits'))
      .where({ id: visitId })
      .update({ plan_id: theirs, other_id: keptByUser, club_id: theirClub, guest_id: guest })
    const account = { id: 'globex', name: 'GLOBEX' }
    for (const by of [user, staff]) {
      expect(await read(by, visitId)).to.deep.include({
        plan: { id: theirs },
        club: { id: theirClub, name: 'Globetrotters', localized_name: 'Globetrotters', account },
        // Trust opens what is open to everybody there.
        guest: { id: guest, name: 'Gil', sourceID: '7', disabled: true, account },
      })
    }
    const other = { id: keptByUser, subject: 'Joint party', budget: null, account }
    // The keeper and the staff of the keeper's account see it: it was passed to that account.
    for (const by of [user, staff]) expect((await read(by, visitId))['other']).to.deep.equal(other)
    await house.permissions.add(await house.system('globex'), staff, 'globex', ['specialist'])
    expect((await read(staff, visitId))['plan']).to.deep.equal({ id: theirs, subject: 'Buy ACME', budget: null, account })
    await house.storage.knex(house.storage.table('visits')).where({ id: visitId }).delete()
  })

  it('neither sort by what they hide nor find by it', async () => {
    const subjects = ['b', 'c', 'a']
    const plans: number[] = []
    for (const subject of subjects) plans.push(await house.add('plan', { subject }))
    const visits: number[] = []
    for (const plan_id of plans.toReversed()) visits.push(await house.add('visit', { plan_id }))
    const order = async (by: number, sort: string) =>
      (await list(by, [['sort', sort]])).map((one) => Number(one['id'])).filter((one) => visits.includes(one))
    const [a, c, b] = visits
    expect(await order(staff, 'plan')).to.deep.equal([a, b, c])
    expect(await order(staff, '-plan')).to.deep.equal([c, b, a])
    expect(await order(user, 'plan')).to.deep.equal([b, c, a])
    expect(await order(user, '-plan')).to.deep.equal([a, c, b])
    await house.storage.knex(house.storage.table('visits')).whereIn('id', visits).delete()
  })

  it('cost one statement for each type, however many there are', async () => {
    const counter = countStatements(house.storage.knex)
    const cost = (by: number) => counter.during(() => list(by, [['per_page', '100']]))
    await cost(user)
    const [few, ofStaff] = [await cost(user), await cost(staff)]
    for (let count = 0; count < 30; count++) {
      const plan_id = await house.add('plan', { subject: `plan ${count}` })
      const club_id = await house.add('club', { name: `club ${count}`, plan_id })
      await house.add('visit', { plan_id, club_id, page_id: sheet, plan_ids: [plan_id, shown] })
    }
    expect(await cost(user)).to.equal(few)
    // Plans, clubs, pages; who sees all need not be looked up.
    expect(few - ofStaff).to.be.within(1, 6)
  })
})

describe('references where the host hides records', () => {
  const house = withHouse({
    scope: ({ type }, decide) =>
      type === 'site' || type === 'team' ? { all: [decide(), { path: ['name'], op: 'not in', values: ['Bunker'] }] } : decide(),
  })

  it('show the name of a hidden site and no more', async () => {
    const bunker = await house.add('site', { name: 'Bunker', sourceID: 'B', source: 'x' })
    const office = await house.add('site', { name: 'Office', sourceID: 'O', source: 'x' })
    const one = await house.addPerson('One', [], { site_id: bunker })
    const other = await house.addPerson('Other', [], { site_id: office })
    const siteOf = async (id: number) => (await house.operations.read(await house.by(one), 'person', id))['site']
    expect(await siteOf(one)).to.deep.equal({ id: bunker, name: 'Bunker' })
    expect(await siteOf(other)).to.deep.equal({ id: office, name: 'Office', sourceID: 'O' })
  })
})

describe('the house’s own references', () => {
  const house = withHouse()

  it('of a request show end users no subjects of work that is not theirs', async () => {
    const [user, agent] = [await house.addPerson('Uma User'), await house.addPerson('Al Agent', ['specialist'])]
    const team_id = await house.add('team', { name: 'Desk' })
    const base = { category: 'other', team_id, subject: 'Secret', requested_by_id: agent, requested_for_id: agent }
    const add = async (body: object) =>
      Number((await house.operations.save(await house.by(agent), 'request', null, body))['id'])
    const first = await add(base)
    const id = await add({ ...base, subject: 'Mine', requested_for_id: user, grouped_into_id: first })
    const group = (await house.row('request', id))?.['grouped_into_id']
    const read = async (by: number) => house.operations.read(await house.by(by), 'request', id)
    expect(await read(user)).to.deep.include({ grouped_into: { id: group }, team: { id: team_id, name: 'Desk' } })
    expect(await read(agent)).to.deep.include({ grouped_into: { id: group, subject: 'Secret' } })
  })
})
