/** Who a record goes to, and who decides about it (behaviour: Tasks, Problems). */
import { type Call, isOfSettling } from '../../core/call.js'
import type { Json } from '../../schema/kinds/fields.js'
import { not } from '../../schema/language/conditions.js'
import { type FillContext, type Row, rule } from '../../schema/language/define-rule.js'
import type { ValueTest } from '../general/by-status.js'
import { loadOwner } from '../general/owner-of.js'
import { teamsOf } from '../people/team-of.js'
import { approversOf, type PeopleSettings } from '../people/template-people.js'
import { FINISHED_STATUSES, isFinished, isInHand } from './statuses.js'

interface ManagerSettings extends ValueTest {
  /** The reference to the record whose manager is meant; the record itself when it is left out. */
  readonly of?: string
  readonly team: string
}

/**
 * The record goes to its manager when the field takes one of the values, unless the caller names somebody: the manager becomes
 * its member, and its team one of the manager's teams. Without such a team it keeps the one that it has. A disabled manager
 * cannot take it: then it has no member.
 */
export const goesToManager = rule('goesToManager', (member: string, { field, values, of, team }: ManagerSettings) => ({
  fields: [member, field, team, ...(of ? [of] : [])],
  async fill(context) {
    const { changed, fieldOf, given, load, next } = context
    if (!changed(field) || !values.includes(next[field] ?? null) || given.has(member)) return
    const owner: Row | null = of ? await load(fieldOf(of).record, next[fieldOf(of).column]) : (next as Row)
    const manager = owner?.['manager_id'] ?? null
    if (manager === null) return
    const person = fieldOf(member)
    const isDisabled = (await load(person.record, manager))?.['disabled'] === true
    next[person.column] = isDisabled ? null : manager
    if (isDisabled) return
    const teams = await teamsOf(context, manager)
    const { column } = fieldOf(team)
    const isIn = teams.some(({ id }) => id === next[column])
    if (!isIn && !given.has(team)) next[column] = teams[0]?.['id'] ?? next[column] ?? null
  },
}))

/** Statuses that only approvers give. */
const VERDICTS: readonly Json[] = ['approved', 'rejected']

interface ApprovalSettings {
  /** The sub-record with the decision of one approver. */
  readonly approval: string
  /** The reference of that sub-record to the approver. */
  readonly approver: string
  /** The person who decides without any approvals. */
  readonly member?: string
}

/**
 * Only approvers decide about an approval task. Its approval decides for it when there is one, and gets the status that its
 * approver gives to the task. With several approvals, nobody sets the status of the task, which follows from them. Without any,
 * the member decides, or whoever works on it when it has none. Administrators decide in place of approvers, one at a time.
 */
export const decidedByApprovers = rule('decidedByApprovers', ({ approval, approver: by, member }: ApprovalSettings) => ({
  fields: ['status', ...(member ? [member] : [])],
  moves: [
    { record: approval, to: ['approved', 'rejected'], by: 'the approver', when: 'its only approver decides on the task' },
  ],
  async fill(context) {
    const { before, call, changed, fail, fieldOf, findBy, given, next, type } = context
    if (!isVerdict(context) || next['category'] !== 'approval' || !changed('status') || !given.has('status')) return
    const approvals = before ? await findBy(approval, 'owner_id', before['id'], { owner_type: type }) : []
    if (approvals.length > 1) return fail('status', 'decided_by_approvers')
    const deciding = approvals[0] ? approvals[0][`${by}_id`] : member && next[fieldOf(member).column]
    if (!mayDecide(call, deciding ?? null)) fail('status', 'not_the_approver')
  },
  async written(context) {
    const { before, changed, findBy, next, save, type } = context
    if (!before || !isVerdict(context) || next['category'] !== 'approval' || !changed('status')) return
    const [one, ...others] = await findBy(approval, 'owner_id', before['id'], { owner_type: type })
    if (one && others.length === 0 && one['status'] !== next['status'])
      await save(approval, Number(one['id']), { status: next['status'] ?? null })
  },
}))

/** Only the person in the reference, or an administrator, approves or rejects (behaviour: Project tasks). */
export const decidedBy = rule('decidedBy', (person: string) => ({
  fields: ['status', person],
  fill(context) {
    const { call, changed, fail, fieldOf, next } = context
    if (!isVerdict(context) || !changed('status')) return
    if (!mayDecide(call, next[fieldOf(person).column] ?? null)) fail('status', 'not_the_approver')
  },
}))

/** Statuses with which a task of the category `approval` ends, and those with which others end. */
const ENDINGS: { readonly approval: readonly Json[]; readonly others: readonly Json[] } = {
  approval: VERDICTS,
  others: ['completed', 'failed'],
}

/**
 * A decision, or a part of the work, ends as its task can end: an approval task is not completed, and other tasks are not
 * approved. Such a decision would never count (behaviour: Tasks, Project tasks).
 */
export const endsAsTask = rule('endsAsTask', (field: string) => ({
  fields: [field],
  async check(context) {
    const { changed, fail, next } = context
    const status = next[field] ?? null
    if (!changed(field) || ![...ENDINGS.approval, ...ENDINGS.others].includes(status)) return
    const task = await loadOwner(context)
    const endings = task?.['category'] === 'approval' ? ENDINGS.approval : ENDINGS.others
    if (task && !endings.includes(status)) fail(field, 'not_for_category')
  },
}))

/** A decision stays as it is once its task is finished; who wants another one opens the task again (behaviour: Tasks). */
export const fixedWithTask = rule('fixedWithTask', (field: string) => ({
  fields: [field],
  async fill(context) {
    const { before, call, changed, fail } = context
    if (!before || !changed(field) || call.bypassesPermissions || call.origin === 'import') return
    const task = await loadOwner(context)
    if (task && isFinished(String(task['status']))) fail(field, 'cannot_be_changed')
  },
}))

/**
 * A finished task that is taken up again asks its approvers again, as one that is registered again does. Otherwise their old
 * decisions would finish it at once (behaviour: Tasks).
 */
export const asksAgain = rule('asksAgain', (approval: string) => ({
  fields: ['status'],
  moves: [{ record: approval, from: [...FINISHED_STATUSES], to: 'assigned', when: 'its finished task is taken up again' }],
  async writtenAll(contexts, others) {
    const reopened = contexts.filter(
      ({ before, next }) => before && isFinished(String(before['status'])) && isInHand(String(next['status'])),
    )
    const found = await Promise.all(
      reopened.map(({ findBy, next, type }) => findBy(approval, 'owner_id', next['id'], { owner_type: type })),
    )
    const decided = found.flat().filter(({ status }) => isFinished(String(status)))
    const items = decided.map(({ id }) => ({ id: Number(id), body: { status: 'assigned' } }))
    await others.saveAll(approval, items)
  },
}))

function mayDecide({ actor, roles }: Call, approver: Json): boolean {
  return approver === null || approver === actor?.id || roles.has('account_administrator')
}

/** What the service decides itself follows from approvals, and an import brings what another system has decided. */
function isVerdict({ call, next }: Pick<FillContext, 'call' | 'next'>): boolean {
  return VERDICTS.includes(next['status'] ?? null) && !call.bypassesPermissions && call.origin !== 'import'
}

interface TeamSettings {
  readonly approval: string
  /** Where the approvers of a new task come from. */
  readonly chosen: PeopleSettings & { readonly member: string }
}

/**
 * A team is required, unless several approvers take the place of its members. A task whose approvers are removed later can still
 * be changed in other fields, and so can the tasks around it.
 */
export const needsTeam = rule('needsTeam', (team: string, { approval, chosen }: TeamSettings) => ({
  fields: [team, 'category', chosen.template, chosen.of, chosen.member],
  async check(context) {
    const { before, changed, fail, fieldOf, findBy, given, next, type } = context
    const { column } = fieldOf(team)
    if (next[column] || (before && !changed(column) && !changed('category'))) return
    if (next['category'] !== 'approval') return fail(team, 'blank')
    const approversBefore = async () => (before ? findBy(approval, 'owner_id', before['id'], { owner_type: type }) : [])
    const isLeftToTemplate = !before && !given.has(chosen.member)
    const approvers = isLeftToTemplate ? await approversOf(context, chosen) : await approversBefore()
    if (approvers.length < 2) fail(team, 'blank')
  },
}))

/**
 * Cancels what is left to do when somebody, or a rule or timer of a host, completes a change or a project by giving the reason
 * (behaviour: Changes, Projects).
 */
export const cancelsOpen = rule(
  'cancelsOpen',
  (record: string, settings: { readonly by: string; readonly reason: string }) => ({
    fields: [settings.reason],
    moves: [
      {
        record,
        notFrom: [...FINISHED_STATUSES],
        to: 'canceled',
        by: 'the manager',
        when: `the manager completes the ${settings.by} by giving the reason`,
      },
    ],
    async writtenAll(contexts, others) {
      const ended = contexts.filter(({ before, call, changed, next }) => {
        // A settling gives the reason when the tasks are finished, and saves the last of them after the change.
        return before && changed(settings.reason) && next[settings.reason] && !isOfSettling(call)
      })
      const open = await Promise.all(
        ended.map(({ findBy, next }) => findBy(record, settings.by, next['id'], { status: not(...FINISHED_STATUSES) })),
      )
      const items = open.flat().map(({ id }) => ({ id: Number(id), body: { status: 'canceled' } }))
      await others.saveAll(record, items)
    },
  }),
)
