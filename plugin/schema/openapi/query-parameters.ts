/** The query parameters of the lists and records of a type. */
import type { Catalog, RecordType } from '../catalog.js'
import { isCountedByDay } from '../derive/count-parameters.js'
import { isOnRequest } from '../derive/shape.js'
import { ID, TEXT } from '../kinds/json-schema.js'
import { filtersAt } from './filter-parameters.js'
import { inSentence } from './operation-texts.js'
import { component, type Described, sharedParameter } from './shared-components.js'

/** Parameters of each list. */
export const PAGE_PARAMETERS: readonly Described[] = ['page', 'per_page'].map(sharedParameter)

/**
 * Components with the parameters of a type: its id below other records, the order of its lists, its predefined lists, its
 * fields on request.
 */
export function parametersOf(type: RecordType): { readonly [name: string]: Described } {
  const names = [...new Set([...type.collection.sortable, 'updated_at'])].join(', ')
  const lists = [...type.lists.keys()]
  const added = addedFields(type)
  const counted = countedBy(type)
  const id = { in: 'path', required: true, description: `Id of the ${inSentence(type.name)}.`, schema: ID }
  return {
    [`${type.name}_id`]: { name: `${type.name}_id`, ...id },
    [`sort_${type.name}`]: {
      name: 'sort',
      in: 'query',
      description: `Of these, with commas, and a minus to reverse the order: ${names}.`,
      schema: TEXT,
    },
    ...(lists.length > 0
      ? {
          [`state_${type.name}`]: {
            name: 'state',
            in: 'query',
            description: `A predefined list, the same as the path /${type.path}/${lists[0]}.`,
            schema: { type: 'string', enum: lists },
          },
        }
      : {}),
    ...(counted.length > 0
      ? {
          [`counted_${type.name}`]: {
            name: 'by',
            in: 'query',
            required: true,
            description: `One, or two with a comma: ${counted.join(', ')}.`,
            schema: TEXT,
          },
        }
      : {}),
    ...(added.length > 0
      ? {
          [`added_${type.name}`]: {
            name: 'fields',
            in: 'query',
            description: `${added.join(', ')}; other names have no effect, because a single record has all other fields.`,
            schema: TEXT,
          },
        }
      : {}),
  }
}

/**
 * Paging, order, selected fields, predefined lists, and a filter for each field that has one (behaviour: Pages, Link header,
 * Sorting, Selected fields, Filters, Predefined filters).
 */
export function listParameters(type: RecordType, catalog: Catalog): readonly Described[] {
  const roles = {
    name: 'roles',
    in: 'query',
    description: 'Roles in the account, separated by commas.',
    schema: TEXT,
  }
  return [...orderParameters(type), ...(type.holdsRoles ? [roles] : []), ...filtersAt(type, catalog)]
}

/** What to count by, the days, and predefined lists; filters are those of the list (behaviour: Counts). */
export function countParameters(type: RecordType): readonly Described[] {
  return [
    component('parameters', `counted_${type.name}`),
    ...['from', 'to'].map(sharedParameter),
    ...(type.lists.size > 0 ? [component('parameters', `state_${type.name}`)] : []),
  ]
}

/** Fields by which records are counted, as the parameter names them. */
export function countedBy(type: RecordType): readonly string[] {
  if (!type.operations.has('list')) return []
  const fields = [...type.collection.countable].flatMap((name) => type.fields.get(name) ?? [])
  return fields.map((field) => (isCountedByDay(field) ? `${field.name}:day` : field.name))
}

/** Paging, order, selected fields and predefined lists. */
export function orderParameters(type: RecordType): readonly Described[] {
  return [
    ...PAGE_PARAMETERS,
    sharedParameter('fields'),
    ...[`sort_${type.name}`, ...(type.lists.size > 0 ? [`state_${type.name}`] : [])].map((name) =>
      component('parameters', name),
    ),
  ]
}

/** Parameters of one record: fields that it includes only on request. */
export function recordParameters(type: RecordType): readonly Described[] {
  return addedFields(type).length > 0 ? [component('parameters', `added_${type.name}`)] : []
}

/** What the fields that a record includes only on request add. */
function addedFields(type: RecordType): readonly string[] {
  const onRequest = [...type.fields.values()].filter(isOnRequest)
  return onRequest.map(({ name, pairsOf }) => `${name} adds ${pairsOf ? `the list form of ${pairsOf}` : 'the linked records'}`)
}
