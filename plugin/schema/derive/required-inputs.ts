/** What bodies may contain, and what a new record needs, by the fields and rules of a type. */
import type { Catalog, RecordField, RecordType } from '../catalog.js'
import { isWritable } from './input-names.js'

/** The fields that a new record needs of its client. */
export interface RequiredInputs {
  /** Fields without which a body is always refused. */
  readonly always: readonly RecordField[]
  /** Fields that can be omitted when a rule fills them in. */
  readonly unlessFilled: readonly RecordField[]
}

/** Finds out which fields of a new record clients have to send. */
export function requiredInputs(type: RecordType, catalog: Catalog): RequiredInputs {
  const filled = new Set(type.rules.flatMap(({ behavior }) => behavior.fills ?? []))
  for (const { fills } of type.settle) for (const name of fills) filled.add(name)
  // Responses use the value of another field as the name of these values, and callers may do so as well.
  for (const { name, keyedBy } of type.fields.values()) if (keyedBy) filled.add(name).add(keyedBy)
  const inPaths = referencesInPaths(type, catalog)
  const required = sentFields(type, catalog).filter(
    (field) => field.required && field.column !== null && field.default === undefined && !inPaths.has(field.name),
  )
  return {
    always: required.filter(({ name }) => !filled.has(name)),
    unlessFilled: required.filter(({ name }) => filled.has(name)),
  }
}

/** References in the paths that create records of the type below others: `change` of `POST /changes/12/tasks`. */
export function referencesInPaths(type: RecordType, catalog: Catalog): ReadonlySet<string> {
  const children = [...catalog.types.values()].flatMap((owner) => [...owner.children.values()])
  return new Set(children.flatMap(({ record, createdWith }) => (record === type.name && createdWith ? [createdWith] : [])))
}

/** The fields that some callers may send, in the order of the definition. */
export function sentFields(type: RecordType, catalog: Catalog): readonly RecordField[] {
  return [...type.fields.values()].filter((field) => {
    return isWritable(field) && field.write?.length !== 0 && (field.record === undefined || catalog.types.has(field.record))
  })
}
