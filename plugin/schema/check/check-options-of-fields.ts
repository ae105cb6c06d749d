/** Reports options of a field that its kind cannot have, or that contradict each other. */
import type { Field, FieldKind, FieldOptions } from '../fields.js'

const NUMBERS: readonly FieldKind[] = ['integer', 'float', 'decimal']
const TEXTS: readonly FieldKind[] = ['string', 'text']

/** The kinds of fields that options are for; all others are for every kind, or have a message of their own. */
const KINDS: { readonly [name in keyof FieldOptions | 'values' | 'enumeration' | 'record']?: readonly FieldKind[] } = {
  values: ['enum'],
  enumeration: ['enum'],
  events: ['enum', 'strings'],
  record: ['ref', 'refs', 'part', 'parts'],
  minimum: NUMBERS,
  maximum: NUMBERS,
  max: [...TEXTS, 'strings'],
  ignoreCase: TEXTS,
  lowerCase: TEXTS,
  keywords: ['datetime'],
  format: TEXTS,
  note: ['text'],
  shows: ['part', 'parts'],
  replaceable: ['parts'],
  masked: ['hash'],
  allowDisabled: ['ref', 'refs', 'parts', 'part'],
}
/** Characters of a string: MySQL has 65,535 bytes for all columns of a row, and four for a character. */
const MAX_STRING = 16_000
/** MySQL allows 64 characters for a column, which is called `<field>_id` for references. */
const MAX_FIELD_NAME = 60

/** All mistakes in the options of a field, whatever its record type. */
export function mistakesInOptions(name: string, field: Field): readonly string[] {
  const { kind, max, note, readOnly, writeOnly } = field
  const mistakes: string[] = []
  const say = (isWrong: boolean | undefined, text: string) => void (isWrong && mistakes.push(text))
  for (const [option, kinds] of Object.entries(KINDS)) {
    const isGiven = Object.hasOwn(field, option) && (field as unknown as Record<string, unknown>)[option] !== undefined
    say(isGiven && !kinds.includes(kind), `'${option}' is not for fields of the kind ${kind}, only for ${kinds.join(', ')}`)
  }
  say(name.length > MAX_FIELD_NAME, `a field name has at most ${MAX_FIELD_NAME} characters`)
  say(note !== undefined && !writeOnly, 'a note is kept among the notes, and not in its field; say writeOnly')
  say(readOnly && writeOnly, 'a field that is neither shown nor taken is of no use; leave readOnly or writeOnly away')
  say(max !== undefined && max > 0 && !Number.isInteger(max), 'max is a whole number of characters')
  say(kind === 'string' && Number(max) > MAX_STRING, `a string has at most ${MAX_STRING} characters; use text()`)
  return mistakes
}
