/** Fields of a record type as clients need them for forms and lists, in one language. What nobody sees and nobody sends is left out. */
import { fieldDescription } from '../../words/descriptions/descriptions.js'
import type { Catalog, RecordField, RecordType } from '../catalog.js'
import type { JsonSchema } from '../kinds/json-schema.js'
import { kindOf } from '../kinds/kinds.js'
import type { FieldKind, Json } from '../language/field.js'
import { attachmentInputsOf } from './attachment-inputs.js'
import { inputNameOf, partChangesOf } from './input-names.js'
import { requiredInputs, sentFields } from './required-inputs.js'
import { isOnRequest } from './shape.js'

/** Labels in one language. Types, lists and links have labels as fields do. */
export interface LabelsOf {
  field(type: string, field: string): string
  value(enumeration: string, value: string): string
}

/** A field in one language. Properties that are absent say no: a flag is true, or it is not there. */
export interface DescribedField {
  readonly name: string
  readonly label: string
  readonly kind: FieldKind
  /** What it is for, in English unless the host has written it in another language. */
  readonly help?: string
  /** Unit of a number: `minutes`. */
  readonly unit?: string
  /** The name in bodies, if it is another one: `team_id`, `member_ids`, `contacts_attributes`. */
  readonly input?: string
  /** The name in bodies for files of this text. */
  readonly files_input?: string
  /** Never empty. */
  readonly required?: true
  /** A new record is refused without it: it is required, and neither a default nor a rule fills it in. */
  readonly needed?: true
  /** Nobody can send it. */
  readonly read_only?: true
  /** It can be sent only, or is shown in no other response than that to the save. */
  readonly write_only?: true
  readonly only_on_create?: true
  /** Single records have it only if the parameter `fields` names it. */
  readonly on_request?: true
  readonly default?: Json
  /** Bounds of its values, or of those in a list: characters, numbers, a regular expression. */
  readonly max_length?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly pattern?: string
  readonly format?: string
  readonly max_items?: number
  /** Key of its values. */
  readonly enumeration?: string
  /** Words that may stand in place of a time. */
  readonly keywords?: readonly string[]
  /** The type of the record, or records, that it refers to. */
  readonly record?: string
  /** The field of that record which stands for it in bodies and responses. */
  readonly shown_as?: string
  /** Bodies and responses have it under the value of this field. */
  readonly keyed_by?: string
  readonly sortable?: true
  readonly filterable?: true
  /** Records may be counted by its values, or by its days. */
  readonly countable?: true
  /** Filters may be `<`, `>=` and ranges. */
  readonly ordered?: true
}

/** Describes the fields of a type, in the order of responses. */
export function describeFields(type: RecordType, catalog: Catalog, labels: LabelsOf): readonly DescribedField[] {
  const sent = new Set(sentFields(type, catalog))
  const inputs = inputsOf(type, catalog, sent)
  const needed = new Set(requiredInputs(type, catalog).always)
  // The only text of a type has several; the first one has its name.
  const files = new Map([...attachmentInputsOf(type, catalog)].map(([input, { name }]) => [name, input] as const).toReversed())
  const flag = <N extends string>(name: N, is: boolean | undefined) => (is ? { [name as N]: true as const } : {})
  const { countable, filterable, sortable } = type.collection
  return [...type.fields.values()].flatMap((field): DescribedField[] => {
    const { name } = field
    const input = inputs.get(name)
    const isAbsent = field.record !== undefined && !catalog.types.has(field.record)
    const isSeen = !field.writeOnly && !field.hidden && field.read?.length !== 0
    if (isAbsent || !(isSeen || input !== undefined)) return []
    const { filter, isEnumeration } = kindOf(field)
    const help = field.description ?? fieldDescription(type.name, name)
    const filesInput = files.get(name)
    return [
      {
        name,
        label: labels.field(type.name, name),
        kind: field.kind,
        ...(help === null ? {} : { help }),
        ...(field.unit === undefined ? {} : { unit: field.unit }),
        ...(input === undefined || input === name ? {} : { input }),
        ...(filesInput === undefined ? {} : { files_input: filesInput }),
        ...flag('required', field.required),
        ...flag('needed', needed.has(field)),
        ...flag('read_only', input === undefined),
        ...flag('write_only', !isSeen),
        ...flag('only_on_create', field.only === 'create'),
        ...flag('on_request', isOnRequest(field)),
        ...(field.default === undefined || field.default === null ? {} : { default: field.default }),
        ...(input === undefined || field.kind === 'ref' ? {} : boundsOf(field, catalog)),
        ...(isEnumeration && field.values ? { enumeration: field.enumeration } : {}),
        ...(field.keywords ? { keywords: field.keywords } : {}),
        ...(field.record === undefined ? {} : { record: field.record }),
        ...(field.shownAs === undefined ? {} : { shown_as: field.shownAs }),
        ...(field.keyedBy === undefined ? {} : { keyed_by: field.keyedBy }),
        ...flag('sortable', sortable.has(name)),
        ...flag('filterable', filterable.has(name)),
        ...flag('countable', countable.has(name)),
        ...flag('ordered', filterable.has(name) && filter?.isOrdered),
      },
    ]
  })
}

/** The names in bodies by field: of fields that can be sent, of links, and of lists whose sub-records can be changed one by one. */
function inputsOf(type: RecordType, catalog: Catalog, sent: ReadonlySet<RecordField>): ReadonlyMap<string, string> {
  const linked = [...type.links].filter(([name, { write }]) => write !== 'none' && type.fields.has(name))
  return new Map([
    ...linked.map(([name]) => [name, inputNameOf(type, name)] as const),
    ...[...partChangesOf(type, catalog)]
      .filter(([, { write }]) => write?.length !== 0)
      .map(([input, { name }]) => [name, input] as const),
    ...[...sent].map(({ kind, name }) => [name, kind === 'ref' ? `${name}_id` : name] as const),
  ])
}

/** Bounds by the schemas that values are checked with, and that the OpenAPI document shows. */
function boundsOf(field: RecordField, catalog: Catalog): Partial<DescribedField> {
  const { document, input } = kindOf(field)
  const shown = (document.sent ?? document.shown)(field, catalog, true)
  const schema: JsonSchema = { ...shown, ...input?.check?.(field) }
  const inside: JsonSchema = typeof schema['items'] === 'object' ? { ...(schema['items'] as JsonSchema) } : {}
  const of = (keyword: string) => schema[keyword] ?? inside[keyword]
  const bounds = {
    max_length: of('maxLength'),
    minimum: of('minimum') ?? field.minimum,
    maximum: of('maximum') ?? field.maximum,
    pattern: of('pattern'),
    format: field.format ?? of('format'),
    max_items: schema['maxItems'],
  }
  return Object.fromEntries(Object.entries(bounds).filter(([, value]) => value !== undefined)) as Partial<DescribedField>
}
