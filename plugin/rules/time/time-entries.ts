/**
 * Permitted people of a time entry, and the fields that its time allocation controls (spec, Time entry; behaviour: Time
 * entries).
 */
import { hasRole } from '../../core/call.js'
import { isBlank } from '../../core/text/blank.js'
import { type Row, type RuleContext, rule } from '../../schema/language/define-rule.js'
import { WORK, workOf } from './time-entry-work.js'

/** Columns that a time allocation controls. */
const ALLOCATED = ['time_allocation_id', 'organization_id', 'customer_id', 'service_id', 'description'] as const
/** Fields that callers may set if the time allocation allows it. */
const CHOICES = { customer: 'organization', service: 'service' } as const

interface TimeEntry {
  readonly person_id: number
  readonly organization_id: number
  readonly time_allocation_id: number
  readonly customer_id: number
  readonly service_id: number
  readonly description: string
  readonly problem_id: number
  readonly request_id: number
  readonly task_id: number
  readonly project_task_id: number
}

/**
 * The person defaults to the caller. Entries for other people can be created only by their manager and by account
 * administrators. The organization is the one that the person had at the time.
 */
export const personOfTimeEntry = rule.for<TimeEntry>()('personOfTimeEntry', () => ({
  fields: ['person', 'organization'],
  fills: ['person'],
  async fill({ before, call, changed, load, next }) {
    if (!before) next.person_id ??= call.actor?.id ?? null
    const person = changed('person_id') ? await load('person', next.person_id) : null
    if (person) next.organization_id = typeof person['organization_id'] === 'number' ? person['organization_id'] : null
  },
  async check({ call, changed, fail, load, next }) {
    const person = changed('person_id') ? await load('person', next.person_id) : null
    if (!person || hasRole(call, 'account_administrator')) return
    if (call.actor === null || ![person['id'], person['manager_id']].includes(call.actor.id)) fail('person', 'not_allowed')
  },
}))

/**
 * The time allocation must be one of the person's organization. It determines whether a customer, a service and a description
 * are required; those that it does not use are cleared.
 */
export const allocationOfTimeEntry = rule.for<TimeEntry>()('allocationOfTimeEntry', () => ({
  fields: ['time_allocation', 'organization', 'customer', 'service', 'description', ...WORK],
  async fill(context) {
    const { load, next } = context
    const allocation = isTouched(context) ? await load('time_allocation', next.time_allocation_id) : null
    if (allocation?.['customer_category'] === 'none') next.customer_id = null
    if (allocation?.['service_category'] === 'none') next.service_id = null
    if (allocation?.['description_category'] === 'hidden') next.description = null
  },
  async check(context) {
    const { fail, linked, load, next } = context
    if (!isTouched(context)) return
    const allocation = await load('time_allocation', next.time_allocation_id)
    if (!allocation) {
      if (!next.time_allocation_id) fail('time_allocation', 'blank')
      return
    }
    const [isOfOrganization] = await Promise.all([
      linked('time_allocation', allocation['id'], 'organizations', next.organization_id),
      checkChoice(context, allocation, 'customer'),
      checkChoice(context, allocation, 'service'),
    ])
    if (!isOfOrganization) fail('time_allocation', 'not_of_organization')
    if (allocation['description_category'] === 'required' && isBlank(next.description)) fail('description', 'blank')
  },
}))

/** Only records with the flag (corrections) may have values below 1. */
export const positiveUnless = rule('positiveUnless', (field: string, { flag }: { readonly flag: string }) => ({
  fields: [field, flag],
  check({ changed, fail, next }) {
    const value = next[field]
    if (!changed(field) && !changed(flag)) return
    if (next[flag] !== true && typeof value === 'number' && value < 1) fail(field, 'less_than', { min: 1 })
  },
}))

/** False for entries of work, which have no time allocation. */
function isTouched({ before, changed, next }: RuleContext<TimeEntry>): boolean {
  return !workOf(next) && (!before || ALLOCATED.some(changed))
}

async function checkChoice(
  { changed, fail, linked, load, next }: RuleContext<TimeEntry>,
  allocation: Row,
  field: keyof typeof CHOICES,
): Promise<void> {
  const [chosen, category] = [next[`${field}_id`], allocation[`${field}_category`]]
  if (category === 'none') return
  if (!chosen) fail(field, 'blank')
  else if (changed(`${field}_id`) && (await load(CHOICES[field], chosen))?.['disabled'] === true)
    fail(field, 'disabled_reference')
  else if (category === 'selected' && !(await linked('time_allocation', allocation['id'], `${field}s`, chosen)))
    fail(field, 'not_of_allocation')
}
