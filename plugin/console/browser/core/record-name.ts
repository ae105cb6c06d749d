import type { Output } from './api.js'
import type { RecordType } from './read-catalog.js'

/** The text that stands for a record: the field that names it, or its number. */
export function nameOf(record: Output, title: string | null): string {
  const texts = [title === null ? undefined : record[title], record['name'], record['subject'], record['label']]
  const found = texts.find((text) => typeof text === 'string' && text !== '')
  return typeof found === 'string' ? found : `#${record['id']}`
}

/** The path of the page of a record; null if its type has no pages. */
export function pageOf(type: RecordType | undefined, id: unknown): string | null {
  return type?.path && type.operations.includes('single') ? `${type.path}/${id}` : null
}
