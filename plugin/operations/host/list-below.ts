/** Finds the list below a record that the host's own code means: `itsm.as(…).list('note', { within: { request: 7 } })`. */
import { suggestion } from '../../core/text/nearest.js'
import { shown } from '../../core/text/shown.js'
import type { RecordType } from '../../schema/catalog.js'
import type { Within } from '../../schema/types/typed-queries.js'
import type { Owner } from '../contract.js'
import type { ArgumentChecks } from './local-arguments.js'

/** True for what names a record: fields with the name `within` have other values. */
export function isWithin(value: unknown): value is Within {
  return typeof value === 'object' && value !== null
}

/**
 * The list below a record with records of this type.
 *
 * @throws TypeError, RangeError for what names no record, no list of the type, or several
 */
export function listBelow(
  check: Pick<ArgumentChecks, 'owner' | 'type'>,
  type: RecordType,
  within: Within,
): Owner & { readonly path: string } {
  const { path, ...owner } = ownerIn(within)
  check.owner(owner)
  const of = check.type(owner.type)
  const paths = pathsTo(of, type.name)
  if (path !== undefined && !paths.some((known) => known === path))
    throw new RangeError(`${of.name} has no list ${shown(path)} of ${type.path}${suggestion(String(path), paths)}`)
  const [first, another] = path === undefined ? paths : [String(path)]
  if (first === undefined) throw new RangeError(`${of.name} has no list of ${type.path}`)
  if (another !== undefined) {
    const pass = `pass { within: { type: '${of.name}', id, path } }`
    throw new RangeError(`${of.name} has several lists of ${type.path} (${paths.join(', ')}); ${pass}`)
  }
  return { ...owner, path: first }
}

/** The record, in whichever form it is named; not checked yet. */
function ownerIn(within: Within): Owner & { readonly path?: unknown } {
  const { type, id, path, ...others } = within as { readonly [name: string]: unknown }
  const isLong = typeof type === 'string'
  const [[name, only] = [], another] = Object.entries(within)
  if (isLong && Object.keys(others).length === 0) return { type, id: id as number, path }
  if (isLong || name === undefined || another !== undefined)
    throw new TypeError(`within must be { request: 7 }, or { type, id, path? }, not ${shown(within)}`)
  return { type: name, id: only as number }
}

/** The names below the record of the lists with records of the type. */
function pathsTo({ parts, children, coverages, links }: RecordType, name: string): readonly string[] {
  const ofParts = [...parts].filter(([, part]) => part === name)
  const others = [...children, ...coverages, ...links].filter(([, { record }]) => record === name)
  return [...new Set([...ofParts, ...others].map(([path]) => path))]
}
