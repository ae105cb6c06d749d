/** Scopes of OAuth: names for the limits of a client, by which it can ask for less. */
import type { Limits } from '../tokens/limited-rows.js'

/** The scope that forbids writing. All others are names of record types, and `feed`, which allow nothing else. */
export const READ_ONLY = 'read_only'

/**
 * The limits of a client, narrowed by scopes. Null if a scope is unknown, or more than the client has.
 *
 * @param scopes null for everything that the client may do
 */
export function narrowedBy(
  scopes: readonly string[] | null,
  limits: Limits,
  isRecordType: (name: string) => boolean,
): Limits | null {
  if (scopes === null) return limits
  const types = [...new Set(scopes.filter((scope) => scope !== READ_ONLY))]
  const isAllowed = (type: string) => limits.recordTypes?.includes(type) ?? isRecordType(type)
  if (scopes.length === 0 || !types.every(isAllowed)) return null
  return {
    readOnly: limits.readOnly || scopes.includes(READ_ONLY),
    recordTypes: types.length === 0 ? limits.recordTypes : types,
  }
}

/** The scopes of a token, for the response. Null if it is not limited: no scope means that. */
export function scopeOf({ readOnly, recordTypes }: Limits): string | null {
  const scopes = [...(readOnly ? [READ_ONLY] : []), ...(recordTypes ?? [])]
  return scopes.length === 0 ? null : scopes.join(' ')
}
