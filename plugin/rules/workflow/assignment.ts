/** Who a record goes to, and who decides about it (behaviour: Tasks, Problems). */
import { not } from '../../schema/conditions.js'
import { type FillContext, type Row, rule } from '../../schema/define-rule.js'
import type { Json } from '../../schema/fields.js'
import type { ValueTest } from '../by-status.js'
import { approversOf, type PeopleSettings } from '../templates/people.js'

interface ManagerSettings extends ValueTest {
  /** The reference to the record whose manager is meant; the record itself when it is left out. */
  readonly of?: string
  readonly team: string
}

/**
 * The record goes to its manager when the field takes one of the values, unless the caller names somebody: the manager becomes
 * its member, and its team one of the manager's teams. Without such a team it keeps the one that it has.
 */
export const goesToManager = rule('goesToManager', (member: string, { field, values, of, team }: ManagerSettings) => ({
  fields: [member, field, team, ...(of ? [of] : [])],
  async fill({ changed, fieldOf, findBy, given, load, next }) {
    if (!changed(field) || !values.includes(next[field] ?? null) || given.has(member)) return
    const owner: Row | null = of ? await load(fieldOf(of).record, next[fieldOf(of).column]) : (next as Row)
    const manager = owner?.['manager_id'] ?? null
    if (manager === null) return
    next[fieldOf(member).column] = manager
    const teams = await findBy(fieldOf(team).record, 'members', manager, { disabled: false })
    const { column } = fieldOf(team)
    const isIn = teams.some(({ id }) => id === next[column])
    if (!isIn && !given.has(team)) next[column] = teams[0]?.['id'] ?? next[column] ?? null
  },
}))

/** Statuses that only approvers give. */
const VERDICTS: readonly Json[] = ['approved', 'rejected']

/**
 * Only approvers decide about an approval task. Its approval decides for it when there is one, and gets the status that its
 * approver gives to the task. With several approvals, nobody sets the status of the task, which follows from them. Without any,
 * the member decides, or whoever works on it when it has none. Administrators decide in place of approvers, one at a time.
 */
export const decidedByApprovers = rule('decidedByApprovers', ({ approval }: { readonly approval: string }) => ({
  fields: ['status', 'member'],
  async fill(context) {
    const { before, call, changed, fail, findBy, given, next, type } = context
    if (!isVerdict(context) || !changed('status') || !given.has('status')) return
    const approvals = before ? await findBy(approval, 'owner_id', before['id'], { owner_type: type }) : []
    if (approvals.length > 1) return fail('status', 'decided_by_approvers')
    const approver = approvals[0]?.['approver_id'] ?? next['member_id'] ?? null
    const mayDecide = approver === null || approver === call.actor?.id || call.roles.has('account_administrator')
    if (!mayDecide) fail('status', 'not_the_approver')
  },
  async written(context) {
    const { before, changed, findBy, next, save, type } = context
    if (!before || !isVerdict(context) || !changed('status')) return
    const [one, ...others] = await findBy(approval, 'owner_id', before['id'], { owner_type: type })
    if (one && others.length === 0 && one['status'] !== next['status'])
      await save(approval, Number(one['id']), { status: next['status'] ?? null })
  },
}))

/** What the service decides itself follows from approvals, and an import brings what another system has decided. */
function isVerdict({ call, next }: Pick<FillContext, 'call' | 'next'>): boolean {
  const isDecided = next['category'] === 'approval' && VERDICTS.includes(next['status'] ?? null)
  return isDecided && !call.bypassesPermissions && call.origin !== 'import'
}

interface TeamSettings {
  readonly approval: string
  /** Where the approvers of a new task come from. */
  readonly chosen: PeopleSettings & { readonly member: string }
}

/** A team is required, unless several approvers take the place of its members. */
export const needsTeam = rule('needsTeam', (team: string, { approval, chosen }: TeamSettings) => ({
  fields: [team, chosen.template, chosen.of, chosen.member],
  async check(context) {
    const { before, fail, fieldOf, findBy, given, next, type } = context
    if (next[fieldOf(team).column]) return
    if (next['category'] !== 'approval') return fail(team, 'blank')
    const approversBefore = async () => (before ? findBy(approval, 'owner_id', before['id'], { owner_type: type }) : [])
    const isLeftToTemplate = !before && !given.has(chosen.member)
    const approvers = isLeftToTemplate ? await approversOf(context, chosen) : await approversBefore()
    if (approvers.length < 2) fail(team, 'blank')
  },
}))

/**
 * Cancels what is left to do when somebody completes a change or a project by giving the reason (behaviour: Changes, Projects).
 */
export const cancelsOpen = rule(
  'cancelsOpen',
  (record: string, settings: { readonly by: string; readonly reason: string; readonly finished: readonly string[] }) => ({
    fields: [settings.reason],
    async writtenAll(contexts, others) {
      const ended = contexts.filter(({ before, changed, next }) => before && changed(settings.reason) && next[settings.reason])
      const open = await Promise.all(
        ended.map(({ findBy, next }) => findBy(record, settings.by, next['id'], { status: not(...settings.finished) })),
      )
      const items = open.flat().map(({ id }) => ({ id: Number(id), body: { status: 'canceled' } }))
      if (items.length > 0) await others.saveAll(record, items)
    },
  }),
)
