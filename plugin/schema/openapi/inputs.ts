/** The schemas of input: one for creating a record, one for changing it. */
import { humanize } from '../../words/labels.js'
import type { Catalog, RecordField, RecordType } from '../catalog.js'
import { attachmentInputsOf } from '../derive/attachment-inputs.js'
import { inputNameOf, partChangesOf } from '../derive/input-names.js'
import { type RequiredInputs, referencesInPaths, requiredInputs, sentFields } from '../derive/required-inputs.js'
import { componentName, formOf, ID, type JsonSchema, schemaNamed } from '../kinds/json-schema.js'
import { described, type Labels } from './describe-field.js'
import { withNamesForGo } from './names-for-go.js'
import { extended, type Properties, repeated } from './object-schemas.js'
import { sentSchema } from './values.js'

/**
 * `RequestUpdate`, and based on it `RequestCreate`, with the required fields and those that are accepted only on create, and for
 * sub-records `ContactAttributes`, an entry of the list in the body of their owner.
 */
export function inputSchemas(type: RecordType, catalog: Catalog, labels: Labels): { readonly [name: string]: JsonSchema } {
  const update = formOf(type.name, 'update')
  const changing = propertiesOf(type, catalog, labels, false)
  const creating = Object.entries(propertiesOf(type, catalog, labels, true))
  const more = creating.filter(([name, schema]) => JSON.stringify(schema) !== JSON.stringify(changing[name]))
  const { always, unlessFilled } = inBodies(requiredInputs(type, catalog))
  const needed = neededInWords(always, unlessFilled)
  const created = Object.fromEntries(more)
  // Without fields of its own, a schema would be taken for the one that it is based on.
  const again = repeated(changing, always.length > 0 ? always : Object.keys(changing).slice(0, 1))
  const which = { id: ID, _destroy: { type: 'boolean', description: 'True removes the one with this id.' } }
  const about = `With an id, that one is changed; without, one is added. ${needed}`
  const attributes = extended(schemaNamed(update), { ...which, ...created }, { description: about })
  return {
    [componentName(update)]: { type: 'object', properties: withNamesForGo(changing) },
    [componentName(formOf(type.name, 'create'))]: extended(
      schemaNamed(update),
      { ...again, ...created },
      { description: needed, required: always },
    ),
    ...(type.partOf.length > 0 ? { [componentName(formOf(type.name, 'attributes'))]: attributes } : {}),
  }
}

/** What a new record needs, for readers: `required` cannot say what is needed only sometimes. */
function neededInWords(always: readonly string[], unlessFilled: readonly string[]): string {
  const [needs, perhaps] = [always.join(', '), unlessFilled.join(', ')]
  const sometimes = `unless the service fills them in (from a template, from related records, from the caller): ${perhaps}.`
  if (perhaps === '') return needs === '' ? 'A new record needs no field.' : `A new record needs ${needs}.`
  return needs === '' ? `A new record needs, ${sometimes}` : `A new record needs ${needs}, and, ${sometimes}`
}

function inBodies({ always, unlessFilled }: RequiredInputs) {
  const named = (fields: readonly RecordField[]) => fields.map(({ kind, name }) => (kind === 'ref' ? `${name}_id` : name))
  return { always: named(always), unlessFilled: named(unlessFilled) }
}

function propertiesOf(type: RecordType, catalog: Catalog, labels: Labels, creating: boolean): Properties {
  const inPaths = referencesInPaths(type, catalog)
  const fields = sentFields(type, catalog).filter(({ name, only }) => (creating ? !inPaths.has(name) : only !== 'create'))
  const keyed = fields.filter(({ keyedBy }) => keyedBy)
  const links = [...type.links].filter(([, { write }]) => write !== 'none')
  return Object.fromEntries([
    ...fields.flatMap((field) => inputsOf(field, type, catalog, labels, creating)),
    ...keyed.flatMap((field) =>
      (type.fields.get(field.keyedBy ?? '')?.values ?? []).map(
        (name) => [name, described(sentSchema(field, catalog, creating), field, type, labels, 'sent')] as const,
      ),
    ),
    ...[...attachmentInputsOf(type, catalog).keys()].map((name) => [name, schemaNamed('file_changes')] as const),
    ...[...partChangesOf(type, catalog)].map(([name, { record = '' }]) => [name, partChanges(name, record)] as const),
    ...links.map(([name]) => [inputNameOf(type, name), schemaNamed('ids')] as const),
  ])
}

/** A reference is sent as `<field>_id`, or as the text that identifies the record if there is one. */
function inputsOf(
  field: RecordField,
  type: RecordType,
  catalog: Catalog,
  labels: Labels,
  creating: boolean,
): readonly (readonly [string, JsonSchema])[] {
  const schema = described(sentSchema(field, catalog, creating), field, type, labels, 'sent')
  if (field.kind !== 'ref') return [[field.name, schema]]
  const text = catalog.types.get(field.record ?? '')?.fields.get(field.shownAs ?? '')
  if (!text || field.required) return [[`${field.name}_id`, schema]]
  const { required: _, ...optional } = text
  return [
    [`${field.name}_id`, schema],
    [field.name, described(sentSchema(optional, catalog, creating), field, type, labels)],
  ]
}

/** Sub-records to add, change and remove. */
function partChanges(name: string, record: string): JsonSchema {
  return {
    type: 'array',
    maxItems: 100,
    items: schemaNamed(formOf(record, 'attributes')),
    description: `${humanize(name.replace(/_attributes$/, ''))} to add, change and remove.`,
  }
}
