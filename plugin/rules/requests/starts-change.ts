import type { Json } from '../../schema/kinds/fields.js'
import { type Row, type RuleContext, type RuleItem, rule } from '../../schema/language/define-rule.js'
import { startChange } from '../templates/system-changes.js'

/**
 * A new request whose template has the status `change_pending` starts a change from the change template, and waits for it, unless
 * the body names a status or a change. The change is managed by the change manager of the template, else by that of the service
 * (behaviour: Request templates). If the change is refused, the request stays assigned, and an internal note says why.
 */
export const startsChange = rule('startsChange', (field: string, settings: { readonly template: string }) => ({
  fields: [field, settings.template],
  async writtenAll(contexts, { attempt, saveAll }) {
    const plans = await Promise.all(contexts.map((context) => changeOf(context, field, settings.template)))
    const waiting: RuleItem[] = []
    const notes: RuleItem[] = []
    for (const { context, managers, template } of plans.filter((plan) => plan !== null)) {
      const { fieldOf, next, sentence, type } = context
      const id = Number(next['id'])
      const { column, record } = fieldOf(field)
      const started = await startChange(context, record, template, managers, { attempt })
      if ('change' in started) {
        // Saved like the link of a caller: the rules of the request make it wait.
        waiting.push({ id, body: { [column]: started.change, ...(await managerAsMember(context, record, started.change)) } })
        continue
      }
      const text = sentence('change_not_started', started)
      notes.push({ id: null, body: { text, internal: true, medium: 'system' }, owner: { type, id } })
    }
    const [first] = contexts
    if (first) await saveAll(first.type, waiting)
    await saveAll('note', notes)
  },
}))

/** A change to start for a request. */
interface Plan {
  readonly context: RuleContext
  /** The change template. */
  readonly template: Row
  readonly managers: readonly (Json | undefined)[]
}

async function changeOf(context: RuleContext, field: string, from: string): Promise<Plan | null> {
  const { before, call, fieldOf, given, load, next } = context
  const reference = fieldOf(from)
  if (before || call.origin === 'import' || given.has('status') || next[fieldOf(field).column]) return null
  const ofRequest = await load(reference.record, next[reference.column])
  if (!ofRequest || !isPending(ofRequest, call)) return null
  const template = await load('change_template', ofRequest['change_template_id'])
  if (!template) return null
  const services = await Promise.all([template, ofRequest].map((one) => load('service', one['service_id'])))
  const managers = [ofRequest['change_manager_id'], ...services.map((service) => service?.['change_manager_id'])]
  return { context, template, managers }
}

/** The manager of the change is the member of a request that an event has caused, unless it has one. */
async function managerAsMember({ call, load, next }: RuleContext, record: string, change: Json): Promise<object> {
  if (call.origin !== 'event' || next['member_id']) return {}
  return { member_id: (await load(record, change))?.['manager_id'] ?? null }
}

/**
 * True if requests from this template wait for its change. A request from an event also waits if the template has a change
 * template and no status (behaviour: Event submission).
 */
function isPending({ change_template_id = null, status = null }: Row, { origin }: RuleContext['call']): boolean {
  return status === 'change_pending' || (origin === 'event' && status === null && change_template_id !== null)
}
