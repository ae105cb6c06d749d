import { expect } from 'chai'
import { NotFound } from '../../plugin/core/errors.js'
import { withHouse } from '../support/house.js'

describe('a time entry', () => {
  const house = withHouse()
  const allocationFor = (organization: number) =>
    house.add('time_allocation', { name: `Meetings of ${organization}`, organization_ids: [organization] })

  it('belongs to the organization that its person was in when it was made', async () => {
    const [sales, plant] = [
      await house.add('organization', { name: 'Sales' }),
      await house.add('organization', { name: 'Plant' }),
    ]
    const person = await house.addPerson('Ines', [], { organization_id: sales })
    const body = { date: '2026-11-20', time_spent: 30, time_allocation_id: await allocationFor(sales) }
    const made = await house.operations.save(await house.by(person), 'time_entry', null, body)
    await house.operations.save(await house.system(), 'person', person, { organization_id: plant })
    const changed = await house.operations.save(await house.by(person), 'time_entry', Number(made['id']), { time_spent: 40 })
    expect(changed).to.include({ organization_id: sales, person_id: person, time_spent: 40 })
  })

  it('can be retrieved for three months after it was deleted', async () => {
    const office = await house.add('organization', { name: 'Office' })
    const person = await house.addPerson('Sam', [], { organization_id: office })
    const body = { date: '2026-11-20', time_spent: 30, time_allocation_id: await allocationFor(office) }
    const made = await house.operations.save(await house.by(person), 'time_entry', null, body)
    const id = Number(made['id'])
    await house.operations.remove(await house.by(person), 'time_entry', id)
    const listed = async () => (await house.operations.list(await house.by(person), 'time_entry', { parameters: [] })).items
    house.clock.set('2027-02-21T09:29:00Z')
    expect(await house.operations.read(await house.by(person), 'time_entry', id)).to.include({ deleted: true })
    expect(await listed()).to.have.length(1)
    house.clock.set('2027-02-21T09:31:00Z')
    let refusal: unknown = null
    await house.operations.read(await house.by(person), 'time_entry', id).catch((error: unknown) => {
      refusal = error
    })
    expect(refusal).to.be.instanceOf(NotFound)
    expect(await listed()).to.deep.equal([])
  })
})
