import { validTimeOfDay } from '../../core/time/zoned-time.js'
import { type FieldOptions, makeField } from '../language/field.js'
import type { Kind } from './kind.js'
import { readTime } from './values/read-values.js'

/** A time of any day. */
export const timeOfDayKind: Kind = {
  options: { end: true },
  column: {
    form: () => ({ method: 'timeOfDay', types: ['char', 'varchar'], length: 5 }),
    decode: String,
    refuse(value, { end }) {
      const isThere = typeof value === 'string' && endOfDay(validTimeOfDay(value), end === true) === value
      return isThere ? null : { refused: 'invalid_time' }
    },
    encode: String,
  },
  input: {
    read: (value, _zone, { end }) => readTime(value, 'invalid_time', (text) => endOfDay(validTimeOfDay(text), end === true)),
    check: () => ({ type: ['string', 'null'] }),
  },
  filter: { read: (text) => validTimeOfDay(text.trim()), isOrdered: true },
  document: { shown: () => ({ type: 'string', pattern: '^\\d\\d:\\d\\d$' }) },
}

/** Converts 00:00 as an end to 24:00, because a full day is 00:00 to 24:00 (behaviour: Calendars). Refuses other 24:00. */
function endOfDay(time: string | null, isEnd: boolean): string | null {
  if (time === '00:00' && isEnd) return '24:00'
  return time === '24:00' && !isEnd ? null : time
}

/** `08:30`; `24:00` is the end of the day. */
export function timeOfDay<const O extends FieldOptions = object>(options?: O) {
  return makeField<string, O, 'timeOfDay'>('timeOfDay', {}, options)
}
