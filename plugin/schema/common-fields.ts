import { datetime, integer, string } from './fields.js'
import type { Grant } from './who.js'

/** Fields of every record (spec, Resources: common fields): first the identity … */
export const identity = { id: integer({ readOnly: true }) }

/** … then where the record comes from. Only account administrators change it later (behaviour: Writing). */
export const provenance = {
  source: string(30),
  sourceID: string(128),
}

/** … and its times. `updated_at` equals `created_at` while there was no update. */
export const times = {
  created_at: datetime({ readOnly: true }),
  updated_at: datetime({ readOnly: true }),
}

/** First fields of a record type that does not order them on its own. */
export const common = { ...identity, ...provenance, ...times }

/** Account administrators maintain settings and people, unless a type has other grants. */
export const ADMINISTRATORS: readonly Grant[] = ['account_administrator']
