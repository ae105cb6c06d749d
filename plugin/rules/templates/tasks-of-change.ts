/** Tasks of a new change, from the task templates of its template (behaviour: Change templates). */
import type { Json } from '../../schema/kinds/fields.js'
import { type Row, type RuleContext, type RuleItem, rule } from '../../schema/language/define-rule.js'
import { teamOf } from '../people/team-of.js'
import { approversOf, askingFor, type PeopleSettings, peopleInRoles } from '../people/template-people.js'
import { STAGES } from '../workflow/progress.js'

interface Settings {
  /** The template of the change; it is linked to its task templates by `link`. */
  readonly template: string
  readonly from: { readonly record: string; readonly link: string }
  /** The sub-records that order the task templates: the fields with the one before, and with the one after it. */
  readonly order: { readonly record: string; readonly before: string; readonly after: string }
  /** The link of a task with those that it waits for. */
  readonly before: string
  /** The reason of a completed change. */
  readonly reason: string
  /** The fields of a task. */
  readonly chosen: PeopleSettings
}

/** A task to create for the change of the context. */
interface Planned {
  readonly context: RuleContext
  readonly template: Row
  /** The task templates whose tasks it waits for. */
  readonly waitsFor: readonly Row[]
}

/**
 * A new change gets a task of each enabled task template of its template. They wait for each other in the order that the template
 * says. If it says none, tasks of the same category are side by side, and each waits for all of the category before. A change that
 * is created as completed gets no tasks. The tasks of a batch are created together.
 */
export const tasksOfTemplate = rule('tasksOfTemplate', (task: string, settings: Settings) => ({
  fields: [settings.template, settings.reason],
  begins: true,
  async writtenAll(contexts, others) {
    const created = contexts.filter(({ before, next }) => !before && !next[settings.reason])
    const planned = (await Promise.all(created.map((context) => plannedFor(context, settings)))).flat()
    const bodies = await Promise.all(planned.map((one) => bodyOf(one, settings)))
    const open = planned.flatMap((one, index) => {
      const body = bodies[index]
      return body ? [{ ...one, body }] : []
    })
    const placesIn = new Map(open.map(({ context }) => [context, new Map<Row, number>()]))
    for (const [place, { context, template }] of open.entries()) placesIn.get(context)?.set(template, place)
    const items = open.map(({ body, context, waitsFor }): RuleItem => {
      const places = waitsFor.flatMap((template) => placesIn.get(context)?.get(template) ?? [])
      return { id: null, body, ...(places.length > 0 && { linkedWith: { [settings.before]: places } }) }
    })
    await others.saveAll(task, items)
  },
}))

/** Task templates of any account: a trusted account may share them. */
async function plannedFor(context: RuleContext, { from, order, template }: Settings): Promise<readonly Planned[]> {
  const { fieldOf, findBy, linkedIds, load, next } = context
  const { column, record } = fieldOf(template)
  const [ids, pairs] = await Promise.all([
    linkedIds(record, next[column], from.link),
    findBy(order.record, 'owner_id', next[column], { owner_type: record }, { trusted: true }),
  ])
  const templates = await Promise.all(ids.map((id) => load(from.record, id)))
  const enabled = templates.flatMap((one) => (one && one['disabled'] !== true ? [one] : []))
  const waitsFor = pairs.length > 0 ? inOrder(enabled, pairs, order) : byCategory(enabled)
  const stageOf = (one: Row) => STAGES.indexOf(one['category'] as (typeof STAGES)[number])
  const sorted = enabled.toSorted((one, other) => stageOf(one) - stageOf(other))
  return sorted.map((one) => ({ context, template: one, waitsFor: waitsFor(one) }))
}

/** Each waits for all of the last category before its own that has any. */
function byCategory(templates: readonly Row[]): (one: Row) => readonly Row[] {
  const stages = STAGES.map((stage) => templates.filter((one) => one['category'] === stage))
  return (one) => {
    const own = stages.findIndex((stage) => stage.includes(one))
    return stages.slice(0, Math.max(0, own)).findLast((stage) => stage.length > 0) ?? []
  }
}

/** Each waits for those directly before it; in the place of one that is not among them, for those before that one. */
function inOrder(
  templates: readonly Row[],
  pairs: readonly Row[],
  { after, before }: Settings['order'],
): (one: Row) => readonly Row[] {
  const byId = new Map(templates.map((one) => [Number(one['id']), one]))
  const earlier = new Map<number, number[]>()
  for (const pair of pairs) {
    const id = Number(pair[`${after}_id`])
    earlier.set(id, [...(earlier.get(id) ?? []), Number(pair[`${before}_id`])])
  }
  return ({ id }) => {
    const seen = new Set<number>()
    const found: Row[] = []
    const open = [...(earlier.get(Number(id)) ?? [])]
    for (let one = open.shift(); one !== undefined; one = open.shift()) {
      if (seen.has(one)) continue
      seen.add(one)
      const template = byId.get(one)
      if (template) found.push(template)
      else open.push(...(earlier.get(one) ?? []))
    }
    return found
  }
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
