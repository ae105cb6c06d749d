import { expect } from 'chai'
import { linkTable, recordTable } from '../../../migrations/tools.js'
import { ADMINISTRATORS, common } from '../../../plugin/schema/kinds/common-fields.js'
import { json, string } from '../../../plugin/schema/kinds/fields.js'
import { defineRecord } from '../../../plugin/schema/language/define-record.js'
import { rule } from '../../../plugin/schema/language/define-rule.js'
import { extendRecord } from '../../../plugin/schema/language/extend-record.js'
import { countStatements } from '../../support/count-statements.js'
import { errorOf, refusalOf, withHouse } from '../../support/house.js'

const OPERATIONS = ['list', 'single', 'create', 'update', 'remove'] as const
const notTheLast = rule('notTheLast', () => ({
  remove({ next, fail }) {
    if (next['name'] === 'the last') fail('base', 'locked')
  },
}))
/** Asked before any of them is gone. */
const keepAll = rule('keepAll', () => ({
  removeAll({ next, fail }) {
    if (next['owner_type'] === 'organization') fail('base', 'locked')
  },
}))

const shelf = defineRecord('shelf', {
  path: 'shelves',
  operations: OPERATIONS,
  fields: { ...common, name: string(40, { required: true }), custom_data: json() },
  collection: { fields: 'id name', sort: 'name', filterable: 'id' },
  links: {
    keepers: { record: 'person', table: 'shelf_keepers', from: 'shelf_id', to: 'person_id' },
    neighbours: { record: 'shelf', table: 'shelf_neighbours', from: 'shelf_id', to: 'neighbour_id' },
  },
  access: { create: ADMINISTRATORS, update: ADMINISTRATORS, remove: ADMINISTRATORS },
  events: ['create', 'delete'],
  rules: [notTheLast()],
})

describe('removing records', () => {
  const house = withHouse({
    records: [shelf],
    extend: [extendRecord('contact', { rules: [keepAll()] })],
    migrations: [
      {
        name: 'host_0001_shelves',
        async up(schema) {
          await recordTable(schema, 'shelves', (table) => {
            table.string('source', 30)
            table.string('sourceID', 128)
            table.string('name', 40)
            table.json('custom_data')
            table.datetime('created_at')
            table.datetime('updated_at')
            table.unique('account_id', 'source', 'sourceID')
          })
          await linkTable(schema, 'shelf_keepers', 'shelf_id', 'person_id')
          await linkTable(schema, 'shelf_neighbours', 'shelf_id', 'neighbour_id')
        },
        down: async () => {},
      },
    ],
  })
  let admin = 0
  let user = 0
  before(async () => {
    admin = await house.addPerson('Ada Admin', ['account_administrator'])
    user = await house.addPerson('Ulla User')
  })
  const remove = async (by: number, type: string, id: number, owner?: { type: string; id: number }) =>
    house.operations.remove(await house.by(by), type, id, owner)

  it('takes the record and its links away and leaves who did it', async () => {
    const id = await house.add('shelf', { name: 'one', keeper_ids: [user] })
    await remove(admin, 'shelf', id)
    expect(await house.row('shelf', id)).to.equal(null)
    expect(await house.storage.knex(house.storage.table('shelf_keepers'))).to.deep.equal([])
    const lines = await house.operations.list(await house.by(admin), 'audit_line', {
      parameters: [['fields', 'action,created_by,audited,owner']],
    })
    expect(lines.items[0]).to.deep.include({ action: 'destroy', audited: 'shelf' })
    expect(lines.items[0]?.['created_by']).to.include({ id: admin })
    expect(lines.items.map((line) => line['action'])).to.include.members(['create', 'destroy'])
  })

  it('is an event of the record as it was, in the transaction of the removal', async () => {
    const announced = async (id: number) => {
      const rows = await house.storage
        .knex(house.storage.table('outbox'))
        .where({ record_type: 'shelf', record_id: id })
        .orderBy('id')
      return rows.map(({ account_id, event, person_id }) => [event, account_id, Number(person_id)])
    }
    const id = await house.add('shelf', { name: 'told' })
    await remove(admin, 'shelf', id)
    expect((await announced(id)).at(-1)).to.deep.equal(['shelf.delete', 'acme', admin])

    const refused = await house.add('shelf', { name: 'the last' })
    await refusalOf(remove(admin, 'shelf', refused))
    expect((await announced(refused)).map(([event]) => event)).to.deep.equal(['shelf.create'])

    const rolledBack = await house.add('shelf', { name: 'back' })
    await errorOf(
      house.operations.together(await house.by(admin), async (call) => {
        await house.operations.remove(call, 'shelf', rolledBack)
        throw new Error('rolled back')
      }),
    )
    expect((await announced(rolledBack)).map(([event]) => event)).to.deep.equal(['shelf.create'])

    const undone = await house.add('shelf', { name: 'undone' })
    await house.operations.retractEach(await house.by(admin), 'shelf', [{ id: undone }])
    expect((await announced(undone)).map(([event]) => event)).to.deep.equal(['shelf.create', 'shelf.delete'])
  })

  it('takes links away that lead to the record, too', async () => {
    const [left, middle, right] = [
      await house.add('shelf', { name: 'left' }),
      await house.add('shelf', { name: 'middle' }),
      await house.add('shelf', { name: 'right' }),
    ]
    const save = async (id: number, ids: readonly number[]) =>
      house.operations.save(await house.by(admin), 'shelf', id, { neighbour_ids: ids })
    await save(left, [middle, right])
    await save(middle, [left, right])
    await remove(admin, 'shelf', middle)
    const pairs = await house.storage.knex(house.storage.table('shelf_neighbours'))
    expect(pairs.map((pair) => [Number(pair.shelf_id), Number(pair.neighbour_id)])).to.deep.equal([[left, right]])
  })

  it('is for those who may, of what they see, and once', async () => {
    const id = await house.add('shelf', { name: 'two' })
    const foreign = await house.add('shelf', { name: 'two' }, { account: 'globex' })
    expect((await errorOf(remove(user, 'shelf', id))).name).to.equal('Forbidden')
    expect((await errorOf(remove(admin, 'shelf', foreign))).name).to.equal('NotFound')
    await remove(admin, 'shelf', id)
    expect((await errorOf(remove(admin, 'shelf', id))).name).to.equal('NotFound')
  })

  it('happens once when two do it at once, also of what is shown from two sides', async () => {
    const provider_id = await house.add('organization', { name: 'Provider' })
    const service_id = await house.add('service', { name: 'Mail', provider_id })
    const [upper, lower] = [
      await house.add('service_instance', { name: 'Upper', service_id }),
      await house.add('service_instance', { name: 'Lower', service_id }),
    ]
    for (let round = 0; round < 3; round++) {
      const owner = { type: 'service_instance', id: upper }
      const body = { service_instance_id: lower, impact_relation: 'down' }
      const child = await house.add('child_service_instance', body, { owner })
      const [parent] = await house.table('parent_service_instances')
      const removals = [
        remove(admin, 'child_service_instance', child, owner),
        remove(admin, 'child_service_instance', child, owner),
        remove(admin, 'parent_service_instance', Number(parent?.['id']), { ...owner, id: lower }),
      ]
      const outcomes = (await Promise.allSettled(removals)).map((one) => (one.status === 'rejected' ? one.reason.name : 'done'))
      expect(outcomes.sort()).to.deep.equal(['NotFound', 'NotFound', 'done'])
      expect(await house.table('child_service_instances')).to.deep.equal([])
      expect(await house.table('parent_service_instances')).to.deep.equal([])
    }
  })

  it('can be refused by rules', async () => {
    const id = await house.add('shelf', { name: 'the last' })
    expect(await refusalOf(remove(admin, 'shelf', id))).to.deep.equal([['base', 'locked']])
    expect(await house.row('shelf', id)).to.include({ name: 'the last' })
  })

  describe('that are parts', () => {
    const owner = () => ({ type: 'person', id: user })
    const contact = (label: string) => house.add('contact', { protocol: 'telephone', label, uri: '12345' }, { owner: owner() })

    it('is for the owner too, and only below the owner that they have', async () => {
      const id = await contact('work')
      const notTheirs = { type: 'person', id: admin }
      expect((await errorOf(remove(admin, 'contact', id, notTheirs))).name).to.equal('NotFound')
      await remove(user, 'contact', id, owner())
      expect(await house.row('contact', id)).to.equal(null)
    })

    it('takes all of one owner together, and none of another', async () => {
      await contact('home')
      await contact('mobile')
      const other = await house.add(
        'contact',
        { protocol: 'chat', label: 'work', uri: 'ada' },
        { owner: { type: 'person', id: admin } },
      )
      await house.operations.removeAll(await house.by(user), 'contact', owner())
      expect((await house.table('contacts')).map((row) => Number(row['id']))).to.deep.equal([other])
    })

    it('costs as many statements for many as for a few', async () => {
      const counter = countStatements(house.storage.knex)
      const call = await house.by(user)
      const costOf = async (count: number) => {
        for (let index = 0; index < count; index++) await contact('home')
        return counter.during(() => house.operations.removeAll(call, 'contact', owner()))
      }
      const few = await costOf(2)
      expect(await costOf(20)).to.equal(few)
    })

    it('takes none when a rule keeps them together, and one by one all the same', async () => {
      const owner = { type: 'organization', id: await house.add('organization', { name: 'Kept' }) }
      const id = await house.add('contact', { protocol: 'telephone', label: 'general', uri: '12345' }, { owner })
      const work = house.operations.removeAll(await house.by(admin), 'contact', owner)
      expect(await refusalOf(work)).to.deep.equal([['base', 'locked']])
      expect(await house.row('contact', id)).to.include({ uri: '12345' })
      await remove(admin, 'contact', id, owner)
      expect(await house.row('contact', id)).to.equal(null)
    })

    it('takes none when one of them is locked', async () => {
      await contact('home')
      const locked = await contact('mobile')
      await house.storage.knex(house.storage.table('contacts')).where({ id: locked }).update({ integration: 1 })
      const work = house.operations.removeAll(await house.by(user), 'contact', owner())
      expect(await refusalOf(work)).to.deep.equal([['base', 'integration_locked']])
      expect((await house.table('contacts')).filter((row) => Number(row['owner_id']) === user)).to.have.length(2)
    })
  })
})
