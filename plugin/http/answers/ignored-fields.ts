/** Maximum characters of the header. Clients and proxies stop reading after some thousand. */
const MAX_LENGTH = 2_000
/** Maximum characters of one name, before it is encoded. */
const MAX_NAME_LENGTH = 100
const MORE = '...'

/**
 * The header X-Ignored-Fields: names in the body that had no effect, separated by commas. Clients choose these names, so all
 * but letters, digits and a few signs is percent-encoded, and a header that would be too long ends with `...`.
 */
export function ignoredFields(names: readonly string[]): string {
  const written: string[] = []
  let length = MORE.length
  for (const name of names) {
    const text = encoded(name)
    length += text.length + 2
    if (length > MAX_LENGTH) return [...written, MORE].join(', ')
    written.push(text)
  }
  return written.join(', ')
}

/** Names in the body that had no effect, for JSON: not encoded, and with the limits of the header. */
export function shownNames(names: readonly string[]): readonly string[] {
  const shown: string[] = []
  let length = 0
  for (const name of names) {
    const text = name.slice(0, MAX_NAME_LENGTH) + (name.length > MAX_NAME_LENGTH ? MORE : '')
    length += text.length
    if (length > MAX_LENGTH) return [...shown, MORE]
    // Half of a surrogate pair cannot be written as UTF-8.
    shown.push(Buffer.from(text, 'utf8').toString('utf8'))
  }
  return shown
}

function encoded(name: string): string {
  // Half of a surrogate pair, sent by the client or left by cutting, cannot be encoded.
  const text = Buffer.from(name.slice(0, MAX_NAME_LENGTH), 'utf8').toString('utf8')
  return encodeURIComponent(text) + (name.length > MAX_NAME_LENGTH ? MORE : '')
}
