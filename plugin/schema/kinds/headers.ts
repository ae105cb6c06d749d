import { digitsOf } from '../../core/sent-number.js'
import { type FieldOptions, makeField } from '../language/field.js'
import { schemaNamed } from './json-schema.js'
import type { Kind } from './kind.js'
import {
  isSealedHeaders,
  MASK,
  MAX_HEADER_VALUE,
  openHeaders,
  readDeliveryHeaders,
  type SealedHeaders,
} from './values/delivery-headers.js'
import { jsonInColumn, MAX_JSON_BYTES, parseJson } from './values/json-values.js'

export { MAX_HEADER_VALUE, MAX_HEADERS } from './values/delivery-headers.js'

/**
 * Headers of deliveries: an object of names and values. Rows have the names, and everything sealed. Responses have a mask in place
 * of each value; a caller who sends it back keeps the value.
 */
export const headersKind: Kind = {
  options: {},
  secret: {
    seal(given, before, { fieldSeal }) {
      const known = isSealedHeaders(before) ? (openHeaders(before, fieldSeal) ?? {}) : {}
      const kept = new Map(Object.entries(known).map(([name, value]) => [name.toLowerCase(), value]))
      const headers: [string, string][] = []
      for (const [name, value] of Object.entries(given as Readonly<Record<string, string>>)) {
        const text = value === MASK ? kept.get(name.toLowerCase()) : value
        if (text === undefined) return { refused: 'header_value', params: { name, max: MAX_HEADER_VALUE } }
        headers.push([name, text])
      }
      // What is sealed is another text each time: without a change the row keeps the one that it has.
      const isSame = JSON.stringify(headers) === JSON.stringify(Object.entries(known))
      return { value: isSame ? before : sealedHeaders(headers, fieldSeal.seal) }
    },
  },
  column: {
    form: () => ({ method: 'json', types: ['mediumtext', 'longtext', 'json', 'text'], length: MAX_JSON_BYTES }),
    decode: jsonInColumn,
    // Rules and hooks get them sealed, and must not put readable ones into the database.
    refuse: (value) => (isSealedHeaders(value) ? null : { refused: 'invalid' }),
    encode: (value) => JSON.stringify(value),
  },
  input: {
    read(value) {
      const read = readDeliveryHeaders(typeof value === 'string' ? parseJson(value) : digitsOf(value))
      if ('refused' in read) return read
      return { value: Object.keys(read.headers).length > 0 ? read.headers : null }
    },
    check: () => ({ type: ['object', 'null'] }),
  },
  filter: null,
  answer: { show: () => (value) => (isSealedHeaders(value) ? masked(value) : null) },
  document: { shown: () => schemaNamed('delivery_headers') },
}

function sealedHeaders(headers: readonly (readonly [string, string])[], seal: (text: string) => string): SealedHeaders {
  return { names: headers.map(([name]) => name), sealed: seal(JSON.stringify(Object.fromEntries(headers))) }
}

function masked({ names }: SealedHeaders): Readonly<Record<string, string>> {
  return Object.fromEntries(names.map((name) => [name, MASK]))
}

/** Headers that deliveries have in addition, sealed. */
export function headers<const O extends FieldOptions = object>(options?: O) {
  return makeField<SealedHeaders, O, 'headers'>('headers', {}, options)
}
