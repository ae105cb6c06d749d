/** The schema of `GET /catalog`, for the OpenAPI document. */
import { schemaNamed } from '../../schema/kinds/json-schema.js'

const TEXT = { type: 'string' }
const TEXTS = { type: 'array', items: TEXT }
const NUMBER = { type: 'number' }
const WHOLE = { type: 'integer' }
const FLAG = { type: 'boolean' }
const TEXT_OR_NULL = { type: ['string', 'null'] }

const listOf = (items: object) => ({ type: 'array', items })

/** An object that always has the properties, and may have others. */
function objectWith(
  title: string,
  properties: Readonly<Record<string, object>>,
  others: Readonly<Record<string, object>> = {},
) {
  return {
    title,
    type: 'object',
    properties: { ...properties, ...others },
    required: Object.keys(properties),
    additionalProperties: false,
  }
}

const NAME = { name: TEXT, label: TEXT }

const LIST = objectWith('CatalogList', { ...NAME, record: TEXT }, { input: TEXT, creates: FLAG, links: FLAG })

const FIELD = objectWith(
  'CatalogField',
  { ...NAME, kind: TEXT },
  {
    ...{ help: TEXT, unit: TEXT, input: TEXT, files_input: TEXT },
    ...{ required: FLAG, needed: FLAG, read_only: FLAG, write_only: FLAG, only_on_create: FLAG, on_request: FLAG },
    ...{ default: {}, max_length: WHOLE, minimum: NUMBER, maximum: NUMBER, pattern: TEXT, format: TEXT, max_items: WHOLE },
    ...{ enumeration: TEXT, keywords: TEXTS, record: TEXT, shown_as: TEXT, keyed_by: TEXT },
    ...{ sortable: FLAG, filterable: FLAG, countable: FLAG, ordered: FLAG },
  },
)

const TYPE = objectWith('CatalogType', {
  ...NAME,
  label_of_many: TEXT,
  path: TEXT_OR_NULL,
  owners: listOf(objectWith('CatalogOwner', { record: TEXT, path: TEXT })),
  operations: TEXTS,
  operations_below: TEXTS,
  title: TEXT_OR_NULL,
  reference: TEXTS,
  fields: listOf(FIELD),
  list_fields: TEXTS,
  sort: TEXTS,
  lists: listOf(objectWith('CatalogName', NAME)),
  links: listOf(LIST),
  parts: listOf(LIST),
  children: listOf(LIST),
  coverages: listOf(LIST),
  moves: schemaNamed('json_object'),
  events: TEXTS,
  file_types: TEXTS,
})

/** Record types, and the values of their enumerations: lists of ids with labels, by enumeration. */
export const CATALOG = objectWith('RecordCatalog', { types: listOf(TYPE), enumerations: schemaNamed('json_object') })
