import { cut } from '../../core/cut.js'
import { type OtherRecords, type Row, type RuleContext, type RuleItem, rule } from '../../schema/define-rule.js'
import type { Json } from '../../schema/fields.js'

/** Maximum length of the reasons in the note about a change that could not be started. */
const MAX_REASONS = 1024

/**
 * A new request whose template has the status `change_pending` starts a change from the change template, and waits for it, unless
 * the body names a status or a change. The change is managed by the change manager of the template, else by that of the service
 * (behaviour: Request templates). If the change is refused, the request stays assigned, and an internal note says why.
 */
export const startsChange = rule('startsChange', (field: string, settings: { readonly template: string }) => ({
  fields: [field, settings.template],
  async writtenAll(contexts, others) {
    const planned = await Promise.all(contexts.map((context) => changeOf(context, field, settings.template)))
    const waiting: RuleItem[] = []
    const notes: RuleItem[] = []
    for (const [index, context] of contexts.entries()) {
      const plan = planned[index]
      if (!plan) continue
      const { fieldOf, next, type } = context
      const id = Number(next['id'])
      const { column, record } = fieldOf(field)
      const started = await start(context, record, plan, others)
      // Saved like the link of a caller: the rules of the request make it wait.
      if ('change' in started) waiting.push({ id, body: { [column]: started.change } })
      else notes.push({ id: null, body: { text: started.text, internal: true, medium: 'system' }, owner: { type, id } })
    }
    const [first] = contexts
    if (first) await others.saveAll(first.type, waiting)
    await others.saveAll('note', notes)
  },
}))

/** The body of a change. */
interface Plan {
  readonly template_id: Json
  readonly subject: Json
  /** Null if nobody can manage the change. */
  readonly manager_id: Json
}

async function start(
  { sentence }: RuleContext,
  record: string,
  plan: Plan,
  { attempt }: OtherRecords,
): Promise<{ readonly change: Json } | { readonly text: string }> {
  // Without a manager the caller would become the manager, who is a requester.
  if (plan.manager_id === null) return { text: sentence('change_without_manager') }
  const attempted = await attempt(record, { id: null, body: plan })
  if ('row' in attempted) return { change: attempted.row['id'] ?? null }
  return { text: sentence('change_not_started', { reasons: cut(attempted.messages.join('; '), MAX_REASONS) }) }
}

async function changeOf(context: RuleContext, field: string, from: string): Promise<Plan | null> {
  const { before, call, fieldOf, given, load, next } = context
  const reference = fieldOf(from)
  const { column, record } = fieldOf(field)
  if (before || call.origin === 'import' || given.has('status') || next[column] || !record) return null
  const template = await load(reference.record, next[reference.column])
  if (template?.['status'] !== 'change_pending') return null
  const changeTemplate = await load('change_template', template['change_template_id'])
  if (!changeTemplate) return null
  const services = await Promise.all([changeTemplate, template].map((one) => load('service', one['service_id'])))
  const managers = [template['change_manager_id'], ...services.map((service) => service?.['change_manager_id'])]
  const manager_id = await firstEnabled(context, managers)
  return { template_id: changeTemplate['id'] ?? null, subject: changeTemplate['subject'] ?? null, manager_id }
}

async function firstEnabled({ load }: RuleContext, people: readonly (Json | undefined)[]): Promise<Json> {
  const rows: readonly (Row | null)[] = await Promise.all(people.map((id) => load('person', id)))
  return rows.find((row) => row !== null && row['disabled'] !== true)?.['id'] ?? null
}
