/** Changes that the system starts from a template: for requests, and by recurrences (behaviour: Request templates, Change templates). */
import { cut } from '../../core/text/cut.js'
import type { Json } from '../../schema/kinds/fields.js'
import type { OtherRecords, Row, RuleContext } from '../../schema/language/define-rule.js'

/** Maximum length of the reasons why a change was refused: that of `last_occurrence_errors`. */
const MAX_REASONS = 1024

/** A change, or the messages of the refusal, joined by `; `. */
export type Started = { readonly change: Json } | { readonly reasons: string }

/**
 * Creates a change from the template, with its tasks. If it is refused, nothing of it is stored.
 *
 * @param managers people who manage the change, the first enabled one; without any, the change is refused
 */
export async function startChange(
  { load }: Pick<RuleContext, 'load'>,
  record: string,
  template: Row,
  managers: readonly (Json | undefined)[],
  { attempt }: Pick<OtherRecords, 'attempt'>,
): Promise<Started> {
  const people = await Promise.all(managers.map((id) => load('person', id)))
  const manager = people.find((person) => person !== null && person['disabled'] !== true)
  const body = {
    template_id: template['id'] ?? null,
    subject: template['subject'] ?? null,
    // Sent empty, so that a caller who causes the change does not become its manager.
    manager_id: manager?.['id'] ?? null,
  }
  const attempted = await attempt(record, { id: null, body })
  if ('row' in attempted) return { change: attempted.row['id'] ?? null }
  return { reasons: cut(attempted.messages.join('; '), MAX_REASONS) }
}
