/** Descriptions of fields in the document. */
import { fieldDescription } from '../../words/descriptions/descriptions.js'
import { humanize, titleCase } from '../../words/labels.js'
import type { RecordField, RecordType } from '../catalog.js'
import type { JsonSchema } from '../kinds/json-schema.js'
import { kindOf } from '../kinds/kinds.js'

/** Labels of fields and values. */
interface LabelsOf {
  field(type: string, field: string): string
  value(enumeration: string, value: string): string
}

/** Labels in the language of a document, those of the host included. */
export interface Labels extends LabelsOf {
  /** The plugin's own in English: descriptions and names say as much, so that these would only make the document larger. */
  readonly usual: LabelsOf
}

/** The labels that follow from names. */
const BY_RULE: LabelsOf = { field: (_, field) => humanize(field), value: (_, value) => titleCase(value) }
export const LABELS_BY_RULE: Labels = { ...BY_RULE, usual: BY_RULE }

/**
 * The schema with a description of the field and its unit: from the definition, else from `words/descriptions/`. A label of the
 * host, or in another language, begins the description. Without a description it is all of it.
 */
export function described(
  schema: JsonSchema,
  field: RecordField,
  type: RecordType,
  labels: Labels,
  sent: 'sent' | 'shown' = 'shown',
): JsonSchema {
  const label = labels.field(type.name, field.name)
  const known = field.description ?? fieldDescription(type.name, field.name)
  const text = known === null ? `${label}.` : label === labels.usual.field(type.name, field.name) ? known : `${label}: ${known}`
  const unit = field.unit === undefined ? '' : ` In ${field.unit}.`
  const more = sent === 'sent' ? `${kindOf(field).document.hint?.(field) ?? ''}${movesOf(field, type)}${defaultOf(field)}` : ''
  return { ...schema, description: `${text}${unit}${more}` }
}

/** The labels of an enumeration by value, as part of its schema; none if all are the usual ones. */
export function valueLabels(enumeration: string, values: readonly string[], labels: Labels): JsonSchema {
  const byValue = values.map((value) => [value, labels.value(enumeration, value)] as const)
  return byValue.some(([value, label]) => label !== labels.usual.value(enumeration, value))
    ? { 'x-labels': Object.fromEntries(byValue) }
    : {}
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
