/** The shape of a field: all options. */
import { FIELD_KINDS, type Field } from '../language/field.js'
import { type Shape, TEXTS } from '../language/shapes.js'

/** The shape of `who` in a permission. */
export const WHO: Shape = {
  either: ['text', { parts: { person: 'text', memberOf: 'text' }, noun: 'a permission' }],
  called: "a role, 'anyone', 'self', { person: field } or { memberOf: field }",
}

const FIELD_OPTIONS: { readonly [name in keyof Required<Field>]: Shape } = {
  kind: { words: FIELD_KINDS },
  values: TEXTS,
  enumeration: 'text',
  record: 'text',
  value: 'json',
  required: 'boolean',
  readOnly: 'boolean',
  writeOnly: 'boolean',
  only: { words: ['create'] },
  history: 'boolean',
  mark: 'boolean',
  default: 'json',
  ignoreCase: 'boolean',
  minimum: 'number',
  maximum: 'number',
  unit: 'text',
  read: { list: WHO },
  write: { list: WHO },
  guardedBy: 'text',
  note: { words: ['public', 'internal'] },
  keywords: TEXTS,
  end: 'boolean',
  derived: {
    parts: { from: 'text', as: { words: ['value', 'translation', 'download'] } },
    required: ['from', 'as'],
    noun: 'derived',
  },
  keyedBy: 'text',
  hidden: 'boolean',
  shows: TEXTS,
  replaceable: 'boolean',
  max: 'number',
  plain: 'boolean',
  format: { words: ['email', 'emails', 'webhook_uri', 'locale', 'picture'] },
  whenPresent: 'boolean',
  allowDisabled: 'boolean',
  systemMayOmit: 'boolean',
  shownAs: 'text',
  firstOf: 'text',
  inputAs: 'text',
  onlyWhenSet: 'boolean',
  shownElse: 'text',
  onRequest: 'boolean',
  shownWith: 'text',
  translated: 'boolean',
  namesAccount: 'boolean',
  onlyWords: 'boolean',
  description: 'text',
}
/** The shape of a field. */
export const FIELD: Shape = { parts: FIELD_OPTIONS, required: ['kind'], noun: 'a field' }
