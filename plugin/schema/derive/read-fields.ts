/** Reads values that belong to no record: the body or the query of an endpoint of a host, by fields as definitions have them. */
import type { Violation } from '../../core/errors.js'
import { isBlank } from '../../core/text/blank.js'
import type { Catalog, RecordField } from '../catalog.js'
import { compileFields } from '../compile/compile-fields.js'
import { kindOf } from '../kinds/kinds.js'
import type { Definition, Fields } from '../language/define-record.js'
import type { DraftRow } from '../language/define-rule.js'
import { emptyInput, readerOf, type Taken, take } from './input-builder.js'
import { isTaken, sentNamesOf, valueIn } from './input-names.js'
import type { CheckOf } from './validator.js'

/** What was read: values in the form of rows, references as `<field>_id`. */
export interface ReadValues {
  readonly values: DraftRow
  readonly violations: readonly Violation[]
  /** Names that are not those of a field. */
  readonly unknown: readonly string[]
}

/** Reads values by name. @param zone IANA zone of times without offset */
export type ReadFields = (given: Readonly<Record<string, unknown>>, zone: string) => ReadValues

/** Compiles fields of a body. Kinds that only records can have are left out; `mistakesInFields` finds them. */
export function fieldsOfBody(name: string, fields: Fields, catalog: Catalog): readonly RecordField[] {
  const all = catalog.types as unknown as ReadonlyMap<string, Definition>
  return [...compileFields({ name, fields } as unknown as Definition, all, catalog.events).values()]
}

/** Names of fields that a body cannot have: lists of records, values of other fields, files. */
export function unfitFields(fields: readonly RecordField[]): readonly string[] {
  return fields.flatMap((field) => (isTaken(field) && kindOf(field).input && !NOT_ALONE.has(field.kind) ? [] : [field.name]))
}

const NOT_ALONE: ReadonlySet<string> = new Set(['part', 'parts', 'refs', 'secret', 'owner'])

/** Prepares reading them. */
export function readFieldsOf(fields: readonly RecordField[], checkOf: CheckOf): ReadFields {
  const taken = fields.map((field): Taken => ({ field, names: sentNamesOf(field), keys: [], read: readerOf(field) }))
  return (given, zone) => {
    const body = new Map(Object.entries(given))
    const input = emptyInput()
    const used = new Set<string>()
    const violations: Violation[] = []
    for (const one of taken) {
      const { field } = one
      const found = valueIn(body, one)
      if (found) {
        used.add(found.name)
        take(input, one, found, zone)
      }
      const column = field.column ?? field.name
      const value = input.values[column] ?? field.default ?? null
      // What is not sent is absent, so that it can be told from an empty value.
      if (found || value !== null) input.values[column] = value
      const refused = input.violations.splice(0)
      if (refused.length > 0) violations.push(...refused)
      else if (field.required && isBlank(value)) violations.push([field.name, 'blank'])
      else if (value !== null) {
        const fault = checkOf(field)?.(value)
        if (fault) violations.push([field.name, ...fault])
      }
    }
    return { values: input.values, violations, unknown: [...body.keys()].filter((name) => !used.has(name)) }
  }
}
