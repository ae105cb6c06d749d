/** Every record type: how its records are created and changed, and what is refused. */
import { expect } from 'chai'
import { describePlaces, withContract } from '../support/contract.js'
import { describeCreating, describeUpdating } from '../support/contract-writes.js'

describe('every record type, written', () => {
  const contract = withContract()

  it('has fixtures', () => {
    const { catalog, fixtures } = contract.deps
    expect([...catalog.types.keys()].filter((name) => !fixtures.has(name))).to.deep.equal([])
  })

  describePlaces(contract, ({ deps, maker, place, fixture, canBeMade }) => {
    if (!canBeMade) {
      it('cannot be created by anybody', async () => {
        const answer = await deps.mounted.ask(maker.maker(place.type), 'POST', await place.address(), {})
        expect(answer.status).to.equal(404)
      })
      return
    }
    describeCreating(deps, maker, place, fixture)
    if (place.operations.has('update')) describeUpdating(deps, maker, place, fixture)
  })
})
