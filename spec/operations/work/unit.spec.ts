import { expect } from 'chai'
import { EndlessWork, unitOf } from '../../../plugin/operations/work/unit.js'
import { rule } from '../../../plugin/schema/language/define-rule.js'
import { inSavepoint } from '../../../plugin/storage/database/savepoint.js'
import { dbOf, inTransaction } from '../../../plugin/storage/database/transaction.js'
import { countStatements } from '../../support/count-statements.js'
import { createFestival, festival } from '../../support/festival.js'
import { errorOf, withHouse } from '../../support/house.js'

describe('the unit of work', () => {
  /** Rules that read another record and save it, as the name of the record says. */
  const busy = rule('busy', () => ({
    async written({ before, load, next, save, type }) {
      const stage = Number(next['stage_id'])
      if (type === 'act' && next['subject'] === 'adds') {
        const found = await load('stage', stage)
        await save('stage', stage, { remarks: String(Number(found?.['remarks'] ?? 0) + 1) })
      }
      if (type === 'act' && next['subject'] === 'endless') await save('stage', stage, { remarks: `act ${next['id']}` })
      if (type === 'stage' && before && String(next['remarks']).startsWith('act '))
        await save('act', null, { subject: 'endless', stage_id: next['id'] })
    },
  }))
  /** A sub-record that saves its owner, whose own save is still under way. */
  const talkative = rule('talkative', () => ({
    async written({ next, save }) {
      await save('act', Number(next['owner_id']), { subject: `with ${next['drinks']}` })
    },
  }))
  const house = withHouse({
    records: festival,
    migrations: [createFestival],
    extend: [
      ...['act', 'stage'].map((name) => ({ extends: name, rules: [busy()] })),
      { extends: 'rider', rules: [talkative()] },
    ],
  })
  const acts = (subject: string, stage: number, count: number) =>
    Array.from({ length: count }, () => ({ id: null, body: { subject, stage_id: stage } }))

  it('shows rules what other saves of the transaction have written', async () => {
    const stage = await house.add('stage', { name: 'Main', remarks: '0' })
    await house.operations.saveAll(await house.system(), 'act', acts('adds', stage, 3))
    expect(await house.row('stage', stage)).to.include({ remarks: '3' })
  })

  it('returns a record as rules of its sub-records have left it', async () => {
    const stage = await house.add('stage', { name: 'Main' })
    const call = await house.system()
    const made = await house.operations.save(call, 'act', null, { subject: 'Duo', stage_id: stage, rider: { drinks: 'tea' } })
    expect(made).to.include({ subject: 'with tea' })
    house.clock.pass(60_000)
    const later = await house.system()
    const changed = await house.operations.save(later, 'act', Number(made['id']), { rider: { drinks: 'milk' } })
    expect(changed).to.include({ subject: 'with milk', updated_at: later.now })
    expect(await house.row('act', Number(made['id']))).to.deep.equal(changed)
  })

  it('forgets what a savepoint takes back', async () => {
    const stage = await house.add('stage', { name: 'Main', remarks: '0' })
    await inTransaction(house.storage, await house.system(), async (call) => {
      await errorOf(
        inSavepoint(house.storage, call, async () => {
          await house.operations.saveAll(call, 'act', acts('adds', stage, 2))
          throw new Error('back')
        }),
      )
      await house.operations.saveAll(call, 'act', acts('adds', stage, 1))
    })
    expect(await house.row('stage', stage)).to.include({ remarks: '1' })
  })

  it('marks again what it had marked at a savepoint, and nothing that came later', () => {
    const { access, catalog, queries, scope, storage } = house
    const unit = unitOf({ catalog, decisions: access.decisions, queries, scope, storage }, {})
    const marked = () => unit.takeMarks().map(({ ids, type }) => [type, ...ids])
    unit.mark('stage', [1], null)
    const first = unit.savepoint()
    unit.mark('stage', [2, 3], null)
    const second = unit.savepoint()
    unit.mark('stage', [4], null)
    unit.mark('act', [9], null)
    second()
    unit.mark('stage', [5], null)
    first()
    unit.mark('stage', [6], null)
    expect(marked()).to.deep.equal([['stage', 1, 6]])
    expect(marked()).to.deep.equal([])
  })

  it('loads rows of several types with one statement, unless they are many', async () => {
    const { access, catalog, queries, scope, storage } = house
    const made: number[] = []
    for (const name of ['One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight'])
      made.push(await house.add('stage', { name }))
    const genre = await house.add('genre', { name: 'Jazz' })
    const ask = (stages: readonly number[], genres: readonly number[]) => {
      const unit = unitOf({ catalog, decisions: access.decisions, queries, scope, storage }, {})
      const wanted = new Map([
        ['stage', stages],
        ['genre', genres],
        ['nothing', [1]],
      ])
      const loading = countStatements(storage.knex).during(async () => {
        await unit.prefetchAll(wanted)
        await unit.prefetchAll(wanted)
      })
      return loading.then((count) => ({ count, unit }))
    }
    const few = await ask(made.slice(0, 2), [genre, 4711])
    expect(few.count).to.equal(1)
    expect(few.unit.known('stage', made[1] ?? 0)).to.include({ name: 'Two' })
    expect(few.unit.known('genre', genre)).to.include({ name: 'Jazz' })
    expect(await few.unit.load('genre', 4711)).to.equal(null)
    const many = await ask(made, [genre])
    expect(many.count).to.equal(2)
    expect(many.unit.known('stage', made[7] ?? 0)).to.include({ name: 'Eight' })
    expect((await ask(made.slice(0, 2), [])).count).to.equal(1)
    expect((await ask([], [])).count).to.equal(0)
  })

  it('forgets rows of a table that is written past it', async () => {
    const stage = await house.add('stage', { name: 'Main', remarks: '0' })
    await inTransaction(house.storage, await house.system(), async (call) => {
      await house.operations.saveAll(call, 'act', acts('adds', stage, 1))
      await dbOf(house.storage, call)(house.storage.table('stages')).where({ id: stage }).update({ remarks: '41' })
      await house.operations.saveAll(call, 'act', acts('adds', stage, 1))
    })
    expect(await house.row('stage', stage)).to.include({ remarks: '42' })
  })

  it('ends rules that save each other for ever with an error that names the chain', async function () {
    this.timeout(30_000)
    const stage = await house.add('stage', { name: 'Main' })
    const error = await errorOf(house.add('act', { subject: 'endless', stage_id: stage }))
    expect(error).to.be.instanceOf(EndlessWork)
    expect(error.message).to.match(/^Rules save records endlessly: act → stage → act → stage → .* → …$/)
    expect(await house.row('stage', stage)).to.include({ remarks: null })
  })
})
