/** Reports options of a field that its kind cannot have, or that contradict each other. */
import { kindOf } from '../kinds/kinds.js'
import { FIELD_KINDS, type Field } from '../language/field.js'

/** Maximum length of a name. MySQL allows 64 characters for a column, which is `<field>_id` for references. */
const MAX_FIELD_NAME = 60

/** All mistakes in the options of a field, regardless of its record type. */
export function mistakesInOptions(name: string, field: Field): readonly string[] {
  const { kind, max, note, readOnly, writeOnly } = field
  const { options: taken } = kindOf(field)
  const mistakes: string[] = []
  const report = (isWrong: boolean | undefined, text: string) => void (isWrong && mistakes.push(text))
  for (const [option, value] of Object.entries(field) as readonly (readonly [keyof Field, unknown])[]) {
    if (value === undefined || option === 'kind' || taken[option]) continue
    const kinds = FIELD_KINDS.filter((other) => kindOf({ kind: other }).options[option])
    report(kinds.length > 0, `'${option}' is not for fields of the kind ${kind}, only for ${kinds.join(', ')}`)
  }
  report(name.length > MAX_FIELD_NAME, `a field name must have at most ${MAX_FIELD_NAME} characters`)
  report(note !== undefined && !writeOnly, 'a field with note must be writeOnly, because its value becomes a record of its own')
  report(readOnly && writeOnly, 'must not be both readOnly and writeOnly')
  report(max !== undefined && max > 0 && !Number.isInteger(max), 'max must be a whole number of characters')
  return mistakes
}
