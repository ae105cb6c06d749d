/** The schemas of input: one for creating a record, one for changing it. */
import { humanize } from '../../../core/words/labels.js'
import type { Catalog, RecordField, RecordType } from '../../compile/compile.js'
import { attachmentInputsOf } from '../attachment-inputs.js'
import { inputNameOf, isWritable, partChangesOf } from '../input-names.js'
import { described } from './descriptions.js'
import { componentName, formOf, ID, type JsonSchema, schemaNamed } from './names.js'
import { sentSchema } from './values.js'

type Properties = { readonly [name: string]: JsonSchema }

/** `RequestUpdate`, and `RequestCreate` based on it: with the required fields, and those that are accepted only on create. */
export function inputSchemas(type: RecordType, catalog: Catalog): { readonly [name: string]: JsonSchema } {
  const update = formOf(type.name, 'update')
  const changing = propertiesOf(type, catalog, false)
  const creating = Object.entries(propertiesOf(type, catalog, true))
  const more = creating.filter(([name, schema]) => JSON.stringify(schema) !== JSON.stringify(changing[name]))
  const required = requiredInputs(type, catalog)
  return {
    [componentName(update)]: { type: 'object', properties: changing },
    [componentName(formOf(type.name, 'create'))]: {
      allOf: [schemaNamed(update)],
      ...(more.length > 0 ? { type: 'object', properties: Object.fromEntries(more) } : {}),
      ...(required.length > 0 ? { required } : {}),
    },
  }
}

/**
 * Names without which a create body is always refused. Fields with a default, those that a rule may fill, and the reference in
 * the path of a creation below another record can be omitted.
 */
function requiredInputs(type: RecordType, catalog: Catalog): readonly string[] {
  const filled = new Set(type.rules.flatMap(({ behavior }) => behavior.fills ?? []))
  for (const { fills } of type.settle) for (const name of fills) filled.add(name)
  // Responses use the value of another field as the name of these values, and callers may do so as well.
  const keyed = new Set([...type.fields.values()].flatMap(({ name, keyedBy }) => (keyedBy ? [name, keyedBy] : [])))
  return sentFields(type, catalog)
    .filter((field) => field.required && field.column !== null && field.default === undefined)
    .filter(({ name }) => !filled.has(name) && !keyed.has(name) && !referencesInPaths(type, catalog).has(name))
    .map((field) => (field.kind === 'ref' ? `${field.name}_id` : field.name))
}

/** References in the paths that create records of the type below others: `change` of `POST /changes/12/tasks`. */
function referencesInPaths(type: RecordType, catalog: Catalog): ReadonlySet<string> {
  const children = [...catalog.types.values()].flatMap((owner) => [...owner.children.values()])
  return new Set(children.flatMap(({ record, createdWith }) => (record === type.name && createdWith ? [createdWith] : [])))
}

function propertiesOf(type: RecordType, catalog: Catalog, creating: boolean): Properties {
  const inPaths = referencesInPaths(type, catalog)
  const fields = sentFields(type, catalog).filter(({ name, only }) => (creating ? !inPaths.has(name) : only !== 'create'))
  const keyed = fields.filter(({ keyedBy }) => keyedBy)
  const links = [...type.links].filter(([, { write }]) => write !== 'none')
  return Object.fromEntries([
    ...fields.flatMap((field) => inputsOf(field, type, catalog, creating)),
    ...keyed.flatMap((field) =>
      (type.fields.get(field.keyedBy ?? '')?.values ?? []).map(
        (name) => [name, described(sentSchema(field, catalog, creating), field, type, true)] as const,
      ),
    ),
    ...[...attachmentInputsOf(type, catalog).keys()].map((name) => [name, schemaNamed('file_changes')] as const),
    ...[...partChangesOf(type, catalog)].map(([name, { record = '' }]) => [name, partChanges(name, record)] as const),
    ...links.map(([name]) => [inputNameOf(type, name), schemaNamed('ids')] as const),
  ])
}

/** The fields that callers may send, in the order of the definition. */
function sentFields(type: RecordType, catalog: Catalog): readonly RecordField[] {
  return [...type.fields.values()].filter((field) => {
    return isWritable(field) && field.write?.length !== 0 && (field.record === undefined || catalog.types.has(field.record))
  })
}

/** A reference is sent as `<field>_id`, or as the text that identifies the record if there is one. */
function inputsOf(
  field: RecordField,
  type: RecordType,
  catalog: Catalog,
  creating: boolean,
): readonly (readonly [string, JsonSchema])[] {
  const schema = described(sentSchema(field, catalog, creating), field, type, true)
  if (field.kind !== 'ref') return [[field.name, schema]]
  const text = catalog.types.get(field.record ?? '')?.fields.get(field.shownAs ?? '')
  if (!text || field.required) return [[`${field.name}_id`, schema]]
  const { required: _, ...optional } = text
  return [
    [`${field.name}_id`, schema],
    [field.name, described(sentSchema(optional, catalog, creating), field, type)],
  ]
}

/** Sub-records to add, change and remove. */
function partChanges(name: string, record: string): JsonSchema {
  const which = { id: ID, _destroy: { type: 'boolean', description: 'True removes the one with this id.' } }
  const changed = { allOf: [schemaNamed(formOf(record, 'update')), { type: 'object', properties: which, required: ['id'] }] }
  const items = { anyOf: [schemaNamed(formOf(record, 'create')), changed] }
  return {
    type: 'array',
    maxItems: 100,
    items,
    description: `${humanize(name.replace(/_attributes$/, ''))} to add, change and remove.`,
  }
}
