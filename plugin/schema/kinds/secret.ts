import { type FieldOptions, makeField } from '../language/field.js'
import type { Kind } from './kind.js'
import { refuseText } from './values/read-values.js'
import { isSigningSecret, newSigningSecret } from './values/signing-secret.js'

/** Characters of a sealed secret: the longest one has 164. */
const MAX_SEALED = 255

/**
 * A secret for signatures. Callers send true for one that is made here, or a text `whsec_…`; rows have it sealed. No response
 * contains it, but that to the save that has made it.
 */
export const secretKind: Kind = {
  options: {},
  secret: {
    isShownOnce: true,
    seal(given, _before, { fieldSeal, randomBytes }) {
      if (given !== true) return { value: fieldSeal.seal(String(given)) }
      const made = newSigningSecret(randomBytes)
      return { value: fieldSeal.seal(made), shownOnce: made }
    },
  },
  mistakes: ({ hidden }) => (hidden ? [] : ['a secret must be hidden']),
  column: {
    form: () => ({ method: 'exact', types: ['varchar', 'char', 'text'], length: MAX_SEALED, isSized: true }),
    decode: String,
    // Rules and hooks get it sealed, and must not put a readable one into the database.
    refuse: (value) => (isSigningSecret(value) ? { refused: 'invalid' } : refuseText(value)),
    encode: String,
  },
  input: {
    // Only null removes it: an empty text is a mistake of a program that has no secret.
    onlyNullClears: true,
    read: (value) => (value === true || isSigningSecret(value) ? { value } : { refused: 'invalid' }),
    check: () => ({ type: ['string', 'boolean', 'null'], maxLength: MAX_SEALED }),
  },
  filter: null,
  document: {
    shown: () => ({ type: 'string', maxLength: MAX_SEALED }),
    neverNull: 'shown',
    // Of a choice between true and a text, generators make nothing (ADR 0047).
    sent: () => ({ type: 'boolean' }),
    hint: () => ' Or whsec_ and 24 to 64 bytes in Base64.',
  },
}

/** A secret for signatures: `true` makes one, which is shown once. */
export function secret<const O extends FieldOptions = object>(options?: O) {
  return makeField<string, O & { hidden: true }, 'secret'>('secret', {}, { ...options, hidden: true } as O & { hidden: true })
}
