/** What the document says of fields. */
import { fieldDescription } from '../../../core/words/descriptions/index.js'
import { humanize } from '../../../core/words/labels.js'
import type { RecordField, RecordType } from '../../compile/compile.js'
import { kindOf } from '../../kinds/index.js'
import type { JsonSchema } from './names.js'

/** The schema with what the field means, and in which unit it is: from the definition, from the words, or else its label. */
export function described(schema: JsonSchema, field: RecordField, type: RecordType, sent = false): JsonSchema {
  const text = field.description ?? fieldDescription(type.name, field.name) ?? `${humanize(field.name)}.`
  const unit = field.unit === undefined ? '' : ` In ${field.unit}.`
  return {
    ...schema,
    description: `${text}${unit}${sent ? `${kindOf(field).document.hint?.(field) ?? ''}${defaultOf(field)}` : ''}`,
  }
}

/** In words: generators make fields with the keyword `default` required. */
function defaultOf({ default: value }: RecordField): string {
  return value === undefined || value === null || typeof value === 'object' ? '' : ` Default: ${value}.`
}
