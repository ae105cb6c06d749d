import type { Role } from '../../core/call.js'
import { cutWithChecksum } from '../../core/text/cut.js'
import { normalized } from '../../core/text/identity.js'
import type { Field } from '../language/field.js'
import type { Grant } from '../language/who.js'
import { datetime, integer, string } from './fields.js'

/** First field of every record: its identity (spec, Resources: common fields). */
export const identity = { id: integer({ readOnly: true }) }

/** Maximum number of characters of a source. */
const MAX_SOURCE = 30

/**
 * The name of a monitoring tool as records have it: a long one is cut, with a checksum at its end, so that two that differ stay two
 * (behaviour: Event submission). Texts that fit are returned unchanged.
 */
export function shortSource(name: string): string {
  const text = normalized(name)
  return text.length > MAX_SOURCE ? cutWithChecksum(text, MAX_SOURCE) : text
}

/** True for the field that says where a record comes from. */
export function isSource({ max, name }: Pick<Field, 'max'> & { readonly name: string }): boolean {
  return name === 'source' && max === MAX_SOURCE
}

/** Fields that say where a record comes from. Only some people change them later: `PROVENANCE_CHANGERS`. */
export const provenance = {
  source: string(MAX_SOURCE),
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
