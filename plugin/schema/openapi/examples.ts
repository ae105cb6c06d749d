/**
 * Examples in the document: bodies from record fixtures, responses from request cases (the folder `fixtures/` of the package).
 */
import type { Sliced } from '../../core/waiting/in-slices.js'
import type { Catalog, RecordType } from '../catalog.js'
import { formOf } from '../kinds/json-schema.js'

/** Fixtures as in files, each with the name of its file. Any part of them may be missing. */
export interface ExampleSources {
  /** By record type: `bodies.minimal`, and `changes.update`. */
  readonly records: ReadonlyMap<string, unknown>
  /** Files with cases. */
  readonly topics: readonly unknown[]
  /** Deliveries by name: `form`, and `json`. Default: none. */
  readonly deliveries?: ReadonlyMap<string, unknown>
}

/** Examples of bodies and records. */
export interface Examples {
  /** Bodies by schema: `request_create`, `request_update`. */
  readonly sent: ReadonlyMap<string, object>
  /** Responses by schema: `request`, `note_below`. */
  readonly shown: ReadonlyMap<string, object>
}

type Values = { readonly [name: string]: unknown }

/** The timestamp of all examples. */
const MOMENT = '2026-11-21T09:00:00+01:00'

/** The examples for the types of the catalog. Names of records in fixtures become ids, the same name the same id. */
export function* examplesFrom(
  { records, topics }: Pick<ExampleSources, 'records' | 'topics'>,
  catalog: Catalog,
  baseUrl: string,
): Sliced<Examples> {
  const ids = new Map<string, number>()
  const idOf = (name: string) => {
    const id = ids.get(name) ?? ids.size + 1
    ids.set(name, id)
    return id
  }
  const value = (given: unknown, type?: RecordType, field = ''): unknown => {
    if (Array.isArray(given)) return given.map((one) => value(one))
    if (isValues(given)) return Object.fromEntries(Object.entries(given).map(([name, one]) => [name, value(one, type, name)]))
    if (typeof given !== 'string') return given
    if (given === '@datetime') return MOMENT
    if (given === '@text') return 'text'
    if (given === '@any') return type?.fields.get(field)?.kind === 'boolean' ? false : null
    return /^@[\w-]+$/.test(given) ? idOf(given) : given.replaceAll('{base_url}', baseUrl)
  }
  const sent = new Map<string, object>()
  for (const type of catalog.types.values()) {
    yield
    const { bodies, changes } = valuesOf(records.get(type.name))
    const minimal = valuesOf(bodies)['minimal']
    const update = valuesOf(changes)['update'] ?? minimal
    if (isPlain(minimal)) sent.set(formOf(type.name, 'create'), value(minimal) as object)
    if (isPlain(update)) sent.set(formOf(type.name, 'update'), value(update) as object)
  }
  const shown = new Map<string, object>()
  for (const step of topics.flatMap((topic) => listOf(valuesOf(topic)['cases'])).flatMap(stepsOf)) {
    yield
    const place = placeOf(step, catalog)
    const body = valuesOf(step['response'])['body']
    if (!place || !isPlain(body)) continue
    // The fullest one: callers who see little of a record get little.
    const isFuller = Object.keys(body).length > Object.keys(shown.get(place.schema) ?? {}).length
    if (isFuller) shown.set(place.schema, value(body, place.type) as object)
  }
  return { sent, shown }
}

function stepsOf(one: unknown): readonly Values[] {
  const { steps } = valuesOf(one)
  return (steps === undefined ? [one] : listOf(steps)).map(valuesOf)
}

/** The schema of the record in the response to a step, if it is returned in full; null for all other responses. */
function placeOf(
  { request, response }: Values,
  catalog: Catalog,
): { readonly schema: string; readonly type: RecordType } | null {
  const { method = 'GET', path } = valuesOf(request)
  const { status, partial } = valuesOf(response)
  if (partial === true || (status !== 200 && status !== 201) || typeof path !== 'string' || path.includes('?')) return null
  const [, , first = '', , below, ...rest] = path.split('/')
  const type = catalog.byPath.get(first)
  const isOne = method === 'POST' ? path.split('/').length % 2 === 1 : path.split('/').length % 2 === 0
  if (!type || !isOne || rest.length > 1) return null
  if (below === undefined) return { schema: type.name, type }
  const part = catalog.types.get(type.parts.get(below) ?? '')
  if (part) return { schema: formOf(part.name, 'below'), type: part }
  const child = method === 'POST' && rest.length === 0 ? catalog.types.get(type.children.get(below)?.record ?? '') : undefined
  return child ? { schema: child.name, type: child } : null
}

/** True for objects without tests and references to other bodies, whose names begin with a dollar sign. */
function isPlain(body: unknown): body is Values {
  return isValues(body) && !/"\$\w+":|"@absent"/.test(JSON.stringify(body))
}

function isValues(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function valuesOf(value: unknown): Values {
  return isValues(value) ? value : {}
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
