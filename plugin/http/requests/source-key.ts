import type { Call } from '../../core/call.js'
import { isBlank } from '../../core/text/blank.js'
import type { RecordType } from '../../schema/catalog.js'

/**
 * The source and source ID of a new record, which identify it: clients that get no response repeat the request (behaviour:
 * Repeated requests). Null without a source ID, and for types without these fields.
 */
export function sourceKey(type: RecordType, body: object, { source }: Call): readonly string[] | null {
  if (!hasSource(type)) return null
  const { source: given, sourceID } = body as { readonly source?: unknown; readonly sourceID?: unknown }
  if (isBlank(sourceID)) return null
  return [isBlank(given) ? source : String(given), String(sourceID)]
}

/** True if records of the type can have a source and a source ID. */
export function hasSource({ columns }: RecordType): boolean {
  return columns.has('source') && columns.has('sourceID')
}
