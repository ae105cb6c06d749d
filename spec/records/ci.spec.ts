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
      ['lumenToo', 'LUMEN'],
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

describe('the license type of a configuration item', function () {
  this.timeout(60_000)
  const house = withHouse({ file: true })

  it('is removed when its product gets another category than license certificates', async () => {
    const category = (rule_set: string) => house.add('product_category', { name: rule_set, group: 'Software', rule_set })
    const [certificates, programs] = [await category('license_certificate'), await category('software')]
    const product = await house.add('product', { brand: 'Soft', model: 'Suite', category_id: certificates })
    const item = { product_id: product, status: 'removed', license_type: 'cpu_license' }
    const ids = [await house.add('ci', item), await house.add('ci', item)]
    const move = async (category_id: number) =>
      house.operations.save(await house.system(), 'product', product, { category_id, remarks: `${category_id}` })
    const types = () => Promise.all(ids.map(async (id) => (await house.row('ci', id))?.['license_type']))
    await move(certificates)
    expect(await types()).to.deep.equal(['cpu_license', 'cpu_license'])
    await move(programs)
    expect(await types()).to.deep.equal([null, null])
  })
})
