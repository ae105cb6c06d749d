/** English descriptions of fields, for the OpenAPI document. */
import { account } from './people-and-places.js'
import { services } from './services.js'
import { shared } from './shared.js'
import { work } from './work.js'

/** Descriptions by record type and field, and by field alone for types without their own. */
export const DESCRIPTIONS = { byType: { ...work, ...services, ...account }, shared }

/** The description of a field of a record type; null when there is none. */
export function fieldDescription(type: string, field: string): string | null {
  const own = Object.hasOwn(DESCRIPTIONS.byType, type) ? DESCRIPTIONS.byType[type] : undefined
  if (own && Object.hasOwn(own, field)) return own[field] ?? null
  return Object.hasOwn(shared, field) ? (shared[field] ?? null) : null
}
