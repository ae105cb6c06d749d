import { expect } from 'chai'
import { Invalid } from '../../plugin/core/errors.js'
import { refusalOf, withHouse } from '../support/house.js'

describe('a serial number', function () {
  this.timeout(60_000)
  const house = withHouse({ file: true })
  const product = { lumen: 0, lumenToo: 0, quill: 0 }
  const TAKEN = [['serial_nr', 'taken']]
  before(async () => {
    const category = await house.add('product_category', { name: 'Laptop', group: 'Hardware', rule_set: 'physical_asset' })
    for (const [key, brand] of [
      ['lumen', 'Lumen'],
      ['lumenToo', 'LUMÉN'],
      ['quill', 'Quill'],
    ] as const) {
      product[key] = await house.add('product', { name: key, brand, model: key, category_id: category })
    }
  })
  const ci = (serial_nr: string, product_id = product.lumen) => ({ serial_nr, product_id, name: 'CI', status: 'removed' })
  const saveAll = async (bodies: readonly object[]) => {
    const items = bodies.map((body) => ({ id: null, body }))
    const outcomes = await house.operations.saveAll(await house.system(), 'ci', items)
    return outcomes.map(({ outcome }) => outcome)
  }

  it('is there once for a brand, however it is written', async () => {
    const id = await house.add('ci', ci('ab1'))
    expect(await refusalOf(house.add('ci', ci('AB1')))).to.deep.equal(TAKEN)
    expect(await refusalOf(house.add('ci', ci('ab1', product.lumenToo)))).to.deep.equal(TAKEN)
    await house.add('ci', ci('ab1', product.quill))
    await house.operations.save(await house.system(), 'ci', id, { serial_nr: 'Ab1' })
  })

  it('is there once in a batch', async () => {
    const bodies = [ci('b1'), ci('B1'), ci('b1', product.quill), ci('b2', product.lumenToo), ci('b2')]
    expect(await saveAll(bodies)).to.deep.equal(['created', 'refused', 'created', 'created', 'refused'])
  })

  for (const many of [2, 20]) {
    it(`is taken by one of ${many} at once`, async () => {
      const results = await Promise.allSettled(
        Array.from({ length: many }, (_, n) => house.add('ci', ci(`race ${many}`, n % 2 ? product.lumen : product.lumenToo))),
      )
      for (const result of results) if (result.status === 'rejected') expect(result.reason).to.be.instanceOf(Invalid)
      expect(results.filter(({ status }) => status === 'fulfilled')).to.have.length(1)
    })
  }
})
