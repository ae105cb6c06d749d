/** Customer and service of time entries that the field Time spent creates (behaviour: Time entries). */
import type { Json } from '../../schema/kinds/fields.js'
import { type FillContext, type Row, rule } from '../../schema/language/define-rule.js'

/**
 * Types with the field Time spent, and the references that lead to the customer and the service. Each reference on the way has
 * the name of the type that it refers to.
 */
const SOURCES = {
  request: { customer: 'organization', service: 'service_instance.service' },
  problem: { customer: 'project.customer', service: 'service' },
  task: { customer: 'change.project.customer', service: 'change.service' },
  project_task: { customer: 'project.customer', service: 'project.service' },
} as const
/** Types of work whose customer is the account itself, unless they belong to a project. */
const OWN_WORK: readonly string[] = ['problem', 'task']

/** Types with the field Time spent. */
export const WORK = ['problem', 'request', 'task', 'project_task'] as const

interface EntryOfWork {
  readonly customer_id: number
  readonly service_id: number
  readonly time_allocation_id: number
  readonly problem_id: number
  readonly request_id: number
  readonly task_id: number
  readonly project_task_id: number
}

/** The type of the work that the entry was created for; undefined for other entries. */
export function workOf(
  entry: { readonly [K in `${(typeof WORK)[number]}_id`]: number | null },
): (typeof WORK)[number] | undefined {
  return WORK.find((type) => entry[`${type}_id`])
}

/**
 * Entries of work get the customer and the service that the work has when they are created. These stay, and the entries take no
 * time allocation.
 */
export const customerOfWork = rule.for<EntryOfWork>()('customerOfWork', () => ({
  fields: ['customer', 'service', 'time_allocation', ...WORK],
  fills: ['customer', 'service'],
  async fill(context) {
    const { before, call, next } = context
    const type = workOf(next)
    if (before || !type) return
    const { customer, service } = SOURCES[type]
    const organization = (await idAt(context, type, customer)) ?? (OWN_WORK.includes(type) ? call.account.organizationId : null)
    next.customer_id = await knownId(context, 'organization', organization)
    next.service_id = await knownId(context, 'service', await idAt(context, type, service))
  },
  check({ before, changed, fail, next }) {
    if (!before || !workOf(next)) return
    for (const field of ['customer', 'service', 'time_allocation'] as const)
      if (changed(`${field}_id`)) fail(field, 'cannot_be_changed')
  },
}))

/** Follows references from the work of the entry; null if one of them is empty. */
async function idAt({ load, next }: FillContext<EntryOfWork>, type: (typeof WORK)[number], path: string): Promise<Json> {
  let [record, id]: [string, Json] = [type, next[`${type}_id`]]
  for (const field of path.split('.')) {
    const row: Row | null = await load(record, id)
    record = field
    id = row?.[`${field}_id`] ?? null
  }
  return id
}

/** The id, if records of the account may refer to it: the host's organization may be gone, or one of another account. */
async function knownId({ call, load }: FillContext<EntryOfWork>, type: string, id: Json): Promise<number | null> {
  const row = await load(type, id)
  const accounts: readonly Json[] = [call.account.id, ...call.trusted, call.account.directoryAccountId]
  return row && accounts.includes(row['account_id'] ?? null) ? Number(id) : null
}
