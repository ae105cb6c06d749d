import { type Row, type RuleContext, type RuleItem, rule } from '../../schema/define-rule.js'
import type { Json } from '../../schema/fields.js'

/**
 * A new request whose template has the status `change_pending` starts a change from the change template, and waits for it, unless
 * the body names a status or a change. The change is managed by the change manager of the template, else by that of the service
 * (behaviour: Request templates).
 */
export const startsChange = rule('startsChange', (field: string, settings: { readonly template: string }) => ({
  fields: [field, settings.template],
  async writtenAll(contexts, { saveAll }) {
    const changes = await Promise.all(contexts.map((context) => changeOf(context, field, settings.template)))
    const starting = contexts.flatMap((context, index) => {
      const item = changes[index]
      return item ? [{ context, item }] : []
    })
    const [first] = starting
    if (!first) return
    const { column, record } = first.context.fieldOf(field)
    const rows = await saveAll(
      record,
      starting.map(({ item }) => item),
    )
    // Saved like the link of a caller: the rules of the request make it wait.
    const waiting = starting.map(({ context }, index) => ({
      id: Number(context.next['id']),
      body: { [column]: rows[index]?.['id'] ?? null },
    }))
    await saveAll(first.context.type, waiting)
  },
}))

async function changeOf(context: RuleContext, field: string, from: string): Promise<RuleItem | null> {
  const { before, call, fieldOf, given, load, next } = context
  const reference = fieldOf(from)
  const { column, record } = fieldOf(field)
  if (before || call.origin === 'import' || given.has('status') || next[column] || !record) return null
  const template = await load(reference.record, next[reference.column])
  if (template?.['status'] !== 'change_pending') return null
  const changeTemplate = await load('change_template', template['change_template_id'])
  if (!changeTemplate || changeTemplate['disabled'] === true) return null
  const services = await Promise.all([changeTemplate, template].map((one) => load('service', one['service_id'])))
  const managers = [template['change_manager_id'], ...services.map((service) => service?.['change_manager_id'])]
  const manager_id = await firstEnabled(context, managers)
  if (manager_id === null) return null
  return { id: null, body: { template_id: changeTemplate['id'], subject: changeTemplate['subject'], manager_id } }
}

async function firstEnabled({ load }: RuleContext, people: readonly (Json | undefined)[]): Promise<Json> {
  const rows: readonly (Row | null)[] = await Promise.all(people.map((id) => load('person', id)))
  return rows.find((row) => row !== null && row['disabled'] !== true)?.['id'] ?? null
}
