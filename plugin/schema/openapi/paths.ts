/** The paths of the record types: all paths that the router derives from the catalog, with their operations. */
import type { Catalog, RecordChild, RecordType } from '../catalog.js'
import { attachmentInputsOf } from '../derive/attachment-inputs.js'
import { componentName, formOf } from '../kinds/json-schema.js'
import type { Operation } from '../language/define-record.js'
import { type Named, textOf } from './operation-texts.js'
import { COMMON_PARAMETERS, IDEMPOTENCY_KEY, IF_MATCH, SOURCE } from './parameters.js'
import { countedBy, countParameters, listParameters, orderParameters, recordParameters } from './query-parameters.js'
import { component, type Described, refusals, sharedParameter } from './shared-components.js'

export type Paths = { readonly [path: string]: Described }

/** A collection at one path, and the form of its records there. */
export interface Collection extends Named {
  readonly path: string
  readonly catalog: Catalog
  /** Unique in the document: part of the ids of the operations on one of its records, `note_of_request`. */
  readonly id: string
  /** Part of the ids of the operations on all of its records, `notes_of_request`. */
  readonly ids: string
  readonly tag: string
  /** Sub-records have another form at their owner's path. */
  readonly isBelow: boolean
  /** Name of the id in the path of a single record. */
  readonly idName: string
  readonly takesFiles: boolean
}

/**
 * The paths of a type: its own, and those below its records. Short forms are left out, and described in the introduction:
 * predefined lists, sub-records that can only be read, the upload of older clients, and PUT (ADR 0047).
 */
export function pathsOfType(type: RecordType, catalog: Catalog): Paths {
  const takesFiles = (record: RecordType) => attachmentInputsOf(record, catalog).size > 0
  const own: Collection = {
    catalog,
    path: `/${type.path}`,
    type,
    name: type.path,
    owner: null,
    isLink: false,
    filtersAt: null,
    id: type.name,
    ids: type.path,
    tag: type.path,
    isBelow: false,
    idName: 'id',
    takesFiles: takesFiles(type),
  }
  const below = (path: string, record: string, how: Pick<Collection, 'isLink' | 'isBelow'>): Collection => ({
    catalog,
    path: `/${type.path}/{id}/${path}`,
    type: catalog.type(record),
    name: path,
    owner: type,
    id: `${path === catalog.type(record).path ? record : path}_of_${type.name}`,
    ids: `${path}_of_${type.name}`,
    tag: type.path,
    idName: `${record}_id`,
    filtersAt: catalog.type(record).operations.has('list') ? `/${catalog.type(record).path}` : null,
    takesFiles: takesFiles(catalog.type(record)),
    ...how,
  })
  const linked = { isLink: true, isBelow: false }
  return {
    ...operationsAt(own, type.operations),
    ...(countedBy(type).length > 0 ? pathItem(`${own.path}/counts`, [], { get: counting(own) }) : {}),
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
    ...pathItem(`${at.path}/{${at.idName}}`, offered.has('update') || offered.has('remove') ? [IF_MATCH] : [], {
      ...(offered.has('single') && !isOnlyRead(at, offered) ? { get: reading(at) } : {}),
      ...(offered.has('update') ? { patch: updating(at) } : {}),
      ...(offered.has('remove') ? { delete: removing(at, 'remove') } : {}),
    }),
  }
}

function pathsOfLink(at: Collection, isWritable: boolean, more: Described = {}): Paths {
  return {
    ...pathItem(at.path, [], { get: listing(at), ...(isWritable ? { delete: removing(at, 'removeAll') } : {}), ...more }),
    ...(isWritable ? pathItem(`${at.path}/{${at.idName}}`, [], { post: linking(at), delete: removing(at, 'remove') }) : {}),
  }
}

function pathsOfChild(at: Collection, { createdWith, linkedWith }: RecordChild): Paths {
  const isWritable = linkedWith !== null
  if (createdWith === null) return pathsOfLink(at, isWritable)
  return pathsOfLink(at, isWritable, { post: creating(at) })
}

/** The operations at a path with their shared parameters. Empty if there are no operations. */
function pathItem(path: string, also: readonly Described[], operations: Described): Paths {
  if (Object.keys(operations).length === 0) return {}
  return { [path]: { parameters: [...idsIn(path), ...COMMON_PARAMETERS, ...also], ...operations } }
}

function idsIn(path: string): readonly Described[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) =>
    name === 'id' ? sharedParameter(name) : component('parameters', name),
  )
}

function listing(at: Collection): Described {
  return {
    operationId: `list_${at.ids}`,
    ...textOf('list', at),
    tags: [at.tag],
    parameters: at.filtersAt === null ? listParameters(at.type, at.catalog) : orderParameters(at.type),
    responses: { 200: component('responses', `${recordName(at)}ListPage`), ...refusals('get') },
  }
}

function counting(at: Collection): Described {
  return {
    operationId: `count_${at.ids}`,
    ...textOf('count', at),
    tags: [at.tag],
    parameters: countParameters(at.type),
    responses: { 200: component('responses', 'Counted'), ...refusals('get') },
  }
}

/** True if all that can be done with a sub-record is to read it, here and at its own path. */
function isOnlyRead({ isBelow, type }: Collection, offered: ReadonlySet<Operation>): boolean {
  const isSingle = offered.has('single') && !offered.has('update') && !offered.has('remove')
  return isBelow && isSingle && type.operations.has('single')
}

function reading(at: Collection): Described {
  return {
    operationId: `read_${at.id}`,
    ...textOf('read', at),
    tags: [at.tag],
    parameters: [...recordParameters(at.type), ...(at.takesFiles ? [sharedParameter('upload')] : [])],
    responses: { 200: component('responses', `${recordName(at)}Response`), ...refusals('get') },
  }
}

function creating(at: Collection): Described {
  return {
    operationId: `create_${at.id}`,
    ...textOf('create', at),
    tags: [at.tag],
    parameters: [...recordParameters(at.type), SOURCE, IDEMPOTENCY_KEY],
    requestBody: component('requestBodies', `${componentName(formOf(at.type.name, 'create'))}Body`),
    responses: { 201: component('responses', `${recordName(at)}Response`), ...refusals('post') },
  }
}

function updating(at: Collection): Described {
  return {
    operationId: `update_${at.id}`,
    ...textOf('update', at),
    tags: [at.tag],
    parameters: [...recordParameters(at.type), SOURCE],
    requestBody: component('requestBodies', `${componentName(formOf(at.type.name, 'update'))}Body`),
    responses: { 200: component('responses', `${recordName(at)}Response`), ...refusals('patch') },
  }
}

function removing(at: Collection, which: 'remove' | 'removeAll'): Described {
  return {
    operationId:
      which === 'remove' ? `${at.isLink ? 'unlink' : 'remove'}_${at.id}` : `${at.isLink ? 'unlink' : 'remove'}_all_${at.ids}`,
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
