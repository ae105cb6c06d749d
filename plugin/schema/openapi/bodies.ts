/** The bodies of requests and responses of a record type, which all operations on its records share. */
import type { RecordType } from '../catalog.js'
import { componentName, formOf, type JsonSchema, schemaNamed } from '../kinds/json-schema.js'
import type { Examples } from './examples.js'
import type { Schemas } from './schemas.js'
import { answer, type Described, json, PAGE_HEADERS, recordAnswer } from './shared-components.js'

type Components = { readonly [name: string]: Described }

/** `RequestListPage` and `RequestResponse`; for sub-records also `NoteBelowListPage` and so on. */
export function responsesOf(type: RecordType, schemas: Schemas, examples: Examples): Components {
  const at = (isBelow: boolean): Components => {
    const one = isBelow ? formOf(type.name, 'below') : type.name
    const listed = formOf(type.name, isBelow ? 'listed_below' : 'listed')
    const name = componentName(one)
    const example = fitting(examples.shown.get(one), schemas[name])
    return {
      [`${name}ListPage`]: answer('One page.', { type: 'array', items: schemaNamed(listed) }, PAGE_HEADERS),
      [`${name}Response`]: {
        ...recordAnswer('The record.', schemaNamed(one)),
        content: json(schemaNamed(one), example),
      },
    }
  }
  return { ...at(false), ...(type.partOf.length > 0 ? at(true) : {}) }
}

/** `RequestCreateBody` and `RequestUpdateBody`. A record without required fields can be created without a body. */
export function requestBodiesOf(type: RecordType, schemas: Schemas, examples: Examples): Components {
  const body = (form: 'create' | 'update') => {
    const name = formOf(type.name, form)
    const schema = schemas[componentName(name)]
    const content = json(schemaNamed(name), fitting(examples.sent.get(name), schema))
    return [`${componentName(name)}Body`, { ...(schema?.['required'] ? { required: true } : {}), content }] as const
  }
  return Object.fromEntries([body('create'), body('update')])
}

/** Extensions of a host may require more fields than an example has. */
function fitting(example: object | undefined, schema: JsonSchema | undefined): object | undefined {
  const required = (schema?.['required'] ?? []) as readonly string[]
  return example && required.every((name) => Object.hasOwn(example, name)) ? example : undefined
}
