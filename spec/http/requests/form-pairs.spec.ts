import { expect } from 'chai'
import { formPairs, textOf } from '../../../plugin/http/requests/form-pairs.js'

describe('URL-encoded text', () => {
  it('is read as the platform reads it while it is UTF-8', () => {
    for (const text of [
      '',
      'a=1&b=2',
      'a=%C3%BC+1&&a=&=x&b',
      '?a=b',
      'a=%zz%&b=%',
      'a=b=c&ü=ö',
      'a=%00',
      'a=%EF%BB%BFb',
      '%',
      'a=%4',
      'a=%F0%9F%98%80+%+%41%4g',
      'a=\ud800',
    ]) {
      expect(formPairs(text), text).to.deep.equal([...new URLSearchParams(text)])
    }
  })

  it('may have some characters encoded and others not, which Node 20 mixes up', () => {
    expect(formPairs('a=😀%F0%9F%98%80+ü%C3%BC')).to.deep.equal([['a', '😀😀 üü']])
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
    expect(textOf([Buffer.from('T\xfcr', 'latin1')])).to.equal('Tür')
    expect(textOf([Buffer.from('Tü').subarray(0, 2), Buffer.from('Tür').subarray(2)])).to.equal('Tür')
    const all = Array.from({ length: 256 }, (_, byte) => byte)
    const decoded = new TextDecoder('latin1').decode(Uint8Array.from(all.slice(0xa0)))
    expect(textOf([Buffer.from(all)]).slice(0xa0)).to.equal(decoded)
    expect(textOf([Buffer.from(all)]).slice(0x7f, 0x84)).to.equal('\x7f€\x81‚ƒ')
  })
})
