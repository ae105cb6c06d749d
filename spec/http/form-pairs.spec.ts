import { expect } from 'chai'
import { formPairs, textOf } from '../../plugin/http/form-pairs.js'

describe('URL-encoded text', () => {
  it('is read as the platform reads it while it is UTF-8', () => {
    for (const text of ['', 'a=1&b=2', 'a=%C3%BC+1&&a=&=x&b', '?a=b', 'a=%zz%&b=%', 'a=b=c&ü=ö', 'a=%00']) {
      expect(formPairs(text), text).to.deep.equal([...new URLSearchParams(text)])
    }
  })

  it('is Windows-1252 in each name and value that is not UTF-8', () => {
    expect(formPairs('?T%FCr=%E9+%80&&a=%C3%BC&b&c=%ef%bf%bd&d=1%=%E9%zz')).to.deep.equal([
      ...[
        ['Tür', 'é €'],
        ['a', 'ü'],
        ['b', ''],
        ['c', '\ufffd'],
        ['d', '1%=é%zz'],
      ],
    ])
    expect(textOf(Buffer.from('T\xfcr', 'latin1'))).to.equal('Tür')
    expect(textOf(Buffer.from('\ufeffTür'))).to.equal('Tür')
  })
})
