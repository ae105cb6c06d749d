/** Creates routes for operations on records, by verb, with the query parameters that each understands. */
import type { Catalog, RecordType } from '../../schema/catalog.js'
import { attachmentInputsOf } from '../../schema/derive/attachment-inputs.js'
import { isOnRequest } from '../../schema/derive/shape.js'
import type { Operation } from '../../schema/language/define-record.js'
import type { BodyKind, Post, Route, RunRoute } from '../contract.js'

export type Run = RunRoute['run']

/** What a path does, by verb. */
interface Verbs {
  readonly GET?: Run
  readonly POST?: Post
  readonly PATCH?: Run | Post
  readonly DELETE?: Run
}

const VERB_OF = { list: 'GET', single: 'GET', create: 'POST', update: 'PATCH', remove: 'DELETE' } as const

/** Routes of the operations that the type offers. */
export function offered(
  catalog: Catalog,
  type: RecordType,
  operations: ReadonlySet<Operation>,
  runs: { readonly [O in Exclude<Operation, 'create' | 'update'>]?: Run } & {
    readonly create?: Post
    readonly update?: Run | Post
  },
): ReadonlyMap<string, Route> {
  const entries = Object.entries(runs) as [Operation, Run | Post][]
  const byVerb = entries.filter(([operation]) => operations.has(operation)).map(([o, run]) => [VERB_OF[o], run] as const)
  return verbs(type.name, Object.fromEntries(byVerb), 'list' in runs ? 'collection' : 'one', parametersOf(type, catalog))
}

/** Routes by verb: of a collection, of one of its records, or of one of the links, which are posted without a body. */
export function verbs(
  type: string,
  runs: Verbs,
  of: 'collection' | 'one' | 'link',
  parameters: ReadonlySet<string> = new Set(),
): ReadonlyMap<string, Route> {
  const route = (verb: string, run: Run | Post): Route => {
    const body: BodyKind = of !== 'link' && (verb === 'POST' || verb === 'PATCH') ? 'json' : 'none'
    const parametersHere = of === 'collection' && verb === 'GET' ? 'list' : parameters
    // A link is not there before it is made.
    const conditional = of === 'link' && verb === 'POST' ? {} : ({ conditional: true } as const)
    const facts = { type, body, parameters: parametersHere, ...conditional } as const
    return typeof run === 'function' ? { ...facts, run } : { ...facts, post: run }
  }
  return new Map(Object.entries(runs as { readonly [verb: string]: Run | Post }).map(([verb, run]) => [verb, route(verb, run)]))
}

/** Query parameters for one record: fields to show on request, and how to upload files for it. */
function parametersOf(type: RecordType, catalog: Catalog): ReadonlySet<string> {
  const names: string[] = []
  if ([...type.fields.values()].some(isOnRequest)) names.push('fields')
  if (attachmentInputsOf(type, catalog).size > 0) names.push('attachment_upload_token')
  return new Set(names)
}
