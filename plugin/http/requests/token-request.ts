/** Reads a request for an access token: RFC 6749, 2.3.1, 3.2 and 4.4.2. */
import { OAuthRefusal } from './oauth-refusal.js'

/** Identification of a client, as it was sent. */
export interface ClientCredentials {
  readonly id: string
  readonly secret: string
  /** True if it came in the Authorization header. */
  readonly inHeader: boolean
}

/** A request for an access token by client credentials. */
export interface TokenRequest extends ClientCredentials {
  /** The scopes that the client asks for; null for all that it has. */
  readonly scope: readonly string[] | null
}

/** The parts of the HTTP request. */
export interface TokenRequestParts {
  /** The header; empty if there is none. */
  readonly authorization: string
  /** Names of the query parameters. */
  readonly query: readonly string[]
  /** The form of the body, in its order. */
  readonly form: readonly (readonly [name: string, value: string])[]
}

/** Parameters that a URL must not contain: URLs are logged by proxies, and stored in histories. */
const NEVER_IN_URLS = new Set([
  ...['grant_type', 'client_id', 'client_secret', 'client_assertion', 'scope', 'access_token', 'api_token'],
])

const CHALLENGE = { 'WWW-Authenticate': 'Basic realm="OAuth client"' }

/** @throws OAuthRefusal for what is not a request for client credentials, and if the client does not identify itself */
export function readTokenRequest({ authorization, query, form }: TokenRequestParts): TokenRequest {
  if (query.some((name) => NEVER_IN_URLS.has(name))) {
    throw new OAuthRefusal('invalid_request', 'Parameters must be in the body, not in the URL')
  }
  const given = new Map(form)
  if (given.size < form.length) throw new OAuthRefusal('invalid_request', 'A parameter is included more than once')
  // Empty ones count as omitted.
  const parameter = (name: string) => given.get(name) || null
  const grantType = parameter('grant_type')
  if (grantType === null) throw new OAuthRefusal('invalid_request', 'Parameter grant_type is missing')
  if (grantType !== 'client_credentials') {
    throw new OAuthRefusal('unsupported_grant_type', 'Parameter grant_type must be client_credentials')
  }
  const [id, secret] = [parameter('client_id'), parameter('client_secret')]
  const client = authorization.trim() === '' ? inBody(id, secret) : inHeader(authorization.trim(), id, secret)
  return { ...client, scope: scopeIn(parameter('scope')) }
}

/**
 * The refusal of wrong credentials; unknown clients and wrong secrets are not distinguished.
 *
 * @param inHeader true if the client used the Authorization header: then the response names its scheme
 */
export function unknownClient(inHeader: boolean): OAuthRefusal {
  return new OAuthRefusal('invalid_client', 'Client authentication failed', { headers: inHeader ? CHALLENGE : {} })
}

function inBody(id: string | null, secret: string | null): ClientCredentials {
  if (id !== null && secret !== null) return { id, secret, inHeader: false }
  throw new OAuthRefusal('invalid_client', 'The client must send client_id and client_secret, or an Authorization header')
}

function inHeader(header: string, id: string | null, secret: string | null): ClientCredentials {
  const [scheme = '', rest = ''] = header.split(/\s+(.*)/s)
  if (!/^basic$/i.test(scheme)) throw unknownClient(true)
  if (secret !== null) throw new OAuthRefusal('invalid_request', 'The client must authenticate either by header or by body')
  const text = Buffer.from(rest, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  const [name, password] = [decoded(text.slice(0, Math.max(0, colon))), decoded(text.slice(colon + 1))]
  if (!name || !password) throw unknownClient(true)
  if (id !== null && id !== name) throw new OAuthRefusal('invalid_request', 'Parameter client_id names another client')
  return { id: name, secret: password, inHeader: true }
}

/** The RFC has both parts URL-encoded before they are joined. Null if they cannot be decoded. */
function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return null
  }
}

function scopeIn(text: string | null): readonly string[] | null {
  return text === null ? null : text.split(' ').filter((name) => name !== '')
}
