/** The query parameters of the lists and records of a type. */
import type { RecordType } from '../../compile.js'
import { isOnRequest } from '../shape.js'
import type { Described } from './paths.js'
import type { JsonSchema } from './values.js'

/** Parameters that choose a page. */
export const PAGE_PARAMETERS: readonly Described[] = ['page', 'per_page'].map((name) => ({
  $ref: `#/components/parameters/${name}`,
}))

/** Paging, order, choice of fields, predefined lists, and a filter for each field that has one (gaps 1.1 to 1.6). */
export function listParameters(type: RecordType): readonly Described[] {
  const { sortable, filterable } = type.collection
  const fields = { $ref: '#/components/parameters/fields' }
  const order = {
    name: 'sort',
    in: 'query',
    description: `Of these: ${[...new Set([...sortable, 'updated_at'])].join(', ')}. A minus turns the order round.`,
  }
  const roles = { name: 'roles', in: 'query', description: 'Roles in the account, separated by commas.', schema: TEXT }
  return [
    ...PAGE_PARAMETERS,
    fields,
    { ...order, schema: TEXT },
    ...(type.lists.size > 0 ? [{ name: 'state', in: 'query', schema: { type: 'string', enum: [...type.lists.keys()] } }] : []),
    ...(type.holdsRoles ? [roles] : []),
    ...[...filterable].map((name) => ({ $ref: `#/components/parameters/filter_${name}` })),
  ]
}

/** What may be asked for along with one record. */
export function recordParameters(type: RecordType): readonly Described[] {
  const names = [...type.fields.values()].filter(isOnRequest).map(({ name }) => name)
  if (names.length === 0) return []
  const description = `Of these: ${names.join(', ')}. Other names mean nothing: a single record has all other fields.`
  return [{ name: 'fields', in: 'query', description, schema: { type: 'string' } }]
}

/** Asked by older clients: how to upload files for the record (gaps 6.15). */
export const UPLOAD_TOKEN: Described = {
  name: 'attachment_upload_token',
  in: 'query',
  description: 'true adds storage_upload.',
  schema: { type: 'string' },
}

const TEXT: JsonSchema = { type: 'string' }
