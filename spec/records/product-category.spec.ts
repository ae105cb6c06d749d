import { expect } from 'chai'
import { refusalOf, withHouse } from '../support/house.js'

describe('a product category', () => {
  const house = withHouse({ file: true })
  const group = `Tools of ${'the long corridor '.repeat(10)}`
  const bodyOf = (name: string) => ({ group, name, rule_set: 'physical_asset' })
  const make = async (name: string) => house.operations.save(await house.system(), 'product_category', null, bodyOf(name))

  it('has a reference of its own, however long its group is: one by one, in a batch, and at the same time', async () => {
    const call = await house.system()
    const items = ['Saw', 'Drill', 'Plane'].map((name) => ({ id: null, body: bodyOf(name) }))
    const batch = (await house.operations.saveAll(call, 'product_category', items)).map((one) => {
      if (!('row' in one)) throw new Error(JSON.stringify(one))
      return one.row
    })
    const rows = [await make('Hammer'), ...batch, ...(await Promise.all(['File', 'Vise', 'Lathe', 'Rasp'].map(make)))]
    const references = rows.map((row) => String(row['reference']))
    expect(new Set(references)).to.have.property('size', rows.length)
    for (const reference of references) expect(reference).to.have.length(80)
  })

  it('with group and name of another one is refused, also at the same time', async () => {
    const taken = [['reference', 'taken']]
    await make('Anvil')
    expect(await refusalOf(make('ANVIL'))).to.deep.equal(taken)
    const both = await Promise.allSettled([make('Bellows'), make('bellows')])
    expect(both.map(({ status }) => status).sort()).to.deep.equal(['fulfilled', 'rejected'])
    const refused = both.find((one) => one.status === 'rejected')
    expect(await refusalOf(Promise.reject(refused?.reason))).to.deep.equal(taken)
  })
})
