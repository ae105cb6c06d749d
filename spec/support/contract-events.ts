/** The part of the generated suite about events: which ones a new or changed record causes. */
import { expect } from 'chai'
import { it } from 'mocha'
import { TIMER_VERBS } from '../../plugin/schema/language/define-timer.js'
import type { RecordFixture } from '../../plugin/testing/index.js'
import { withNames } from '../../plugin/testing/names.js'
import type { ContractDeps, Maker, Place } from './contract-place.js'

export function describeEvents({ mounted, catalog }: ContractDeps, maker: Maker, place: Place, fixture: RecordFixture): void {
  const { type } = place
  /** Nothing runs in the background, so that events stay in the outbox. */
  const announced = async (id: unknown): Promise<readonly string[]> => {
    const { knex, storage } = mounted.database
    const rows = await knex(storage.table('outbox')).where({ record_type: type.name, record_id: id }).orderBy('id')
    return rows.map((row) => String(row.event))
  }

  it(type.events.has('create') ? 'announces its creation' : 'announces nothing when it is created', async () => {
    const made = await maker.create(type, await place.address(), maker.body(type, 'minimal'))
    const [first, ...others] = await announced(made['id'])
    expect(first).to.equal(type.events.has('create') ? `${type.name}.create` : undefined)
    // What follows from the records around a new one is announced behind its creation.
    const isSettled = catalog.settling.records.has(type.name)
    if (!isSettled) expect(others).to.deep.equal([])
  })

  if (type.events.has('delete')) {
    it('announces its removal', async () => {
      const address = await place.address()
      const made = await maker.create(type, address, maker.body(type, 'minimal'))
      const removed = await mounted.ask(maker.maker(type), 'DELETE', place.single(address, made['id']))
      expect(removed.status, removed.text).to.equal(204)
      expect((await announced(made['id'])).at(-1)).to.equal(`${type.name}.delete`)
    })
  }

  // What only timers cause is in spec/journey/waiting-records.spec.ts.
  const otherwise: readonly string[] = ['create', 'delete', ...TIMER_VERBS]
  for (const verb of [...type.events].filter((one) => !otherwise.includes(one))) {
    it(`announces ${type.name}.${verb}`, async () => {
      const body = fixture.changes?.[verb]
      if (!body) throw new Error(`fixtures/records/${type.name}.json has no change for ${verb}`)
      const address = await place.address()
      const made = await maker.create(type, address, maker.body(type, 'minimal'))
      const path = place.single(address, made['id'])
      const { length } = await announced(made['id'])
      const changed = await mounted.ask(maker.maker(type), 'PATCH', path, withNames(body, mounted.world.id) as object)
      expect(changed.status, changed.text).to.equal(200)
      expect((await announced(made['id'])).slice(length)).to.contain(`${type.name}.${verb}`)
    })
  }

  if (place.operations.has('update')) {
    it('announces nothing when nothing changes', async () => {
      const address = await place.address()
      const made = await maker.create(type, address, maker.body(type, 'minimal'))
      const before = await announced(made['id'])
      const changed = await mounted.ask(maker.maker(type), 'PATCH', place.single(address, made['id']), {})
      expect(changed.status, changed.text).to.equal(200)
      expect(changed.json).to.deep.equal(made)
      expect(await announced(made['id'])).to.deep.equal(before)
    })
  }
}
