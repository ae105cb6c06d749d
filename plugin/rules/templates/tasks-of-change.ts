/** Tasks of a new change, from the task templates of its template (behaviour: Change templates). */
import type { Json } from '../../schema/kinds/fields.js'
import { type OtherRecords, type Row, type RuleContext, type RuleItem, rule } from '../../schema/language/define-rule.js'
import { teamOf } from '../people/team-of.js'
import { approversOf, askingFor, type PeopleSettings, peopleInRoles } from '../people/template-people.js'
import { STAGES } from '../workflow/progress.js'

interface Settings {
  /** The template of the change; it is linked to its task templates by `link`. */
  readonly template: string
  readonly from: { readonly record: string; readonly link: string }
  /** The reason of a completed change. */
  readonly reason: string
  /** The fields of a task. */
  readonly chosen: PeopleSettings
}

/** A task to create for the change of the context. */
interface Planned {
  readonly context: RuleContext
  readonly template: Row
}

/**
 * A new change gets a task of each enabled task template of its template. Tasks of the same category are side by side; each
 * waits for all of the category before. A change that is created as completed gets none. The tasks of a batch are created
 * together, one category after the other.
 */
export const tasksOfTemplate = rule('tasksOfTemplate', (task: string, settings: Settings) => ({
  fields: [settings.template, settings.reason],
  begins: true,
  async writtenAll(contexts, others) {
    const created = contexts.filter(({ before, next }) => !before && !next[settings.reason])
    const planned = (await Promise.all(created.map((context) => plannedFor(context, settings)))).flat()
    const bodies = await Promise.all(planned.map((one) => bodyOf(one, settings)))
    let ids: ReadonlyMap<RuleContext, readonly number[]> = new Map()
    for (const stage of STAGES) {
      const ofStage = planned.flatMap(({ context, template }, index) => {
        const body = bodies[index]
        return body && template['category'] === stage ? [{ context, body }] : []
      })
      ids = await createStage(task, ofStage, ids, others)
    }
  },
}))

/** Task templates of any account: a trusted account may share them. */
async function plannedFor(context: RuleContext, { from, template }: Settings): Promise<readonly Planned[]> {
  const { fieldOf, linkedIds, load, next } = context
  const { column, record } = fieldOf(template)
  const ids = await linkedIds(record, next[column], from.link)
  const templates = await Promise.all(ids.map((id) => load(from.record, id)))
  return templates.flatMap((one) => (one && one['disabled'] !== true ? [{ context, template: one }] : []))
}

/** Creates the tasks of one category. Returns for each change the tasks that the next category waits for. */
async function createStage(
  task: string,
  stage: readonly { readonly context: RuleContext; readonly body: object }[],
  before: ReadonlyMap<RuleContext, readonly number[]>,
  others: OtherRecords,
): Promise<ReadonlyMap<RuleContext, readonly number[]>> {
  if (stage.length === 0) return before
  const items = stage.map(({ body, context }): RuleItem => {
    const predecessors = before.get(context)
    return { id: null, body: predecessors ? { ...body, predecessor_ids: predecessors } : body }
  })
  const rows = await others.saveAll(task, items)
  const after = new Map<RuleContext, number[]>()
  for (const [index, { context }] of stage.entries()) {
    const ids = after.get(context) ?? []
    after.set(context, ids)
    ids.push(Number(rows[index]?.['id']))
  }
  return new Map([...before, ...after])
}

/** The body of a task; null if no team can be found for it, which refuses the change. */
async function bodyOf({ context, template }: Planned, settings: Settings): Promise<object | null> {
  const { fail, next } = context
  const body = {
    [`${settings.chosen.template}_id`]: template['id'] ?? null,
    [`${settings.chosen.of}_id`]: next['id'] ?? null,
  }
  const team = await teamFor(context, template, settings, body)
  if (team === 'own') return body
  if (team !== null) return { ...body, team_id: team }
  fail(settings.template, 'task_without_team', { value: String(template['subject']) })
  return null
}

/**
 * The team of the change manager for a task that has no other one; `own` if the task gets its team from the template or from
 * its member, or needs none because several people approve it; null if there is none.
 */
async function teamFor(
  context: RuleContext,
  template: Row,
  { chosen, from }: Settings,
  next: { readonly [column: string]: Json },
): Promise<Json | 'own'> {
  const { load } = context
  const team = await load('team', template['team_id'])
  if (team && team['disabled'] !== true) return 'own'
  // The task does not exist yet: its fields lead to the template and to the change.
  const asking = askingFor(context, { [chosen.template]: from.record, [chosen.of]: context.type }, next)
  const isApproval = template['category'] === 'approval'
  const people = await (isApproval ? approversOf(asking, chosen) : peopleInRoles(asking, chosen))
  if (isApproval && people.length > 1) return 'own'
  const own = await load(chosen.people, template['member_id'])
  const member = isApproval || !own || own['disabled'] === true ? people[0]?.person : own['id']
  const ofMember = await teamOf(context, member)
  return ofMember === null ? teamOf(context, context.next['manager_id']) : 'own'
}
