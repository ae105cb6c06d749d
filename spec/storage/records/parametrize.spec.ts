import { expect } from 'chai'
import { keyOfValues } from '../../../plugin/storage/records/parametrize.js'

describe('the key of values', () => {
  it('is the same for the same values only', () => {
    const lists = [
      [],
      [null],
      ['null'],
      [1],
      ['1'],
      [1, 2],
      [12],
      ['1', '2'],
      ['12'],
      ['1:2'],
      ['', '1'],
      ['1', ''],
      [true],
      ['true'],
      [false, 1],
      [-1.5],
      ['a', 1],
      ['a1', null],
      ['number 1;'],
    ]
    const keys = lists.map(keyOfValues)
    expect(new Set(keys).size).to.equal(lists.length)
    expect(lists.map((list) => keyOfValues([...list]))).to.deep.equal(keys)
  })
})
