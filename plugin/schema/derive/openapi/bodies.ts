/** The bodies of requests and responses of a record type, which all operations on its records share. */
import type { RecordType } from '../../compile/compile.js'
import type { Examples } from './examples.js'
import { componentName, formOf, type JsonSchema, schemaNamed } from './names.js'
import type { Schemas } from './schemas.js'
import { answer, type Described, HEADERS_OF_RECORDS, HEADERS_OF_SAVES, json, PAGE_HEADERS } from './shared.js'

type Components = { readonly [name: string]: Described }

/** `RequestListed`, `Request` and `RequestSaved`; for sub-records also `NoteListedBelow` and so on. */
export function responsesOf(type: RecordType, schemas: Schemas, examples: Examples): Components {
  const at = (isBelow: boolean): Components => {
    const one = isBelow ? formOf(type.name, 'below') : type.name
    const listed = formOf(type.name, isBelow ? 'listed_below' : 'listed')
    const saved = { anyOf: [schemaNamed(one), schemaNamed('id_only')] }
    const name = componentName(one)
    const example = fitting(examples.shown.get(one), schemas[name])
    return {
      [componentName(listed)]: answer('One page of the list.', { type: 'array', items: schemaNamed(listed) }, PAGE_HEADERS),
      [name]: { ...answer('The record.', schemaNamed(one), HEADERS_OF_RECORDS), content: json(schemaNamed(one), example) },
      [`${name}Saved`]: answer('The record, or its id alone for callers who may not see it.', saved, HEADERS_OF_SAVES),
    }
  }
  return { ...at(false), ...(type.partOf.length > 0 ? at(true) : {}) }
}

/** `RequestCreate` and `RequestUpdate`. A record without required fields can be created without a body. */
export function requestBodiesOf(type: RecordType, schemas: Schemas, examples: Examples): Components {
  const body = (form: 'create' | 'update') => {
    const name = formOf(type.name, form)
    const schema = schemas[componentName(name)]
    const content = json(schemaNamed(name), fitting(examples.sent.get(name), schema))
    return [componentName(name), { ...(schema?.['required'] ? { required: true } : {}), content }] as const
  }
  return Object.fromEntries([body('create'), body('update')])
}

/** Extensions of a host may require more fields than an example has. */
function fitting(example: object | undefined, schema: JsonSchema | undefined): object | undefined {
  const required = (schema?.['required'] ?? []) as readonly string[]
  return example && required.every((name) => Object.hasOwn(example, name)) ? example : undefined
}
