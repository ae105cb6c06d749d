/** The paths of the record types: every address that the router makes of the catalog, with what can be done there. */
import type { Catalog, RecordType } from '../../compile.js'
import type { RecordChild } from '../../compile-relations.js'
import type { Operation } from '../../define-record.js'
import { attachmentInputsOf } from '../attachment-inputs.js'
import { HEADERS_OF_SAVES } from './headers.js'
import { listParameters, recordParameters, UPLOAD_TOKEN } from './query-parameters.js'
import { type JsonSchema, schemaNamed } from './values.js'

/** What OpenAPI calls an operation. */
export type Described = { readonly [part: string]: unknown }
export type Paths = { readonly [path: string]: { readonly [verb: string]: Described } }

/** A collection at one address, and how its records look there. */
interface Collection {
  readonly path: string
  readonly type: RecordType
  /** Unique in the document: prefix of the ids of its operations. */
  readonly id: string
  readonly tag: string
  /** Ends of the names of the schemas: `_below` for parts at their owner's address. */
  readonly ending: '' | '_below'
  /** Name of the id in the path of one record. */
  readonly idName: string
  readonly takesFiles: boolean
}

/** All paths of the catalog. */
export function recordPaths(catalog: Catalog): Paths {
  return Object.assign({}, ...[...catalog.byPath.values()].map((type) => pathsOfType(type, catalog)))
}

function pathsOfType(type: RecordType, catalog: Catalog): Paths {
  const takesFiles = (record: RecordType) => attachmentInputsOf(record, catalog).size > 0
  const names = { id: type.name, tag: type.path, idName: 'id' }
  const own: Collection = { path: `/${type.path}`, type, ending: '', takesFiles: takesFiles(type), ...names }
  const below = (path: string, record: string, ending: Collection['ending']): Collection => ({
    path: `/${type.path}/{id}/${path}`,
    type: catalog.type(record),
    id: `${type.name}_${path}`,
    tag: type.path,
    ending,
    idName: `${record}_id`,
    takesFiles: takesFiles(catalog.type(record)),
  })
  return {
    ...operationsAt(own, type.operations),
    ...Object.assign(
      {},
      ...[...type.children].map(([path, child]) => pathsOfChild(below(path, child.record, ''), child)),
      ...[...type.coverages].map(([path, { record }]) => pathsOfLink(below(path, record, ''), false)),
      ...[...type.links].map(([path, { record, write }]) => pathsOfLink(below(path, record, ''), write !== 'none')),
      ...[...type.parts].map(([path, part]) => operationsAt(below(path, part, '_below'), catalog.type(part).nested)),
    ),
  }
}

function operationsAt(at: Collection, offered: ReadonlySet<Operation>): Paths {
  const one = `${at.path}/{${at.idName}}`
  const isNested = at.ending === '_below'
  return withoutEmpty({
    [at.path]: {
      ...(offered.has('list') ? { get: listing(at) } : {}),
      ...(offered.has('create') ? { post: creating(at) } : {}),
      ...(offered.has('remove') && isNested ? { delete: removing(at, 'all') } : {}),
    },
    ...(offered.has('list') ? predefined(at) : {}),
    ...(offered.has('create') ? uploading(at) : {}),
    [one]: {
      ...(offered.has('single') ? { get: reading(at) } : {}),
      ...(offered.has('update') ? { patch: updating(at, 'update'), put: updating(at, 'put') } : {}),
      ...(offered.has('remove') ? { delete: removing(at, 'one') } : {}),
    },
  })
}

function pathsOfLink(at: Collection, isWritable: boolean): Paths {
  const one = `${at.path}/{${at.idName}}`
  return {
    [at.path]: { get: listing(at), ...(isWritable ? { delete: removing(at, 'all') } : {}) },
    ...predefined(at),
    ...(isWritable ? { [one]: { post: linking(at), delete: removing(at, 'one') } } : {}),
  }
}

function pathsOfChild(at: Collection, { createdWith, linkedWith }: RecordChild): Paths {
  const paths = pathsOfLink(at, linkedWith !== null)
  return createdWith === null ? paths : { ...paths, ...uploading(at), [at.path]: { ...paths[at.path], post: creating(at) } }
}

/** `/requests/open`: the same as the collection with the parameter state. */
function predefined(at: Collection): Paths {
  return Object.fromEntries(
    [...at.type.lists.keys()].map((list) => [
      `${at.path}/${list}`,
      { get: { ...listing(at), operationId: `list_${at.id}_${list}`, summary: `${at.type.path}: ${list}` } },
    ]),
  )
}

function listing(at: Collection): Described {
  const { type } = at
  return {
    operationId: `list_${at.id}`,
    summary: at.path.includes('{id}') ? `The ${type.path} of a record` : `All ${type.path} that the caller sees`,
    tags: [at.tag],
    parameters: [...pathParameters(at, false), ...COMMON_PARAMETERS, ...listParameters(type)],
    responses: {
      200: {
        description: 'One page of the collection.',
        headers: PAGE_HEADERS,
        content: json({ type: 'array', items: schemaNamed(`${type.name}_listed${at.ending}`) }),
      },
      ...refusals(),
    },
  }
}

/** How older clients upload files for a record that does not exist yet (gaps 6.15). */
function uploading(at: Collection): Paths {
  if (!at.takesFiles) return {}
  const schema = { type: 'object', properties: { storage_upload: schemaNamed('storage_upload') }, additionalProperties: false }
  const get = {
    operationId: `upload_for_${at.id}`,
    summary: `How to upload files for a new ${at.type.name}, for older clients`,
    tags: [at.tag],
    parameters: [...pathParameters(at, false), ...COMMON_PARAMETERS, { ...UPLOAD_TOKEN, required: true }],
    responses: { 200: { description: 'Where the files go.', content: json(schema) }, ...refusals() },
  }
  return { [`${at.path}/new`]: { get } }
}

function reading(at: Collection): Described {
  return {
    operationId: `read_${at.id}`,
    summary: `One ${at.type.name}`,
    tags: [at.tag],
    parameters: [
      ...pathParameters(at, true),
      ...COMMON_PARAMETERS,
      ...recordParameters(at.type),
      ...(at.takesFiles ? [UPLOAD_TOKEN] : []),
    ],
    responses: { 200: recordAnswer(at), ...refusals() },
  }
}

function creating(at: Collection): Described {
  return {
    operationId: `create_${at.id}`,
    summary: `Creates a ${at.type.name}`,
    tags: [at.tag],
    parameters: [...pathParameters(at, false), ...COMMON_PARAMETERS, ...recordParameters(at.type)],
    requestBody: inputBody(at),
    responses: {
      201: { ...recordAnswer(at), headers: { Location: { schema: { type: 'string' } }, ...HEADERS_OF_SAVES } },
      ...refusals(true),
    },
  }
}

function updating(at: Collection, verb: 'update' | 'put'): Described {
  return {
    operationId: `${verb}_${at.id}`,
    summary: verb === 'update' ? `Changes fields of a ${at.type.name}` : 'The same as PATCH',
    tags: [at.tag],
    parameters: [...pathParameters(at, true), ...COMMON_PARAMETERS, ...recordParameters(at.type)],
    requestBody: inputBody(at),
    responses: { 200: { ...recordAnswer(at), headers: HEADERS_OF_SAVES }, ...refusals(true) },
  }
}

function removing(at: Collection, which: 'one' | 'all'): Described {
  return {
    operationId: `${which === 'one' ? 'remove' : 'remove_all'}_${at.id}`,
    summary:
      which === 'one' ? `Removes a ${at.type.name}, or what links it` : `Removes all ${at.type.path}, or what links them`,
    tags: [at.tag],
    parameters: [...pathParameters(at, which === 'one'), ...COMMON_PARAMETERS],
    responses: { 204: { description: 'Done.' }, ...refusals() },
  }
}

function linking(at: Collection): Described {
  return {
    operationId: `link_${at.id}`,
    summary: `Links a ${at.type.name}; linking what is linked is no error`,
    tags: [at.tag],
    parameters: [...pathParameters(at, true), ...COMMON_PARAMETERS],
    responses: {
      200: { description: 'Linked.', content: json({ type: 'object', additionalProperties: false }) },
      ...refusals(),
    },
  }
}

function recordAnswer(at: Collection): Described {
  return {
    description: 'The full record. People who may not see what they saved get its id only.',
    content: json({ anyOf: [schemaNamed(`${at.type.name}${at.ending}`), schemaNamed('id_only')] }),
  }
}

function inputBody(at: Collection): Described {
  return { required: false, content: json(schemaNamed(`${at.type.name}_input`)) }
}

/** A body of JSON. */
export function json(schema: JsonSchema): Described {
  return { 'application/json': { schema } }
}

function pathParameters(at: Collection, ofOne: boolean): readonly Described[] {
  const names = [...(at.path.includes('{id}') ? ['id'] : []), ...(ofOne ? [at.idName] : [])]
  return names.map((name) => ({ name, in: 'path', required: true, schema: { type: 'integer', minimum: 0 } }))
}

/** Parameters and headers that every call may have; `document.ts` says what they are. */
export const COMMON_PARAMETERS: readonly Described[] = ['account', 'language', 'source', 'prefer', 'callback', 'api_token'].map(
  (name) => ({
    $ref: `#/components/parameters/${name}`,
  }),
)

/** Headers of every answer that is a list. */
export const PAGE_HEADERS: Described = Object.fromEntries(
  ['Per-Page', 'Current-Page', 'Total-Pages', 'Total-Entries'].map((name) => [
    `X-Pagination-${name}`,
    { required: true, schema: { type: 'integer', minimum: 0 } },
  ]),
)

/** Answers that say why something was not done (gaps 8). Any call may be refused for its parameters, also where it has no body. */
export function refusals(hasBody = false): Described {
  const statuses = [304, 400, 401, 403, 404, 406, ...(hasBody ? [413] : []), 422, 429, 500, 503, 504]
  return Object.fromEntries(statuses.map((status) => [status, { $ref: `#/components/responses/${status}` }]))
}

function withoutEmpty(paths: Paths): Paths {
  return Object.fromEntries(Object.entries(paths).filter(([, operations]) => Object.keys(operations).length > 0))
}
