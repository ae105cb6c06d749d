/** Secrets of webhooks that nobody is shown: in the log of deliveries, and in what receivers send back. Pure. */

/** Stands for what is not shown. */
export const MASK = '***'

/** Shorter values of the query occur by chance in other texts; only in the URL itself are they masked. */
const LEAST_IN_TEXTS = 6
/** Characters from which on a text may be the beginning of a longer one, which ends within a secret. */
const MAY_BE_CUT = 1024
/** Headers of requests whose values are shown; all others may have secrets. */
const SHOWN_HEADERS = new Set(['content-type', 'link', 'user-agent', 'webhook-id', 'webhook-timestamp'])

/** The URL of a receiver without its credentials and the values of its query; null for a text that is no URL. */
export function maskedUri(uri: string): string | null {
  if (!URL.canParse(uri)) return null
  const url = new URL(uri)
  const { host, pathname, protocol } = url
  const credentials = url.username !== '' || url.password !== '' ? `${MASK}@` : ''
  const query = url.search.slice(1).split('&').filter(Boolean)
  const masked = query.map((pair) => (pair.includes('=') ? `${pair.split('=', 1)[0]}=${MASK}` : MASK))
  return `${protocol}//${credentials}${host}${pathname}${masked.length > 0 ? `?${masked.join('&')}` : ''}`
}

/** Headers of a request, without the values of those that may have secrets. */
export function maskedHeaders(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const shown = Object.entries(headers).map(([name, value]) => [name, isSecret(name) ? MASK : value])
  return Object.fromEntries(shown)
}

/**
 * Creates a function that masks the secrets of a request in texts of its receiver, which may send back what it got.
 *
 * @param url where the request goes @param headers all that it has, with the credentials of the URL
 */
export function createMask(url: URL, headers: Readonly<Record<string, string>>): (text: string) => string {
  const values = [...url.searchParams.values(), ...rawValues(url.search)].filter(({ length }) => length >= LEAST_IN_TEXTS)
  const ofHeaders = Object.entries(headers).flatMap(([name, value]) =>
    isSecret(name) ? [value, ...value.split(/[\s,]+/).filter(({ length }) => length >= LEAST_IN_TEXTS)] : [],
  )
  const { password } = url
  const secrets = [password, decoded(password), ...values, ...ofHeaders].filter((text) => text !== '')
  // The longest first: a secret may be part of another one.
  const sorted = [...new Set(secrets.flatMap(formsOf))].sort((one, other) => other.length - one.length)
  return (text) => {
    const masked = sorted.reduce((before, secret) => before.replaceAll(secret, MASK), text)
    return text.length < MAY_BE_CUT ? masked : withoutBeginning(masked, sorted)
  }
}

/** A secret as it is, in a JSON text, also in one that escapes slashes as PHP does, and percent-encoded. */
function formsOf(secret: string): readonly string[] {
  const json = JSON.stringify(secret).slice(1, -1)
  return [secret, json, json.replaceAll('/', '\\/'), encodeURIComponent(secret)]
}

/** Masks the beginning of a secret at the end of a text, where only a part of it has come. */
function withoutBeginning(text: string, secrets: readonly string[]): string {
  // A character may have been cut as well.
  const end = text.replace(/\ufffd$/, '')
  for (const secret of secrets) {
    for (let length = secret.length - 1; length >= LEAST_IN_TEXTS; length -= 1) {
      if (end.endsWith(secret.slice(0, length))) return end.slice(0, -length) + MASK
    }
  }
  return text
}

function isSecret(header: string): boolean {
  return !SHOWN_HEADERS.has(header.toLowerCase())
}

function rawValues(search: string): readonly string[] {
  return search
    .slice(1)
    .split('&')
    .map((pair) => pair.slice(pair.indexOf('=') + 1))
}

/** Percent-encoded text as it was meant; a text that cannot be decoded stays. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
