import { expect } from 'chai'
import { textInUtf8 } from '../../../plugin/core/text/utf8.js'

describe('core/utf8: the text of bytes', () => {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  const inChunksOf = (size: number, bytes: Buffer) =>
    Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) => bytes.subarray(n * size, (n + 1) * size))

  it('is the same wherever chunks end', () => {
    for (const text of [
      '',
      'abc',
      'Zoë 😀',
      '\ufeff日本語',
      'a'.repeat(9) + '\u{10ffff}'.repeat(3),
      '\u0000\u007f\u0080\u07ff\u0800',
    ]) {
      for (const size of [1, 2, 3, 4, 5, 100]) expect(textInUtf8(inChunksOf(size, Buffer.from(text))), text).to.equal(text)
    }
  })

  it('is none for anything else, wherever it is', () => {
    const wrong = [
      [0xff],
      [0x80],
      [0xc3],
      [0xe2, 0x82],
      [0xf0, 0x9f, 0x98],
      [0xc0, 0x80],
      [0xed, 0xa0, 0x80],
      [0xf5, 0x80, 0x80, 0x80],
    ]
    for (const bytes of [...wrong, Array(9).fill(0x80)]) {
      for (const text of [Buffer.from(bytes), Buffer.from([0x61, ...bytes]), Buffer.from([0xc3, 0xbc, ...bytes, 0x61])]) {
        expect(() => decoder.decode(text)).to.throw()
        for (const size of [1, 2, 3, 100]) expect(textInUtf8(inChunksOf(size, text)), text.toString('hex')).to.equal(null)
      }
    }
  })
})
