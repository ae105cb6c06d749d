/** The bodies of requests and answers of a record type, which all operations on its records share. */
import type { RecordType } from '../../compile.js'
import { componentName, formOf, schemaNamed } from './names.js'
import { answer, type Described, HEADERS_OF_SAVES, json, PAGE_HEADERS } from './shared.js'

type Components = { readonly [name: string]: Described }

/** `RequestListed`, `Request` and `RequestSaved`; for parts also `NoteListedBelow` and so on. */
export function responsesOf(type: RecordType): Components {
  const at = (isBelow: boolean): Components => {
    const one = isBelow ? formOf(type.name, 'below') : type.name
    const listed = formOf(type.name, isBelow ? 'listed_below' : 'listed')
    const saved = { anyOf: [schemaNamed(one), schemaNamed('id_only')] }
    const name = componentName(one)
    return {
      [componentName(listed)]: answer('One page of the list.', { type: 'array', items: schemaNamed(listed) }, PAGE_HEADERS),
      [name]: answer('The record.', schemaNamed(one)),
      [`${name}Saved`]: answer('The record, or its id alone for callers who may not see it.', saved, HEADERS_OF_SAVES),
    }
  }
  return { ...at(false), ...(type.partOf.length > 0 ? at(true) : {}) }
}

/** `RequestCreate` and `RequestUpdate`. A record without required fields can be created without a body. */
export function requestBodiesOf(type: RecordType, required: boolean): Components {
  const body = (form: 'create' | 'update', isRequired: boolean) => {
    const name = formOf(type.name, form)
    return [componentName(name), { ...(isRequired ? { required: true } : {}), content: json(schemaNamed(name)) }] as const
  }
  return Object.fromEntries([body('create', required), body('update', false)])
}
