import type { Role } from '../../core/call.js'
import type { Grant } from '../language/who.js'
import { datetime, integer, string } from './fields.js'

/** First field of every record: its identity (spec, Resources: common fields). */
export const identity = { id: integer({ readOnly: true }) }

/** Fields that say where a record comes from. Only some people change them later: `PROVENANCE_CHANGERS`. */
export const provenance = {
  source: string(30),
  sourceID: string(128),
}

/** Names of the fields that tell where a record comes from. */
export const PROVENANCE: ReadonlySet<string> = new Set(Object.keys(provenance))

/** People who may correct where a record comes from (behaviour: Writing). */
export const PROVENANCE_CHANGERS: readonly Role[] = ['account_administrator']

/** Times of a record. `updated_at` equals `created_at` until the first update. */
export const times = {
  created_at: datetime({ readOnly: true, history: true }),
  updated_at: datetime({ readOnly: true }),
}

/** First fields of a record type that does not order them on its own. */
export const common = { ...identity, ...provenance, ...times }

/** Account administrators maintain settings and people, unless a type has other grants. */
export const ADMINISTRATORS: readonly Grant[] = ['account_administrator']
