/**
 * Reads URL-encoded text of older programs: bytes that are not UTF-8 are Windows-1252, as in browsers. Otherwise all of them
 * would become the same replacement character, and different texts would be equal (behaviour: Event submission).
 */
import { textInUtf8 } from '../../core/text/utf8.js'

/** Signs 80 to 9F of Windows-1252, with its unused ones. The decoder of Node 20 has those of Latin-1, which are invisible. */
const EXTRA_SIGNS = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'
/** All signs of Windows-1252, by their bytes. */
const SIGNS = Uint16Array.from({ length: 256 }, (_, byte) => EXTRA_SIGNS.charCodeAt(byte - 0x80) || byte)
/** Values of hexadecimal digits, by their codes; -1 for other codes. */
const DIGITS = Int8Array.from({ length: 256 }, (_, code) => '0123456789abcdef'.indexOf(String.fromCharCode(code).toLowerCase()))

const PERCENT = 0x25
const PLUS = 0x2b
const SPACE = 0x20

/** Names and values in their order. */
export function formPairs(text: string): readonly (readonly [name: string, value: string])[] {
  const sent = text.replace(/^\?/, '').split('&')
  return sent.filter((part) => part !== '').map(pairOf)
}

/** The text of bytes that arrived in these chunks. */
export function textOf(chunks: readonly Buffer[]): string {
  const text = textInUtf8(chunks)
  if (text !== null) return text
  const bytes = Buffer.concat(chunks)
  const signs = new Uint16Array(bytes.length)
  for (let index = 0; index < bytes.length; index++) signs[index] = SIGNS[bytes[index] ?? 0] ?? 0
  return Buffer.from(signs.buffer).toString('utf16le')
}

function pairOf(part: string): readonly [string, string] {
  const end = part.includes('=') ? part.indexOf('=') : part.length
  return [decoded(part.slice(0, end)), decoded(part.slice(end + 1))]
}

/** Decodes all bytes in one pass, within the buffer of the encoded ones. */
function decoded(part: string): string {
  if (!/[%+]/.test(part)) return part.toWellFormed()
  const bytes = Buffer.from(part)
  let length = 0
  for (let index = 0; index < bytes.length; index++, length++) {
    const sign = bytes[index] ?? 0
    const code = sign === PERCENT ? (digitAt(bytes, index + 1) << 4) | digitAt(bytes, index + 2) : -1
    if (code >= 0) index += 2
    bytes[length] = code >= 0 ? code : sign === PLUS ? SPACE : sign
  }
  return textOf([bytes.subarray(0, length)])
}

/** -1 for anything but a hexadecimal digit, also beyond the end. */
function digitAt(bytes: Buffer, index: number): number {
  return DIGITS[bytes[index] ?? 0] ?? -1
}
