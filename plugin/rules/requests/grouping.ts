/** Groups of requests (behaviour: Requests). */
import type { Role } from '../../core/call.js'
import type { Json } from '../../schema/kinds/fields.js'
import { type DraftRow, type Row, type RuleContext, type RuleItem, rule } from '../../schema/language/define-rule.js'

/** Fields that a new group gets from the request that it is made for. */
const TAKEN = [
  ...['subject', 'category', 'impact', 'completion_reason', 'waiting_until', 'supplier_requestID', 'urgent'],
  ...['service_instance', 'team', 'member', 'supplier', 'problem', 'change', 'project', 'requested_by', 'requested_for'],
] as const

/**
 * Keeps `grouping`, and says what a request can be grouped into: a group, or a request that is not grouped yet, for which a group
 * is made that contains both. Groups themselves are not grouped. What is open cannot join what is completed: nothing would complete
 * it any more.
 */
export const groupedInto = rule('groupedInto', (field: string, { grouping }: { readonly grouping: string }) => ({
  fields: [field, grouping],
  keeps: { [grouping]: [field] },
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
    for (const [index, { fail, next }] of joining.entries()) {
      const isOver = targets[index]?.['status'] === 'completed' && next['status'] !== 'completed'
      if (isOver) fail(field, 'completed_group')
    }
    const ungrouped = new Map<Json, Row>()
    for (const target of targets) if (target?.[grouping] === 'none') ungrouped.set(target['id'] ?? null, target)
    const made = [...ungrouped.values()]
    const groups = await saveAll(
      type,
      await Promise.all(made.map((target) => groupOf(contexts[0] as RuleContext, target, grouping))),
    )
    const groupOfTarget = new Map(made.map(({ id = null }, index) => [id, groups[index]?.['id'] ?? null]))
    await saveAll(
      type,
      made.map(({ id = null }) => ({ id: Number(id), body: { [column]: groupOfTarget.get(id) ?? null } })),
    )
    for (const [index, { next }] of joining.entries()) {
      const target = targets[index]
      // Another transaction may have grouped or completed it since the check.
      if (target && target[grouping] !== 'group')
        next[column] = groupOfTarget.get(target['id'] ?? null) ?? target[column] ?? null
    }
  },
}))

/** The group that is made for a request. */
async function groupOf(context: Copying, target: Row, grouping: string): Promise<RuleItem> {
  const taken = await copied(context, target, TAKEN)
  // What was declined has found its way; the group is new.
  const status = target['status'] === 'declined' ? 'assigned' : (target['status'] ?? null)
  return { id: null, body: { ...taken, status, [grouping]: 'group' } }
}

type Copying = Pick<RuleContext, 'fieldOf' | 'load'>

/** The fields of a row as a body, without references to disabled records: the save would be refused for them. */
async function copied({ fieldOf, load }: Copying, row: Row, fields: readonly string[]): Promise<DraftRow> {
  const entries = await Promise.all(
    fields.map(async (field): Promise<readonly [string, Json][]> => {
      const { column, record } = fieldOf(field)
      const value = row[column] ?? null
      const isDisabled = record !== '' && value !== null && (await load(record, value))?.['disabled'] === true
      return isDisabled ? [] : [[column, value]]
    }),
  )
  return Object.fromEntries(entries.flat())
}

interface PassSettings {
  readonly grouping: string
  /** The field that is true while the request is completed because its group was. */
  readonly completedWith: string
  /** Fields whose values are passed on when they change. */
  readonly fields: readonly string[]
  /** Fields that are passed on with another one, because a request may differ from its group. */
  readonly together: { readonly [field: string]: readonly string[] }
  /** Fields that are passed on with a status. */
  readonly withStatus: { readonly [status: string]: string }
}

/**
 * Passes changed values of a group on to the requests in it. Requests that were completed on their own stay as they are; those
 * that were completed with the group are opened with it, too.
 */
export const passedOn = rule('passedOn', (by: string, settings: PassSettings) => ({
  fields: [by, settings.grouping, settings.completedWith, ...settings.fields],
  moves: settings.fields.includes('status') ? [{ when: 'the group of the request takes that status' }] : [],
  fill({ changed, fieldOf, next }) {
    // What leaves its group, or is opened on its own, follows that group no more.
    if (changed(fieldOf(by).column) || next['status'] !== 'completed') next[settings.completedWith] = false
  },
  begins: true,
  async writtenAll(contexts, { saveAll }) {
    const { completedWith, fields, grouping, together, withStatus } = settings
    const updated = contexts.flatMap((context) => {
      const { before, changed, fieldOf, next } = context
      const differing = fields.filter((field) => changed(fieldOf(field).column))
      if (!before || next[grouping] !== 'group' || differing.length === 0) return []
      const passed = new Set(differing.flatMap((field) => [field, ...(together[field] ?? [])]))
      const awaited = passed.has('status') ? withStatus[String(next['status'])] : undefined
      if (awaited !== undefined) passed.add(awaited)
      const isCompleting = passed.has('status') && next['status'] === 'completed'
      return [{ context, passed: [...passed], more: isCompleting ? { [completedWith]: true } : {} }]
    })
    const [found, bodies] = await Promise.all([
      // Locked, because another transaction may be completing one of them, or taking it out of the group.
      Promise.all(
        updated.map(({ context }) => context.findBy(context.type, by, context.next['id'], undefined, { lock: true })),
      ),
      Promise.all(updated.map(({ context, passed }) => copied(context, context.next, passed))),
    ])
    const items = updated.flatMap(({ more }, index) => {
      const following = (found[index] ?? []).filter((row) => row['status'] !== 'completed' || row[completedWith] === true)
      return following.map(({ id }) => ({ id: Number(id), body: { ...bodies[index], ...more } }))
    })
    const [first] = updated
    if (first) await saveAll(first.context.type, items)
  },
}))

interface NoteSettings {
  readonly by: string
  readonly grouping: string
  /** References of a group to people who have asked. Their notes are not passed on to other requesters. */
  readonly except: readonly string[]
  /** Roles of people who work on requests: their notes are passed on although they have asked. */
  readonly unless: readonly Role[]
}

/**
 * Adds public notes of a group to the requests in it, so that requesters read them: to open requests, and to all when the group
 * was completed before. Notes of the requester of the group stay there. For the type of the notes.
 */
export const notesPassedOn = rule('notesPassedOn', (type: string, { by, except, grouping, unless }: NoteSettings) => ({
  begins: true,
  async writtenAll(contexts, { saveAll }) {
    const items = await Promise.all(
      contexts.map(async ({ before, call, findBy, load, next }): Promise<readonly RuleItem[]> => {
        if (before || next['owner_type'] !== type || next['internal'] === true) return []
        const group = await load(type, next['owner_id'])
        if (group?.[grouping] !== 'group') return []
        const { medium = null, person_id = null, text = null } = next
        const isRequester = person_id !== null && except.some((field) => group[`${field}_id`] === person_id)
        if (isRequester && !unless.some((role) => call.roles.has(role))) return []
        const wasOver = group['status'] === 'completed' && group['completed_at'] !== call.now
        const grouped = await findBy(type, by, group['id'])
        const requests = grouped.filter(({ status }) => wasOver || status !== 'completed')
        return requests.map(({ id }) => ({ id: null, body: { medium, person_id, text }, owner: { type, id: Number(id) } }))
      }),
    )
    await saveAll('note', items.flat())
  },
}))
