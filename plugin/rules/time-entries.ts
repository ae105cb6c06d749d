/** For whom a time entry may be made, and what goes with its time allocation (spec, Time entry; gaps 7.8). */
import { isBlank } from '../core/blank.js'
import { hasRole } from '../core/call.js'
import type { Row, Rule, RuleContext } from '../schema/define-rule.js'

/** Work whose Time spent field makes entries; these have no time allocation. */
const WORK = ['problem', 'request', 'task', 'project_task'] as const

/**
 * The person defaults to the caller; for others, only their managers and account administrators make entries. The
 * organization is that of the person at the time.
 */
export function personOfTimeEntry() {
  return { rule: 'personOfTimeEntry' } as const
}

/**
 * The time allocation must be one of the person's organization. It says whether a customer, a service and a description are
 * needed; those that it has no use for are ignored.
 */
export function allocationOfTimeEntry() {
  return { rule: 'allocationOfTimeEntry' } as const
}

/** Only corrections may take time away, or none at all. */
export function positiveUnless(field: string, settings: { readonly flag: string }) {
  return { rule: 'positiveUnless', field, ...settings } as const
}

export const personOfTimeEntryRule: Rule = {
  fields: () => ['person', 'organization'],
  fills: () => ['person'],
  async before({ before, call, changed, fail, load, next }) {
    if (!before) next['person_id'] ??= call.actor?.id ?? null
    const person = changed('person_id') ? await load('person', next['person_id']) : null
    if (!person) return
    next['organization_id'] = person['organization_id'] ?? null
    const isTheirs = call.actor !== null && [person['id'], person['manager_id']].includes(call.actor.id)
    if (!isTheirs && !hasRole(call, 'account_administrator')) fail('person', 'not_allowed')
  },
}

export const allocationOfTimeEntryRule: Rule = {
  fields: () => ['time_allocation', 'organization', 'customer', 'service', 'description', ...WORK],
  async before(context) {
    const { before, changed, fail, linked, load, next } = context
    const touched = ['time_allocation_id', 'organization_id', 'customer_id', 'service_id', 'description'].some(changed)
    if (before && !touched) return
    const allocation = await load('time_allocation', next['time_allocation_id'])
    if (!allocation) {
      if (!next['time_allocation_id'] && !WORK.some((field) => next[`${field}_id`])) fail('time_allocation', 'blank')
      return
    }
    if (!(await linked('time_allocation', allocation['id'], 'organizations', next['organization_id'])))
      fail('time_allocation', 'not_of_organization')
    await checkChoice(context, allocation, 'customer')
    await checkChoice(context, allocation, 'service')
    if (allocation['description_category'] === 'hidden') next['description'] = null
    if (allocation['description_category'] === 'required' && isBlank(next['description'])) fail('description', 'blank')
  },
}

export const positiveUnlessRule: Rule = {
  fields: (use) => [String(use['field']), String(use['flag'])],
  before({ changed, fail, next }, use) {
    const [field, flag] = [String(use['field']), String(use['flag'])]
    const value = next[field]
    if (!changed(field) && !changed(flag)) return
    if (next[flag] !== true && typeof value === 'number' && value < 1) fail(field, 'less_than', { min: 1 })
  },
}

async function checkChoice({ fail, linked, next }: RuleContext, allocation: Row, field: 'customer' | 'service') {
  const [column, category] = [`${field}_id`, allocation[`${field}_category`]]
  if (category === 'none') next[column] = null
  else if (!next[column]) fail(field, 'blank')
  else if (category === 'selected' && !(await linked('time_allocation', allocation['id'], `${field}s`, next[column])))
    fail(field, 'not_of_allocation')
}
