/** Changes that a recurrence creates from its template (behaviour: Change templates). */
import type { Instant } from '../../core/clock.js'
import { type Row, rule } from '../../schema/language/define-rule.js'
import { startChange } from './system-changes.js'

interface Settings {
  readonly template: string
  readonly services: string
}

/**
 * A recurrence that is due creates a change from its template, for the change manager of the template, or else of its service.
 * A refused change leaves its errors. Occurrences that were missed meanwhile are made up for by one change.
 */
export const occurs = rule('occurs', (record: string, { services, template }: Settings) => ({
  fields: ['next_occurrence_at', 'last_occurrence_at', 'last_occurrence_object', 'last_occurrence_errors', 'disabled'],
  async fill({ before, call, load, next }) {
    const source = await load(template, next['owner_id'])
    if (isDue({ before, next, template: source }, call.now)) next['last_occurrence_at'] = before?.['next_occurrence_at'] ?? null
  },
  async written({ attempt, before, call, load, next, save, type }) {
    const source = await load(template, next['owner_id'])
    if (!source || !isDue({ before, next, template: source }, call.now)) return
    const service = await load(services, source['service_id'])
    const managers = [source['change_manager_id'], service?.['change_manager_id']]
    const started = await startChange({ load }, record, source, managers, { attempt })
    const outcome =
      'change' in started
        ? { last_occurrence_object_id: started.change, last_occurrence_errors: null }
        : { last_occurrence_errors: started.reasons }
    await save(type, Number(next['id']), outcome)
  },
}))

interface Occurring {
  /** The recurrence as it was, and as it is saved. */
  readonly before: Row | null
  readonly next: Row
  readonly template: Row | null
}

/** True while the time of the next occurrence has come, and neither the recurrence nor its template is switched off. */
export function isDue({ before, next, template }: Occurring, now: Instant): boolean {
  const moment = before?.['next_occurrence_at'] ?? null
  const isOn = next['disabled'] !== true && template !== null && template['disabled'] !== true
  return isOn && typeof moment === 'string' && moment <= now
}
