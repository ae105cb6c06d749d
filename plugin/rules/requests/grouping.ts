/** Groups of requests (behaviour: Requests). */
import { type Row, type RuleItem, rule } from '../../schema/define-rule.js'
import type { Json } from '../../schema/fields.js'

/** Columns that a new group gets from the request that it is made for. */
const TAKEN = [
  ...['subject', 'category', 'impact', 'completion_reason', 'waiting_until', 'supplier_requestID', 'urgent'],
  ...['service_instance_id', 'team_id', 'member_id', 'supplier_id', 'problem_id', 'change_id', 'project_id'],
  ...['requested_by_id', 'requested_for_id'],
] as const

/**
 * Keeps `grouping`, and says what a request can be grouped into: a group, or a request that is not grouped yet, for which a group
 * is made that contains both. Groups themselves are not grouped.
 */
export const groupedInto = rule('groupedInto', (field: string, { grouping }: { readonly grouping: string }) => ({
  fields: [field, grouping],
  moves: [{ from: [null], when: 'a group is made for a request; it has the status of that request' }],
  fill({ fieldOf, next }) {
    if (next[fieldOf(field).column]) next[grouping] = 'grouped'
    else if (next[grouping] !== 'group') next[grouping] = 'none'
  },
  async check({ before, call, changed, fail, fieldOf, load, next, type }) {
    const { column } = fieldOf(field)
    // A request that is grouped into itself is refused as a circle.
    if (!next[column] || !changed(column) || next[column] === next['id']) return
    const target = await load(type, next[column])
    if (before?.[grouping] === 'group') fail(field, 'group_in_group')
    else if (target && (target[grouping] === 'grouped' || target['account_id'] !== call.account.id)) fail(field, 'not_a_group')
  },
  async fillWithIdAll(contexts, { saveAll }) {
    const [{ fieldOf, load, type } = { fieldOf: null }] = contexts
    if (!fieldOf) return
    const { column } = fieldOf(field)
    const joining = contexts.filter(({ changed, next }) => next[column] && changed(column))
    // Locked, so that requests that are grouped into it at the same time meet in one group.
    const targets = await Promise.all(joining.map(({ next }) => load(type, next[column], { lock: true })))
    const ungrouped = new Map<Json, Row>()
    for (const target of targets) if (target?.[grouping] === 'none') ungrouped.set(target['id'] ?? null, target)
    const made = [...ungrouped.values()]
    const groups = await saveAll(
      type,
      made.map((target) => groupOf(target, grouping)),
    )
    const groupOfTarget = new Map(made.map(({ id = null }, index) => [id, groups[index]?.['id'] ?? null]))
    await saveAll(
      type,
      made.map(({ id = null }) => ({ id: Number(id), body: { [column]: groupOfTarget.get(id) ?? null } })),
    )
    for (const [index, { next }] of joining.entries()) {
      const target = targets[index]
      // Another transaction may have grouped it since the check.
      if (target && target[grouping] !== 'group')
        next[column] = groupOfTarget.get(target['id'] ?? null) ?? target[column] ?? null
    }
  },
}))

/** The group that is made for a request. */
function groupOf(target: Row, grouping: string): RuleItem {
  const taken = Object.fromEntries(TAKEN.map((name) => [name, target[name] ?? null]))
  // What was declined has found its way; the group is new.
  const status = target['status'] === 'declined' ? 'assigned' : (target['status'] ?? null)
  return { id: null, body: { ...taken, status, [grouping]: 'group' } }
}

/**
 * Passes changed values of a group on to the requests in it. Requests that were completed on their own stay completed.
 */
export const passedOn = rule('passedOn', (by: string, { grouping, fields }: PassSettings) => ({
  fields: [by, grouping, ...fields],
  moves: fields.includes('status') ? [{ when: 'the group of the request takes that status' }] : [],
  async writtenAll(contexts, { saveAll }) {
    const updated = contexts.flatMap((context) => {
      const { before, changed, fieldOf, next } = context
      const columns = fields.map((field) => fieldOf(field).column).filter((column) => changed(column))
      if (!before || next[grouping] !== 'group' || columns.length === 0) return []
      return [{ context, before, body: Object.fromEntries(columns.map((column) => [column, next[column] ?? null])) }]
    })
    const found = await Promise.all(updated.map(({ context }) => context.findBy(context.type, by, context.next['id'])))
    const items = updated.flatMap(({ before, body }, index) => {
      const open = (found[index] ?? []).filter(({ status }) => status !== 'completed' || before['status'] === 'completed')
      return open.map(({ id }) => ({ id: Number(id), body }))
    })
    const [first] = updated
    if (first) await saveAll(first.context.type, items)
  },
}))

interface PassSettings {
  readonly grouping: string
  /** Fields whose values are passed on when they change. */
  readonly fields: readonly string[]
}
