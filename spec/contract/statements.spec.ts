/** What a batch costs: as many statements for many records as for a few, type by type, whatever rules they have. */
import { expect } from 'chai'
import type { Call } from '../../plugin/core/call.js'
import type { SaveItem } from '../../plugin/operations/contract.js'
import type { RecordType } from '../../plugin/schema/catalog.js'
import { describePlaces, withContract, withHostType } from '../support/contract.js'
import { countStatements } from '../support/count-statements.js'
import { type Built, buildHouse } from '../support/house.js'

describe('the statements of a batch', () => {
  const contract = withContract()
  const { catalog, fixtures, mounted } = contract.deps
  const { maker } = contract
  let built: Built | null = null
  before('builds a house on the world', () => {
    built = buildHouse(mounted.database.storage, { ...withHostType })
  })
  const house = () => built as Built
  const by = (name: string) => house().by(mounted.world.id(name))

  /** A record of the type, below an owner of its own where records have owners. */
  const itemOf = async (call: Call, type: RecordType, body: object): Promise<SaveItem> => {
    const below = fixtures.get(type.name)?.below
    if (below === undefined || type.operations.has('create')) return { id: null, body }
    const ownerType = catalog.type(below)
    const made = await itemOf(call, ownerType, maker.body(ownerType, 'minimal'))
    const id = Number((await house().operations.save(call, below, null, made.body, made.owner))['id'])
    if (type.partOf.includes(below)) return { id: null, body, owner: { type: below, id } }
    const createdWith = [...ownerType.children.values()].find(({ record }) => record === type.name)?.createdWith
    return { id: null, body: { ...body, [`${createdWith}_id`]: id } }
  }

  /** Statements with which these records are saved, all of them. */
  const costOf = async (type: RecordType, items: readonly SaveItem[]) => {
    const call = await by(maker.maker(type))
    let outcomes: readonly { readonly outcome: string }[] = []
    const statements = await countStatements(mounted.database.knex).during(async () => {
      outcomes = await house().operations.saveAll(call, type.name, items)
    })
    expect(JSON.stringify(outcomes.filter(({ outcome }) => outcome !== 'created'))).to.equal('[]')
    return statements
  }

  describePlaces(contract, ({ canBeMade, fixture, place: { type } }) => {
    if (!canBeMade) return
    for (const body of Object.keys(fixture.bodies).filter((name) => name === 'minimal' || name === 'full')) {
      it(`are the same for two and for twenty records: ${body}`, async () => {
        const owen = await by('@owen')
        const items: SaveItem[] = []
        for (let count = 0; count < 24; count += 1) items.push(await itemOf(owen, type, maker.body(type, body)))
        await costOf(type, items.slice(0, 2))
        const two = await costOf(type, items.slice(2, 4))
        expect(await costOf(type, items.slice(4))).to.equal(two)
      }).timeout(20_000)
    }
  })

  for (const name of ['request', 'task', 'time_entry']) {
    it(`are those of one record, and the inserts of further rows: ${name}`, async () => {
      const type = catalog.type(name)
      const first = await itemOf(await by('@owen'), type, maker.body(type, 'full'))
      const below = Object.entries(first.body).filter(([key]) => !(key in maker.body(type, 'full')))
      const items = (count: number): readonly SaveItem[] =>
        Array.from({ length: count }, () => ({ id: null, body: { ...maker.body(type, 'full'), ...Object.fromEntries(below) } }))
      await costOf(type, items(1))
      const [one, ten] = [await costOf(type, items(1)), await costOf(type, items(10))]
      // Ids of several rows are told by one statement more, for each table.
      expect(ten - one, `${one} and ${ten}`).to.be.within(0, 8)
      // One statement writes a hundred rows. A request with two notes makes a dozen rows in several tables, and is written again
      // with what follows from the records around it.
      for (const count of [100, 500]) {
        const more = (await costOf(type, items(count))) - ten
        expect(more, `${count} records after ten`).to.be.within(0, Math.ceil(count / 100) * 16)
      }
    }).timeout(60_000)
  }
})
