/** Enumerations in /enums that no field, or more than one field, uses (behaviour: Enumeration values). */
import { ROLES } from '../core/call.js'
import { TIME_ZONES } from '../core/time/time-zones.js'
import { COUNTRIES } from './countries.js'
import { LANGUAGES } from './languages.js'

/** Values by key. A field with the same key replaces its entry. */
export const SHARED_LISTS: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ['agreement.status', ['being_prepared', 'scheduled_for_activation', 'active', 'expired']],
  ['countries', COUNTRIES],
  ['day_names', ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']],
  ['feedback.satisfaction', ['dissatisfied', 'satisfied']],
  ['language', LANGUAGES],
  ['permission.role', ROLES],
  ['system_log.level', ['unknown', 'fatal', 'error', 'warning', 'information', 'debug']],
  ['system_log.log_type', ['authentication', 'import', 'export', 'job']],
  ['time_zone', TIME_ZONES],
  ['weekday', ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']],
])
