/** Descriptions of fields in the document. */
import { fieldDescription } from '../../words/descriptions/descriptions.js'
import { humanize } from '../../words/labels.js'
import type { RecordField, RecordType } from '../catalog.js'
import type { JsonSchema } from '../kinds/json-schema.js'
import { kindOf } from '../kinds/kinds.js'

/**
 * The schema with a description of the field and its unit: from the definition, else from `words/descriptions/`, else its
 * name.
 */
export function described(schema: JsonSchema, field: RecordField, type: RecordType, sent = false): JsonSchema {
  const text = field.description ?? fieldDescription(type.name, field.name) ?? `${humanize(field.name)}.`
  const unit = field.unit === undefined ? '' : ` In ${field.unit}.`
  return {
    ...schema,
    description: `${text}${unit}${sent ? `${kindOf(field).document.hint?.(field) ?? ''}${movesOf(field, type)}${defaultOf(field)}` : ''}`,
  }
}

/** What callers may choose next, as text. */
function movesOf({ name }: RecordField, { moves }: RecordType): string {
  const steps = [...(moves.get(name) ?? [])]
  return steps.map(([from, next]) => ` After ${from}: ${next.map(({ to }) => to).join(', ') || 'nothing'}.`).join('')
}

/** As text: generators make fields with the keyword `default` required. */
function defaultOf({ default: value }: RecordField): string {
  return value === undefined || value === null || typeof value === 'object' ? '' : ` Default: ${value}.`
}
