/** The query parameters of the lists and records of a type. */
import type { RecordType } from '../../compile/compile.js'
import { isOnRequest } from '../shape.js'
import { ID } from './names.js'
import { CALLBACK } from './parameters.js'
import { component, type Described } from './shared.js'
import { inSentence } from './texts.js'

/** Parameters of each list. */
export const PAGE_PARAMETERS: readonly Described[] = [
  ...['page', 'per_page'].map((name) => component('parameters', name)),
  CALLBACK,
]

/** Components with the parameters of a type: its id below other records, the order of its lists, its predefined lists. */
export function parametersOf(type: RecordType): { readonly [name: string]: Described } {
  const names = [...new Set([...type.collection.sortable, 'updated_at'])].join(', ')
  const lists = [...type.lists.keys()]
  const id = { in: 'path', required: true, description: `Id of the ${inSentence(type.name)}.`, schema: ID }
  return {
    [`${type.name}_id`]: { name: `${type.name}_id`, ...id },
    [`sort_${type.name}`]: {
      name: 'sort',
      in: 'query',
      description: `Of these, separated by commas: ${names}. A minus in front reverses the order.`,
      schema: { type: 'string' },
    },
    ...(lists.length > 0
      ? {
          [`state_${type.name}`]: {
            name: 'state',
            in: 'query',
            description: 'A predefined list.',
            schema: { type: 'string', enum: lists },
          },
        }
      : {}),
  }
}

/**
 * Paging, order, selected fields, predefined lists, and a filter for each field that has one (behaviour: Pages, Link header,
 * Sorting, Selected fields, Filters, Predefined filters).
 */
export function listParameters(type: RecordType): readonly Described[] {
  const roles = {
    name: 'roles',
    in: 'query',
    description: 'Roles in the account, separated by commas.',
    schema: { type: 'string' },
  }
  return [
    ...orderParameters(type),
    ...(type.lists.size > 0 ? [component('parameters', `state_${type.name}`)] : []),
    ...(type.holdsRoles ? [roles] : []),
    ...[...type.collection.filterable].map((name) => component('parameters', `by_${name}`)),
  ]
}

/** Paging, order and selected fields. */
export function orderParameters(type: RecordType): readonly Described[] {
  return [...PAGE_PARAMETERS, component('parameters', 'fields'), component('parameters', `sort_${type.name}`)]
}

/** Parameters of one record: fields that it includes only on request. */
export function recordParameters(type: RecordType): readonly Described[] {
  const names = [...type.fields.values()].filter(isOnRequest).map(({ name }) => name)
  if (names.length === 0) return []
  const description = `Of these: ${names.join(', ')}. Other names mean nothing: a single record has all other fields.`
  return [{ name: 'fields', in: 'query', description, schema: { type: 'string' } }]
}
