/**
 * Other headers than those of an import type: `{ "Full name": "Name" }` reads the column Full name as Name, and `{ "Site": "" }`
 * leaves out the column Site.
 */
import type { Violation } from '../../core/errors.js'
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
export function readMapping(text: string, { ignored, known }: Layout): HeaderMapping | Violation {
  const mapping = parsed(text)
  if (!isMapping(mapping)) return ['mapping', 'no_mapping']
  // Nothing is read from a column without a header.
  const isHeader = (name: string) => name === '' || known.has(name) || ignored.has(name)
  const unknown = Object.values(mapping).find((header) => !isHeader(nameOfHeader(header).toLowerCase()))
  return unknown === undefined ? mapping : ['mapping', 'no_such_column', { value: shown(unknown) }]
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
