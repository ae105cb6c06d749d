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

/** What a record type without a field list of its own order starts with. */
export const common = { ...identity, ...provenance, ...times }

/** Settings and people are maintained by account administrators unless a type says otherwise. */
export const ADMINISTRATORS: readonly Grant[] = ['account_administrator']
