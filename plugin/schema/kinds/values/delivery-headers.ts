/** Headers that a webhook adds to its deliveries: names and values, and the form in which rows have them. */
import type { Seal } from '../../../core/seal.js'
import type { Refusal } from './read-values.js'

/** Maximum number of headers, and of characters of a name and of a value. */
export const MAX_HEADERS = 10
const MAX_NAME = 100
export const MAX_HEADER_VALUE = 1024

/** Shown in place of a value. Sent back, it keeps the value that the header has. */
export const MASK = '********'

/** A token of RFC 9110. */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
/** Printable ASCII without blanks at its ends, which no receiver would see. */
const VALUE = /^[!-~](?:[ -~]*[!-~])?$/
/** Headers of the connection and of the message itself, and those that the plugin sets. */
const RESERVED = new Set([
  ...['connection', 'date', 'expect', 'host', 'http2-settings', 'keep-alive', 'link', 'te', 'trailer', 'transfer-encoding'],
  ...['upgrade', 'user-agent', 'via'],
])
const RESERVED_BEGINNINGS = ['content-', 'proxy-', 'webhook-', ':']

/** Headers as rows have them: the names can be read, the values cannot. */
export interface SealedHeaders {
  readonly [part: string]: string | readonly string[]
  readonly names: readonly string[]
  /** The object of names and values as JSON, sealed. */
  readonly sealed: string
}

/** The headers themselves; null if they cannot be opened, after a change of the option `secret`. */
export function openHeaders({ sealed }: SealedHeaders, { open }: Pick<Seal, 'open'>): Readonly<Record<string, string>> | null {
  const text = open(sealed)
  return text === null ? null : (JSON.parse(text) as Record<string, string>)
}

/** Headers of a caller, or their refusal. It names the header, never its value. */
export function readDeliveryHeaders(value: unknown): { readonly headers: Readonly<Record<string, string>> } | Refusal {
  if (!isValues(value)) return { refused: 'invalid' }
  const entries = Object.entries(value)
  if (entries.length > MAX_HEADERS) return { refused: 'too_many', params: { max: MAX_HEADERS } }
  const seen = new Set<string>()
  for (const [name, text] of entries) {
    const lower = name.toLowerCase()
    const shown = { name: name.slice(0, MAX_NAME).toWellFormed() }
    if (!TOKEN.test(name) || name.length > MAX_NAME || seen.has(lower) || isReserved(lower))
      return { refused: 'header_not_allowed', params: shown }
    if (typeof text !== 'string' || text.length > MAX_HEADER_VALUE || !VALUE.test(text))
      return { refused: 'header_value', params: { ...shown, max: MAX_HEADER_VALUE } }
    seen.add(lower)
  }
  return { headers: Object.fromEntries(entries) as Record<string, string> }
}

function isReserved(lower: string): boolean {
  return RESERVED.has(lower) || RESERVED_BEGINNINGS.some((beginning) => lower.startsWith(beginning))
}

/** True for headers in the form of rows. */
export function isSealedHeaders(value: unknown): value is SealedHeaders {
  if (!isValues(value)) return false
  const { names, sealed } = value
  const isComplete = Object.keys(value).length === 2 && typeof sealed === 'string'
  return isComplete && Array.isArray(names) && names.every((one) => typeof one === 'string')
}

function isValues(value: unknown): value is { readonly [name: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
