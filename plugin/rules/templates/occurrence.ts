/** Changes that a recurrence creates from its template (behaviour: Change templates). */
import { cut } from '../../core/cut.js'
import { type Row, rule } from '../../schema/define-rule.js'

/** Maximum length of the errors that are kept. */
const MAX_ERRORS = 1024

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
  fill({ before, call, next }) {
    if (before && isDue(before, next, call.now)) next['last_occurrence_at'] = before['next_occurrence_at'] ?? null
  },
  async written({ attempt, before, call, load, next, save, type }) {
    if (!before || !isDue(before, next, call.now)) return
    const source = await load(template, next['owner_id'])
    const service = await load(services, source?.['service_id'])
    const body = {
      template_id: source?.['id'] ?? null,
      subject: source?.['subject'] ?? null,
      manager_id: source?.['change_manager_id'] ?? service?.['change_manager_id'] ?? null,
    }
    const attempted = await attempt(record, { id: null, body })
    const outcome =
      'row' in attempted
        ? { last_occurrence_object_id: attempted.row['id'] ?? null, last_occurrence_errors: null }
        : { last_occurrence_errors: cut(attempted.messages.join('; '), MAX_ERRORS) }
    await save(type, Number(next['id']), outcome)
  },
}))

/** True while the time of the next occurrence has come, and the recurrence is not switched off. */
function isDue(before: Row, next: Row, now: string): boolean {
  const moment = before['next_occurrence_at']
  return typeof moment === 'string' && moment <= now && next['disabled'] !== true
}
