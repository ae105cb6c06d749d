/**
 * Other headers than those of an import type: `{ "Full name": "Name" }` reads the column Full name as Name, and `{ "Site": "" }`
 * leaves out the column Site.
 */
import type { Violation } from '../../core/errors.js'
import { closest } from '../../core/text/nearest.js'
import { shown } from '../../core/text/shown.js'
import type { HeaderMapping } from '../progress/import-rows.js'
import type { Layout } from './layouts.js'
import { nameOfHeader } from './match-columns.js'

/**
 * Reads the mapping of an upload.
 *
 * @param text a JSON object of headers
 * @returns the mapping, or why it cannot be used: it is something else, or a type has no such column
 */
export function readMapping(text: string, layout: Layout): HeaderMapping | Violation {
  const mapping = parsed(text)
  if (!isMapping(mapping)) return ['mapping', 'no_mapping']
  // Nothing is read from a column without a header.
  const unknown = Object.values(mapping).find((header) => nameOfHeader(header) !== '' && !isColumn(layout, header))
  return unknown === undefined ? mapping : noSuchColumn('mapping', unknown, layout)
}

/** True if the type has a column with the header. */
export function isColumn({ also, ignored, known }: Layout, header: string): boolean {
  const name = nameOfHeader(header).toLowerCase()
  return known.has(name) || also.has(name) || ignored.has(name)
}

/** Says that a part of the form names a column that the type does not have, and which one is nearest. */
export function noSuchColumn(part: string, header: string, { known }: Layout): Violation {
  const headers = [...known.values()].map((column) => column.header)
  return [part, 'no_such_column', { value: shown(header), near: shown(closest(header, headers)[0] ?? '') }]
}

/** Says which header of a part of the form the file does not have, and which of its own is nearest; null if it has all. */
export function missingHeader(part: string, names: readonly string[], header: readonly string[]): Violation | null {
  const own = new Set(header.map((text) => nameOfHeader(text).toLowerCase()))
  const missing = names.find((name) => !own.has(nameOfHeader(name).toLowerCase()))
  if (missing === undefined) return null
  const near = closest(nameOfHeader(missing), header.map(nameOfHeader))[0] ?? ''
  return [part, 'no_such_header', { value: shown(missing), near: shown(near) }]
}

/** Replaces the headers that the mapping renames, and empties those that it leaves out. */
export function renamed(header: readonly string[], mapping: HeaderMapping): readonly string[] {
  const names = new Map(Object.entries(mapping).map(([from, to]) => [nameOfHeader(from).toLowerCase(), to]))
  return names.size === 0 ? header : header.map((text) => names.get(nameOfHeader(text).toLowerCase()) ?? text)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function isMapping(value: unknown): value is HeaderMapping {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isObject && Object.values(value).every((header) => typeof header === 'string')
}
