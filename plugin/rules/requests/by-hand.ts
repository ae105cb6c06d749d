import type { Call } from '../../core/call.js'

/**
 * The person who does this by hand, through the API, an event or the host; null for imports, and for what the system, settling
 * and other rules do.
 */
export function actingPerson({ actor, bypassesPermissions, origin }: Call): number | null {
  return bypassesPermissions || origin === 'import' ? null : (actor?.id ?? null)
}
