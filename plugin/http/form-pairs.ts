/**
 * Reads URL-encoded text of older programs: bytes that are not UTF-8 are Windows-1252, as in browsers. Otherwise all of them
 * would become the same replacement character, and different texts would be equal (behaviour: Event submission).
 */

/** Stands in decoded text for bytes that are not UTF-8. */
const REPLACED = '\ufffd'

/** Signs 80 to 9F of Windows-1252, with its unused ones. The decoder of Node 20 has those of Latin-1, which are invisible. */
const EXTRA_SIGNS = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'

/** Names and values in their order. */
export function formPairs(text: string): readonly (readonly [name: string, value: string])[] {
  const pairs = [...new URLSearchParams(text)]
  if (!pairs.some((pair) => pair.some((part) => part.includes(REPLACED)))) return pairs
  const sent = text.replace(/^\?/, '').split('&')
  return sent.filter((part) => part !== '').map(pairOf)
}

/** The text of bytes. */
export function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    const text = Buffer.from(bytes).toString('latin1')
    return text.replace(/[\u0080-\u009f]/g, (sign) => EXTRA_SIGNS.charAt(sign.charCodeAt(0) - 0x80))
  }
}

function pairOf(part: string): readonly [string, string] {
  const end = part.includes('=') ? part.indexOf('=') : part.length
  return [decoded(part.slice(0, end)), decoded(part.slice(end + 1))]
}

function decoded(part: string): string {
  const pieces = part.replaceAll('+', ' ').match(/%[0-9a-f]{2}|[^%]+|%/gi) ?? []
  const isByte = (piece: string) => piece.length === 3 && piece.startsWith('%')
  return textOf(Buffer.concat(pieces.map((piece) => (isByte(piece) ? Buffer.from(piece.slice(1), 'hex') : Buffer.from(piece)))))
}
