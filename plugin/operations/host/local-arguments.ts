/** Checks the arguments of `as(…)` and `asSystem(…)`: the host's program may be plain JavaScript. */
import { suggestion } from '../../core/text/nearest.js'
import { shown } from '../../core/text/shown.js'
import type { Catalog, RecordType } from '../../schema/catalog.js'
import type { Owner } from '../contract.js'
import { isWithin, listBelow } from './list-below.js'

/** Maximum number of records that are created at a time. */
const MAX_BODIES = 500

/** Checks of arguments. Each throws a TypeError or a RangeError that names the mistake. */
export interface ArgumentChecks {
  type(name: unknown): RecordType
  id(name: string, id: unknown): void
  body(name: string, body: unknown): void
  /** The bodies of several records. */
  bodies(name: string, bodies: unknown): void
  owner(owner: unknown): void
  /** Fields that are included on request. */
  also(type: RecordType, names: unknown): void
  list(type: RecordType, name: unknown): void
  /** The list below a record that a query means; undefined for the collection. */
  within(type: RecordType, query: object): (Owner & { readonly path: string }) | undefined
  linked(owner: unknown, path: unknown, otherId: unknown): void
  file(file: unknown): void
  /** A time between two timestamps, which are not checked here. */
  span(span: unknown): void
  /** Parameters of an event by name; their values are not checked here. */
  event(parameters: unknown): void
}

/** Prepares the checks for the types of the catalog. */
export function createArgumentChecks(catalog: Catalog): ArgumentChecks {
  const checks: ArgumentChecks = {
    type: (name) => catalog.type(typeof name === 'string' ? name : shown(name)),
    id(name, id) {
      // MySQL reads '12ab' as 12.
      if (!Number.isSafeInteger(id) || Number(id) < 1)
        throw new TypeError(`The id of a ${name} must be a number, not ${shown(id)}`)
    },
    body(name, body) {
      const isBody = typeof body === 'object' && body !== null && !Array.isArray(body)
      if (!isBody) throw new TypeError(`The body of a ${name} must be an object, not ${shown(body)}`)
    },
    bodies(name, bodies) {
      if (!Array.isArray(bodies)) throw new TypeError(`The bodies of a ${name} must be an array, not ${shown(bodies)}`)
      if (bodies.length > MAX_BODIES)
        throw new RangeError(`At most ${MAX_BODIES} records can be created at a time, not ${bodies.length}`)
      // Not forEach(), which passes over holes.
      for (const body of bodies) checks.body(name, body)
    },
    owner(owner) {
      if (owner === undefined) return
      const { type, id } = Object(owner) as { readonly type?: unknown; readonly id?: unknown }
      if (typeof type !== 'string') throw new TypeError(`An owner must be { type, id }, not ${shown(owner)}`)
      checks.id(checks.type(type).name, id)
    },
    also(type, names) {
      if (names === undefined) return
      if (!Array.isArray(names)) throw new TypeError(`The fields to show must be an array of names, not ${shown(names)}`)
      for (const name of names) mustBeAmong(type.fields.keys(), name, `${type.name} has no field`)
    },
    list(type, name) {
      if (name !== undefined) mustBeAmong(type.lists.keys(), name, `${type.name} has no list`)
    },
    within(type, query) {
      const { within } = query as { readonly within?: unknown }
      return isWithin(within) ? listBelow(checks, type, within) : undefined
    },
    linked(owner, path, otherId) {
      checks.owner(owner ?? null)
      const type = checks.type((owner as { readonly type: string }).type)
      mustBeAmong([...type.links.keys(), ...type.children.keys()], path, `${type.name} has no links`)
      checks.id('linked record', otherId)
    },
    span(span) {
      if (typeof span !== 'object' || span === null) throw new TypeError(`A span must be { start, end }, not ${shown(span)}`)
    },
    event(parameters) {
      const isObject = typeof parameters === 'object' && parameters !== null && !Array.isArray(parameters)
      if (!isObject) throw new TypeError(`The parameters of an event must be an object, not ${shown(parameters)}`)
    },
    file(file) {
      if (typeof file !== 'object' || file === null) throw new TypeError(`A file must be { name, content }, not ${shown(file)}`)
      const { name, type = '', content } = file as { readonly [part: string]: unknown }
      if (typeof name !== 'string') throw new TypeError(`The name of a file must be a text, not ${shown(name)}`)
      if (typeof type !== 'string') throw new TypeError(`The type of a file must be a text, not ${shown(type)}`)
      // Iterating a Buffer yields numbers, not chunks of bytes.
      const comesInPieces = typeof content === 'object' && content !== null && !ArrayBuffer.isView(content)
      if (comesInPieces && (Symbol.asyncIterator in content || Symbol.iterator in content)) return
      const kind = ArrayBuffer.isView(content) ? 'a single one: pass [bytes]' : shown(content)
      throw new TypeError(`The content of a file must be a stream or a list of byte arrays, not ${kind}`)
    },
  }
  return checks
}

/** A body as JSON would have it: without what is undefined. */
export function asSent(body: object): object {
  const given = Object.entries(body)
  return given.some(([, value]) => value === undefined)
    ? Object.fromEntries(given.filter(([, value]) => value !== undefined))
    : body
}

/** The parameters of a list as texts. @throws TypeError for values without a sensible text */
export function parametersOf(query: object): readonly (readonly [name: string, value: string])[] {
  if (typeof query !== 'object' || query === null || Array.isArray(query))
    throw new TypeError(`The parameters of a list must be an object, not ${shown(query)}`)
  const given = Object.entries(query).filter(([name, value]) => name !== 'within' || !isWithin(value))
  return given.map(([name, value]: readonly [string, unknown]) => {
    if (!['string', 'number', 'boolean'].includes(typeof value)) {
      throw new TypeError(`The parameter '${name}' must be a text, a number or a boolean, not ${shown(value)}`)
    }
    return [name, String(value)]
  })
}

/** Passes the bytes through. @throws TypeError for text: a stream with an encoding */
export async function* onlyBytes(content: AsyncIterable<unknown>): AsyncGenerator<Uint8Array> {
  for await (const bytes of content) {
    if (!(bytes instanceof Uint8Array)) throw new TypeError(`The content of a file must come as bytes, not ${shown(bytes)}`)
    yield bytes
  }
}

function mustBeAmong(known: Iterable<string>, name: unknown, refusal: string): void {
  const names = [...known]
  if (typeof name === 'string' && names.includes(name)) return
  throw new RangeError(`${refusal} ${shown(name)}${typeof name === 'string' ? suggestion(name, names) : ''}`)
}
