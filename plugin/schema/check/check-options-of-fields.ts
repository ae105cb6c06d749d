/** Reports options of a field that its kind cannot have, or that contradict each other. */
import type { Field } from '../field.js'
import { FIELD_KINDS, kindOf } from '../kinds/index.js'

/** MySQL allows 64 characters for a column, which is called `<field>_id` for references. */
const MAX_FIELD_NAME = 60

/** All mistakes in the options of a field, whatever its record type. */
export function mistakesInOptions(name: string, field: Field): readonly string[] {
  const { kind, max, note, readOnly, writeOnly } = field
  const mistakes: string[] = []
  const say = (isWrong: boolean | undefined, text: string) => void (isWrong && mistakes.push(text))
  for (const [option, value] of Object.entries(field) as readonly (readonly [keyof Field, unknown])[]) {
    if (value === undefined || kindOf(field).options[option]) continue
    const kinds = FIELD_KINDS.filter((other) => kindOf({ kind: other }).options[option])
    say(kinds.length > 0, `'${option}' is not for fields of the kind ${kind}, only for ${kinds.join(', ')}`)
  }
  say(name.length > MAX_FIELD_NAME, `a field name has at most ${MAX_FIELD_NAME} characters`)
  say(note !== undefined && !writeOnly, 'a note is kept among the notes, and not in its field; say writeOnly')
  say(readOnly && writeOnly, 'a field that is neither shown nor taken is of no use; leave readOnly or writeOnly away')
  say(max !== undefined && max > 0 && !Number.isInteger(max), 'max is a whole number of characters')
  return mistakes
}
