/** All kinds of fields, by name. A new kind is one file of this folder, one line here, and its name in `language/field.ts`. */
import type { FieldKind } from '../language/field.js'
import { booleanKind } from './boolean.js'
import { changesKind } from './changes.js'
import { dateKind } from './date.js'
import { datetimeKind } from './datetime.js'
import { decimalKind } from './decimal.js'
import { enumKind } from './enum.js'
import { eventKind } from './event.js'
import { eventsKind } from './events.js'
import { floatKind } from './float.js'
import { headersKind } from './headers.js'
import { integerKind } from './integer.js'
import { jsonKind } from './json.js'
import type { Column, Kind } from './kind.js'
import { localDatetimeKind } from './local-datetime.js'
import { mentionKind } from './mention.js'
import { ownerKind } from './owner.js'
import { pairsKind } from './pairs.js'
import { partKind } from './part.js'
import { partsKind } from './parts.js'
import { refKind } from './ref.js'
import { refsKind } from './refs.js'
import { secretKind } from './secret.js'
import { stringKind } from './string.js'
import { stringsKind } from './strings.js'
import { textKind } from './text.js'
import { timeOfDayKind } from './time-of-day.js'

const KINDS = {
  string: stringKind,
  text: textKind,
  integer: integerKind,
  float: floatKind,
  decimal: decimalKind,
  boolean: booleanKind,
  enum: enumKind,
  event: eventKind,
  events: eventsKind,
  date: dateKind,
  datetime: datetimeKind,
  localDatetime: localDatetimeKind,
  timeOfDay: timeOfDayKind,
  json: jsonKind,
  changes: changesKind,
  strings: stringsKind,
  ref: refKind,
  refs: refsKind,
  part: partKind,
  parts: partsKind,
  owner: ownerKind,
  mention: mentionKind,
  pairs: pairsKind,
  secret: secretKind,
  headers: headersKind,
} satisfies { readonly [kind in FieldKind]: Kind }

/**
 * The kind of a field. Code that reads or writes many values looks it up once.
 *
 * The check of definitions reports names that are not in FIELD_KINDS. Such a field counts as a text, so that the check can
 * continue with the rest of it.
 */
export function kindOf({ kind }: { readonly kind: FieldKind }): Kind {
  // Not by the name alone: every object has a `constructor`.
  return Object.hasOwn(KINDS, kind) ? KINDS[kind] : textKind
}

/** True for fields without a column of their own: their values are in other tables, or in the column of another field. */
export function isElsewhere(field: { readonly kind: FieldKind }): boolean {
  return kindOf(field).column === null
}

/** The column form of a field. @throws Error for fields without a column of their own */
export function columnOf(field: { readonly kind: FieldKind }): Column {
  const { column } = kindOf(field)
  if (!column) throw new Error(`Fields of the kind ${field.kind} have no column of their own`)
  return column
}
