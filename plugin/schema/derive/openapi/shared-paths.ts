/** Path items that occur at many paths. */
import type { Catalog } from '../../compile/compile.js'
import { CALLBACK, COMMON_PARAMETERS } from './parameters.js'
import { listResponses, listsAt, type Paths, parametersAt, readAt, reading } from './paths.js'
import { component, type Described, refusals } from './shared.js'
import { textOf } from './texts.js'

/** Path items that occur at many paths: predefined lists, and uploads. Their operations have no id, because ids are unique. */
export function pathItems(catalog: Catalog): Paths {
  const types = [...catalog.types.values()].filter(({ lists }) => lists.size > 0)
  const places = types.flatMap((type) => {
    const at = { type, name: type.path, owner: null, isLink: false, filtersAt: null, isBelow: false }
    const filtersAt = type.operations.has('list') ? `/${type.path}` : null
    return [at, { ...at, owner: type, filtersAt }, { ...at, owner: type, isBelow: true }]
  })
  const lists = places.map((at) => {
    const operation = { tags: [at.type.path], parameters: parametersAt(at), responses: listResponses(at) }
    const ids = at.owner ? [component('parameters', 'id')] : []
    return [listsAt(at), { parameters: [...ids, ...COMMON_PARAMETERS], get: { ...textOf('predefined', at), ...operation } }]
  })
  const parts = [...catalog.types.values()].filter(({ operations, partOf }) => partOf.length > 0 && operations.has('single'))
  const reads = parts.map((type) => {
    const at = { type, name: type.path, owner: type, tag: type.path, idName: `${type.name}_id` }
    const place = { ...at, isLink: false, filtersAt: null, isBelow: true, takesFiles: false }
    const ids = [component('parameters', 'id'), component('parameters', at.idName)]
    return [readAt(at), { parameters: [...ids, ...COMMON_PARAMETERS], get: reading(place) }]
  })
  return {
    ...Object.fromEntries([...lists, ...reads]),
    Upload: uploadItem(),
    UploadBelow: uploadItem(component('parameters', 'id')),
  }
}

function uploadItem(...parameters: readonly Described[]): Described {
  const get = {
    summary: 'Ask how to upload files for a new record',
    description: 'For older clients: returns the form for files of a record that does not exist yet.',
    tags: ['attachments'],
    parameters: [component('parameters', 'upload'), CALLBACK],
    responses: { 200: component('responses', 'UploadForm'), ...refusals('get') },
  }
  return { parameters: [...parameters, ...COMMON_PARAMETERS], get }
}
