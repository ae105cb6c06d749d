/** Lists of values that several record types use (gaps 2.3), and who usually may do what. */
import type { Role } from '../core/call.js'
import { TIME_ZONES } from '../core/words/time-zones.js'
import type { FieldOptions } from '../schema/fields.js'
import { oneOfList } from '../schema/fields.js'

export const IMPACTS = ['low', 'medium', 'high', 'top'] as const

/** People who work on requests, problems and tasks, or look after those who do. */
export const STAFF: readonly Role[] = [
  'account_administrator',
  'auditor',
  'specialist',
  'service_desk_analyst',
  'service_desk_manager',
  'problem_manager',
  'change_manager',
  'release_manager',
  'project_manager',
  'service_level_manager',
  'configuration_manager',
]

/** People who see internal notes (spec, Authentication 6). */
export const NOTE_READERS: readonly Role[] = ['auditor', 'specialist', 'account_administrator']

/** A time zone by its list name (gaps 2.5); IANA names are accepted and stored as the list name with the same zone. */
export function timeZone<const O extends FieldOptions = object>(options?: O) {
  return oneOfList('time_zone', TIME_ZONES, options)
}
