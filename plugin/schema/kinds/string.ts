import { onOneLine, trimmed } from '../../core/text/blank.js'
import { normalized } from '../../core/text/identity.js'
import { type Field, type FieldOptions, makeField } from '../language/field.js'
import type { Kind } from './kind.js'
import { inFormat } from './values/formats.js'
import { mistakeInPicture } from './values/picture-data.js'
import { readText, refuseText } from './values/read-values.js'

/** Maximum number of characters of a string: MySQL has 65,535 bytes for all columns of a row, and uses four per character. */
const MAX_STRING = 16_000
/** Maximum number of characters of a string without a `max` of its own. */
const DEFAULT_MAX = 255

/** A text of one line. */
export const stringKind: Kind = {
  options: { max: true, ignoreCase: true, format: true, translated: true },
  isText: true,
  mistakes({ max }) {
    return [
      ...(max && max > 0 ? [] : ['a string needs its maximum length']),
      ...(Number(max) > MAX_STRING ? [`a string has at most ${MAX_STRING} characters; use text()`] : []),
    ]
  },
  column: {
    form: ({ max = DEFAULT_MAX }) => ({
      method: 'string',
      types: ['varchar', 'char', 'text', 'mediumtext', 'longtext'],
      length: max,
      isSized: true,
    }),
    decode: String,
    refuse: refuseText,
    encode: (value) => normalized(String(value)),
  },
  input: {
    read(value, _zone, { format, max = DEFAULT_MAX }) {
      const read = readText(value)
      if (typeof read !== 'string') return read
      if (format === 'picture') {
        const picture = trimmed(read)
        return mistakeInPicture(picture) ?? { value: picture }
      }
      // Blanks around a single line are typing mistakes. Without them, names can be found and compared (behaviour: Value
      // formats).
      const line = trimmed(read)
      // Longer than any text of so many characters: counting these takes a while, and so does looking for line breaks.
      if (line.length > 2 * max) return { refused: 'too_long', params: { max } }
      return { value: inFormat(format, normalized(onOneLine(line))) }
    },
    check({ format, max = DEFAULT_MAX }) {
      // A picture is checked when it is read: the value may be a whole image.
      if (format === 'picture') return { type: ['string', 'null'] }
      return { type: ['string', 'null'], maxLength: max, ...(format ? { format } : {}) }
    },
  },
  filter: { read: (text) => normalized(onOneLine(text)) },
  answer: {
    show: ({ format }) =>
      format === 'picture' ? (value, { pictureAddress }) => (typeof value === 'string' ? pictureAddress(value) : value) : null,
  },
  document: {
    // A picture may be sent as a whole image, and links have any length.
    shown: ({ derived, format, max = DEFAULT_MAX }) =>
      format === 'picture' || derived?.as === 'download' ? { type: 'string' } : { type: 'string', maxLength: max },
  },
}

/** True for a field with pictures, which responses contain as URLs. */
export function isPicture({ format }: Pick<Field, 'format'>): boolean {
  return format === 'picture'
}

/**
 * A single line of at most `max` characters.
 *
 * ```ts
 * import { boolean, date, defineRecord, identity, integer, oneOf, parts, picture, ref, string, text, times } from 'koa-itsm'
 *
 * export const vehicle = defineRecord('vehicle', {
 *   path: 'vehicles',
 *   fields: {
 *     ...identity,
 *     plate: string(12, { required: true, ignoreCase: true }),
 *     seats: integer({ minimum: 1, maximum: 60, description: 'Places to sit, the driver included.' }),
 *     status: oneOf(['ordered', 'in_use', 'sold'], { default: 'ordered' }),
 *     disabled: boolean({ default: false }),
 *     bought_on: date(),
 *     driver: ref('person', { write: ['account_administrator'] }),
 *     remarks: text(),
 *     attachments: parts('attachment', { readOnly: true }),
 *     picture_uri: picture(),
 *     ...times,
 *   },
 *   collection: { fields: 'id plate status driver', sort: 'plate' },
 *   access: { create: ['account_administrator'], update: ['account_administrator'] },
 * })
 * ```
 */
export function string<const O extends FieldOptions = object>(max: number, options?: O) {
  return makeField<string, O, 'string'>('string', { max }, options)
}

/** A picture: a URL, or an image that was sent as a data URL, stored as a file and returned as a link (behaviour: Pictures). */
export function picture<const O extends FieldOptions = object>(options?: O) {
  return makeField<string, O, 'string'>('string', { max: 1024, format: 'picture' }, options)
}
