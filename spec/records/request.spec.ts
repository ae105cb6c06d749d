import { expect } from 'chai'
import { withHouse } from '../support/house.js'

describe('a request', () => {
  const house = withHouse()

  it('belongs to the organization of the person it is for, not of who asked', async () => {
    const [sales, plant] = [
      await house.add('organization', { name: 'Sales' }),
      await house.add('organization', { name: 'Plant' }),
    ]
    const asks = await house.addPerson('Ines', [], { organization_id: sales })
    const needs = await house.addPerson('Hank', [], { organization_id: plant })
    const team = await house.add('team', { name: 'Desk' })
    const body = { subject: 's', category: 'other', team_id: team, requested_by_id: asks, requested_for_id: needs }
    const row = await house.operations.save(await house.by(asks), 'request', null, body)
    expect(row['organization_id']).to.equal(plant)
  })
})
