/** Paths that the OpenAPI document describes in its introduction only: short forms of others. */
import { type OpenapiDocument, type Operation, operationsOf, type Response, resolved } from './openapi.js'

export interface ShortForm {
  /** The operation that it is a short form of, and its path. */
  readonly path: string
  readonly operation: Operation
  /** True if it answers with one of the records of that list. */
  readonly isOne?: true
  /** True if it answers with the form for uploads. */
  readonly isUpload?: true
}

type Find = (method: string, path: string) => { readonly path: string; readonly operation: Operation } | undefined

/** What a GET of this path is a short form of; undefined if it is none. */
export function shortFormOf(document: OpenapiDocument, path: string, find: Find): ShortForm | undefined {
  const cut = path.lastIndexOf('/')
  const [parent, last] = [path.slice(0, cut), path.slice(cut + 1)]
  const list = find('GET', parent)
  if (list && statesOf(document, list.operation).includes(last)) return list
  const creation = find('POST', parent)
  if (last === 'new' && creation && takesFiles(document, creation.operation)) return { ...creation, isUpload: true }
  return list && /^\d+$/.test(last) && isReadElsewhere(document, list.operation) ? { ...list, isOne: true } : undefined
}

/** All paths with their verbs: those that the document lists, and the short forms. */
export function allPaths(document: OpenapiDocument): readonly (readonly [path: string, verbs: readonly string[]])[] {
  return Object.keys(document.paths).flatMap((path) => {
    const operations = operationsOf(document, path)
    const { get, post, patch } = operations
    const states = get ? statesOf(document, get) : []
    return [
      [path, [...Object.keys(operations), ...(patch ? ['put'] : [])]] as const,
      ...states.map((state) => [`${path}/${state}`, ['get']] as const),
      ...(post && takesFiles(document, post) ? [[`${path}/new`, ['get']] as const] : []),
      ...(get && isReadElsewhere(document, get) ? [[`${path}/1`, ['get']] as const] : []),
    ]
  })
}

function statesOf(document: OpenapiDocument, { parameters = [] }: Operation): readonly string[] {
  const known = parameters.map((one) => resolved(document, one).value)
  return known.find(({ name }) => name === 'state')?.schema?.enum ?? []
}

function takesFiles(document: OpenapiDocument, { requestBody = {} }: Operation): boolean {
  const { $ref = '' } = jsonIn(resolved(document, requestBody).value)
  const update = document.components['schemas']?.[nameIn($ref).replace(/Create$/, 'Update')]
  return JSON.stringify(update ?? '').includes('/FileChanges"')
}

/** True if the records have no operations of their own here, but can be read at the path of their type. */
function isReadElsewhere(document: OpenapiDocument, { responses }: Operation): boolean {
  const { items } = jsonIn(resolved(document, responses[200] ?? {}).value)
  const type = nameIn(items?.$ref ?? '').match(/^(\w+)ListedBelow$/)?.[1]
  return type !== undefined && `${type}Response` in (document.components['responses'] ?? {})
}

interface Named {
  readonly $ref?: string
  readonly items?: { readonly $ref?: string }
}

function jsonIn({ content }: Pick<Response, 'content'>): Named {
  return (content?.['application/json']?.schema ?? {}) as Named
}

function nameIn(reference: string): string {
  return reference.split('/').at(-1) ?? ''
}
