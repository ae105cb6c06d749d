/** The paths of the record types: all paths that the router derives from the catalog, with their operations. */
import type { Catalog, RecordType } from '../../compile/compile.js'
import type { RecordChild } from '../../compile/compile-relations.js'
import type { Operation } from '../../define-record.js'
import { attachmentInputsOf } from '../attachment-inputs.js'
import { componentName, formOf } from './names.js'
import { CALLBACK, COMMON_PARAMETERS, IDEMPOTENCY_KEY, IF_MATCH, SOURCE } from './parameters.js'
import { listParameters, orderParameters, recordParameters } from './query-parameters.js'
import { component, type Described, refusals } from './shared.js'
import { type Named, textOf } from './texts.js'

export type Paths = { readonly [path: string]: Described }

/** A collection at one path, and the form of its records there. */
export interface Collection extends Named {
  readonly path: string
  /** Unique in the document: part of the ids of its operations. */
  readonly id: string
  readonly tag: string
  /** Sub-records have another form at their owner's path. */
  readonly isBelow: boolean
  /** Name of the id in the path of a single record. */
  readonly idName: string
  readonly takesFiles: boolean
}

/** All paths of the catalog. */
export function recordPaths(catalog: Catalog): Paths {
  return Object.assign({}, ...[...catalog.byPath.values()].map((type) => pathsOfType(type, catalog)))
}

function pathsOfType(type: RecordType, catalog: Catalog): Paths {
  const takesFiles = (record: RecordType) => attachmentInputsOf(record, catalog).size > 0
  const own: Collection = {
    path: `/${type.path}`,
    type,
    name: type.path,
    owner: null,
    isLink: false,
    filtersAt: null,
    id: type.name,
    tag: type.path,
    isBelow: false,
    idName: 'id',
    takesFiles: takesFiles(type),
  }
  const below = (path: string, record: string, how: Pick<Collection, 'isLink' | 'isBelow'>): Collection => ({
    path: `/${type.path}/{id}/${path}`,
    type: catalog.type(record),
    name: path,
    owner: type,
    id: `${path}_of_${type.name}`,
    tag: type.path,
    idName: `${record}_id`,
    filtersAt: catalog.type(record).operations.has('list') ? `/${catalog.type(record).path}` : null,
    takesFiles: takesFiles(catalog.type(record)),
    ...how,
  })
  const linked = { isLink: true, isBelow: false }
  return {
    ...operationsAt(own, type.operations),
    ...Object.assign(
      {},
      ...[...type.children].map(([path, child]) => pathsOfChild(below(path, child.record, linked), child)),
      ...[...type.coverages].map(([path, { record }]) => pathsOfLink(below(path, record, linked), false)),
      ...[...type.links].map(([path, { record, write }]) => pathsOfLink(below(path, record, linked), write !== 'none')),
      ...[...type.parts].map(([path, part]) =>
        operationsAt(below(path, part, { isLink: false, isBelow: true }), catalog.type(part).nested),
      ),
    ),
  }
}

function operationsAt(at: Collection, offered: ReadonlySet<Operation>): Paths {
  return {
    ...pathItem(at.path, [], {
      ...(offered.has('list') ? { get: listing(at) } : {}),
      ...(offered.has('create') ? { post: creating(at) } : {}),
      ...(offered.has('remove') && at.isBelow ? { delete: removing(at, 'removeAll') } : {}),
    }),
    ...(offered.has('list') ? predefined(at) : {}),
    ...(offered.has('create') ? uploading(at) : {}),
    ...(isOnlyRead(at, offered)
      ? { [`${at.path}/{${at.idName}}`]: component('pathItems', readAt(at)) }
      : changing(at, offered)),
  }
}

/** The operations of a single record. */
function changing(at: Collection, offered: ReadonlySet<Operation>): Paths {
  return {
    ...pathItem(`${at.path}/{${at.idName}}`, offered.has('update') || offered.has('remove') ? [IF_MATCH] : [], {
      ...(offered.has('single') ? { get: reading(at) } : {}),
      ...(offered.has('update') ? { patch: updating(at, 'update'), put: updating(at, 'put') } : {}),
      ...(offered.has('remove') ? { delete: removing(at, 'remove') } : {}),
    }),
  }
}

function pathsOfLink(at: Collection, isWritable: boolean, more: Described = {}): Paths {
  return {
    ...pathItem(at.path, [], { get: listing(at), ...(isWritable ? { delete: removing(at, 'removeAll') } : {}), ...more }),
    ...predefined(at),
    ...(isWritable ? pathItem(`${at.path}/{${at.idName}}`, [], { post: linking(at), delete: removing(at, 'remove') }) : {}),
  }
}

function pathsOfChild(at: Collection, { createdWith, linkedWith }: RecordChild): Paths {
  const isWritable = linkedWith !== null
  if (createdWith === null) return pathsOfLink(at, isWritable)
  return { ...pathsOfLink(at, isWritable, { post: creating(at) }), ...uploading(at) }
}

/** The operations at a path with their shared parameters. Empty if there are no operations. */
function pathItem(path: string, also: readonly Described[], operations: Described): Paths {
  if (Object.keys(operations).length === 0) return {}
  return { [path]: { parameters: [...idsIn(path), ...COMMON_PARAMETERS, ...also], ...operations } }
}

function idsIn(path: string): readonly Described[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => component('parameters', name))
}

/** `/requests/open`. Predefined lists share one description: they are short forms of the parameter `state`. */
function predefined(at: Collection): Paths {
  return Object.fromEntries(
    [...at.type.lists.keys()].map((list) => [`${at.path}/${list}`, component('pathItems', listsAt(at))]),
  )
}

/** `RequestLists`, below other records `RequestListsBelow`, for sub-records `NoteListsOfOwner`. */
export function listsAt({ type, isBelow, owner }: Pick<Collection, 'type' | 'isBelow' | 'owner'>): string {
  return componentName(`${type.name}_lists${isBelow ? '_of_owner' : owner ? '_below' : ''}`)
}

function listing(at: Collection): Described {
  return {
    operationId: at.owner ? `list_${at.id}` : `list_${at.name}`,
    ...textOf('list', at),
    tags: [at.tag],
    parameters: parametersAt(at),
    responses: listResponses(at),
  }
}

export function parametersAt({ type, filtersAt }: Pick<Collection, 'type' | 'filtersAt'>): readonly Described[] {
  return filtersAt === null ? listParameters(type) : orderParameters(type)
}

export function listResponses({ type, isBelow }: Pick<Collection, 'type' | 'isBelow'>): Described {
  const form = componentName(formOf(type.name, isBelow ? 'listed_below' : 'listed'))
  return { 200: component('responses', form), ...refusals('get') }
}

/** The upload of older clients for a record that does not exist yet (behaviour: Attachments). */
function uploading(at: Collection): Paths {
  return at.takesFiles ? { [`${at.path}/new`]: component('pathItems', at.owner ? 'UploadBelow' : 'Upload') } : {}
}

/** True if all that can be done with a sub-record is to read it, here and at its own path. */
function isOnlyRead({ isBelow, type }: Pick<Collection, 'isBelow' | 'type'>, offered: ReadonlySet<Operation>): boolean {
  const isSingle = offered.has('single') && !offered.has('update') && !offered.has('remove')
  return isBelow && isSingle && type.operations.has('single')
}

/** Name of the path item that all owners share: `AuditLineOfOwner`. */
export function readAt({ type }: Pick<Collection, 'type'>): string {
  return componentName(`${type.name}_of_owner`)
}

/** Reads a record; without an id, because the path item is shared, if `at` has none. */
export function reading(at: Omit<Collection, 'id' | 'path'> & { readonly id?: string }): Described {
  return {
    ...(at.id === undefined ? {} : { operationId: `read_${at.id}` }),
    ...textOf('read', at),
    tags: [at.tag],
    parameters: [...recordParameters(at.type), ...(at.takesFiles ? [component('parameters', 'upload')] : []), CALLBACK],
    responses: { 200: component('responses', recordName(at)), ...refusals('get') },
  }
}

function creating(at: Collection): Described {
  return {
    operationId: `create_${at.id}`,
    ...textOf('create', at),
    tags: [at.tag],
    parameters: [...recordParameters(at.type), SOURCE, IDEMPOTENCY_KEY],
    requestBody: component('requestBodies', componentName(formOf(at.type.name, 'create'))),
    responses: { 201: component('responses', `${recordName(at)}Saved`), ...refusals('post') },
  }
}

function updating(at: Collection, verb: 'update' | 'put'): Described {
  return {
    operationId: `${verb}_${at.id}`,
    ...textOf(verb, at),
    tags: [at.tag],
    parameters: [...recordParameters(at.type), SOURCE],
    requestBody: component('requestBodies', componentName(formOf(at.type.name, 'update'))),
    responses: { 200: component('responses', `${recordName(at)}Saved`), ...refusals('patch') },
  }
}

function removing(at: Collection, which: 'remove' | 'removeAll'): Described {
  return {
    operationId: `${which === 'remove' ? 'remove' : 'remove_all'}_${at.id}`,
    ...textOf(which, at),
    tags: [at.tag],
    responses: { 204: component('responses', 'Done'), ...refusals('delete') },
  }
}

function linking(at: Collection): Described {
  return {
    operationId: `link_${at.id}`,
    ...textOf('link', at),
    tags: [at.tag],
    parameters: [IDEMPOTENCY_KEY],
    responses: { 200: component('responses', 'Linked'), ...refusals('post') },
  }
}

function recordName({ type, isBelow }: Pick<Collection, 'type' | 'isBelow'>): string {
  return componentName(isBelow ? formOf(type.name, 'below') : type.name)
}
