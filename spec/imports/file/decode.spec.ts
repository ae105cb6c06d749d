import { expect } from 'chai'
import { decode } from '../../../plugin/imports/file/decode.js'
import { englishOf } from '../english.js'

const TEXT = 'Name,Site\r\nZoë – 名前 😀,Århus\nçà,"x\ny"\n'

const SAVE_AS =
  ': save the file in UTF-8 (Excel calls it CSV UTF-8), or in UTF-16LE with a byte order mark; Windows-1252 (ANSI) and other encodings cannot be read'

describe('decoding an import file', () => {
  for (const size of [1, 2, 3, 5, 1000]) {
    it(`reads UTF-8 in pieces of ${size} bytes`, async () => {
      expect(await decodeAll(Buffer.from(TEXT), size)).to.equal(TEXT)
    })

    it(`reads UTF-8 with a byte order mark in pieces of ${size} bytes`, async () => {
      expect(await decodeAll(Buffer.from(`\ufeff${TEXT}`), size)).to.equal(TEXT)
    })

    it(`reads UTF-16LE with a byte order mark in pieces of ${size} bytes`, async () => {
      expect(await decodeAll(Buffer.from(`\ufeff${TEXT}`, 'utf16le'), size)).to.equal(TEXT)
    })

    it(`names the line of an invalid byte in pieces of ${size} bytes`, async () => {
      const file = Buffer.concat([Buffer.from('a\nb\r\nc\rgood '), Buffer.from([0xff]), Buffer.from('\nd\n')])
      expect(await failureOf(file, size)).to.deep.equal({
        text: 'a\nb\r\nc\rgood ',
        message: `Invalid byte sequence in UTF-8 on line 4${SAVE_AS}`,
      })
    })
  }

  it('names line 15 when the fifteenth line has the invalid byte', async () => {
    const file = Buffer.concat([Buffer.from('name\n'.repeat(14)), Buffer.from([0x41, 0xe9, 0x42, 0x0a])])
    expect((await failureOf(file, 1000)).message).to.equal(`Invalid byte sequence in UTF-8 on line 15${SAVE_AS}`)
  })

  it('refuses a character that is cut at the end of the file', async () => {
    expect((await failureOf(Buffer.from([0x61, 0x0a, 0xe2, 0x82]), 1000)).message).to.equal(
      `Invalid byte sequence in UTF-8 on line 2${SAVE_AS}`,
    )
  })

  it('refuses an overlong form and a surrogate in UTF-8', async () => {
    for (const bytes of [
      [0xc0, 0xaf],
      [0xed, 0xa0, 0x80],
    ]) {
      expect((await failureOf(Buffer.from(bytes), 1000)).message).to.equal(`Invalid byte sequence in UTF-8 on line 1${SAVE_AS}`)
    }
  })

  it('refuses half a pair and half a unit in UTF-16LE', async () => {
    const half = Buffer.from([0xff, 0xfe, 0x61, 0x00, 0x0a, 0x00, 0x00, 0xd8, 0x62, 0x00])
    expect((await failureOf(half, 1000)).message).to.equal(`Invalid byte sequence in UTF-16LE on line 2${SAVE_AS}`)
    expect((await failureOf(Buffer.from([0xff, 0xfe, 0x61]), 1000)).message).to.equal(
      `Invalid byte sequence in UTF-16LE on line 1${SAVE_AS}`,
    )
  })

  it('gives nothing for an empty file', async () => {
    expect(await decodeAll(Buffer.alloc(0), 10)).to.equal('')
    expect(await decodeAll(Buffer.from([0xef, 0xbb, 0xbf]), 10)).to.equal('')
  })
})

async function* inPieces(bytes: Buffer, size: number): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size)
}

async function decodeAll(bytes: Buffer, size: number): Promise<string> {
  let all = ''
  for await (const text of decode(inPieces(bytes, size))) all += text
  return all
}

async function failureOf(bytes: Buffer, size: number): Promise<{ text: string; message: string }> {
  let all = ''
  try {
    for await (const text of decode(inPieces(bytes, size))) all += text
  } catch (error) {
    return { text: all, message: englishOf(error) }
  }
  throw new Error(`Nothing was refused in ${all}`)
}
