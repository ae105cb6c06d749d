/** Bodies of records that are created below the record that they must refer to: `POST /changes/9/tasks`. */
import type { RecordField } from '../../schema/catalog.js'
import { readId } from '../../schema/kinds/values/read-values.js'

/** A body that refers to the record of the path. */
export interface PlacedBody {
  readonly body: object
  /** References of the body to another record: the path takes precedence. */
  readonly ignored: readonly string[]
}

/** A reference that cannot be parsed stays in the body, where it is refused like any other. */
export function placedBelow(given: object, { inputAs, name }: RecordField, id: number): PlacedBody {
  const body = new Map<string, unknown>(Object.entries(given))
  const names = [name, ...(inputAs ? [inputAs] : [])].flatMap((one) => [`${one}_id`, one])
  const ignored: string[] = []
  for (const one of names.filter((known) => body.has(known))) {
    const value = body.get(one)
    const read = readId(value)
    if (read === null && value !== null && value !== '') return { body: Object.fromEntries(body), ignored: [] }
    if (read !== id) ignored.push(one)
    body.delete(one)
  }
  return { body: { ...Object.fromEntries(body), [`${name}_id`]: id }, ignored }
}
