import { isRecord, type Json, type Output } from './api.js'
import type { Field, RecordType } from './read-catalog.js'

/** Characters of a name: records that are named by their text may have a long one. */
const LONGEST = 160

/** The text that stands for a record, on one line: the field that names it, or its number. */
export function nameOf(record: Output, title: string | null): string {
  const texts = [title === null ? undefined : record[title], record['name'], record['subject'], record['label']]
  const found = texts.find((text) => typeof text === 'string' && text.trim() !== '')
  return typeof found === 'string' ? lineOf(found) : `#${record['id']}`
}

function lineOf(text: string): string {
  const all = text.trim()
  const end = all.indexOf('\n')
  const characters = [...(end < 0 ? all : all.slice(0, end).trimEnd())]
  return characters.length > LONGEST || end >= 0 ? `${characters.slice(0, LONGEST).join('')}…` : all
}

/** The path of the page of a record; null if its type has no pages. */
export function pageOf(type: RecordType | undefined, id: unknown): string | null {
  return type?.path && type.operations.includes('single') ? `${type.path}/${id}` : null
}

/** What a record belongs to, with its type: notes have it as `request`, `task` … */
export function ownerOf(record: Output, { owners }: RecordType): { readonly type: string; readonly record: Output } | null {
  const [found] = owners.flatMap(({ record: type }) => {
    const owner = record[type]
    return isRecord(owner) ? [{ type, record: owner }] : []
  })
  return found ?? null
}

/** The value of a field, also of that which says what the record belongs to. */
export function valueIn(record: Output, field: Field, type: RecordType): Json | undefined {
  return field.kind === 'owner' ? ownerOf(record, type)?.record : record[field.name]
}
