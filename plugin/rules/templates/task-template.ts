/** What a task gets from its template besides the values of fields (behaviour: Task templates). */
import { type RuleContext, type RuleItem, rule } from '../../schema/define-rule.js'
import { approversOf, type Chosen, eachOnce, namedPeople, type PeopleSettings, peopleInRoles, templateOf } from './people.js'

/**
 * A new task goes to the first of the people in the roles that its template names, unless the caller or the template names a
 * member. Several approvers of an approval task decide together, without a member.
 */
export const goesToPeopleOf = rule('goesToPeopleOf', (member: string, settings: PeopleSettings) => ({
  fields: [member, settings.template, settings.of],
  fills: [member],
  async fill(context) {
    const { before, fieldOf, given, next } = context
    if (before || given.has(member)) return
    const { column } = fieldOf(member)
    const isApproval = next['category'] === 'approval'
    if (!isApproval && next[column]) return
    const people = isApproval ? await approversOf(context, settings) : await peopleInRoles(context, settings)
    const [first, another] = people
    next[column] = isApproval && another ? null : (first?.person ?? next[column] ?? null)
  },
}))

/**
 * A new approval task gets an approval of each approver that its template names, or means by roles, unless the caller names the
 * member. A single person in a role decides as the member, without an approval.
 */
export const approvedByPeopleOf = rule(
  'approvedByPeopleOf',
  (approval: string, settings: PeopleSettings & { readonly member: string }) => ({
    fields: [settings.template, settings.of, settings.member],
    async writtenAll(contexts, others) {
      const created = contexts.filter(
        ({ before, given, next }) => !before && next['category'] === 'approval' && !given.has(settings.member),
      )
      const items = await Promise.all(
        created.map(async (context): Promise<readonly RuleItem[]> => {
          const [people, named] = await Promise.all([approversOf(context, settings), namedPeople(context, settings)])
          if (named.length === 0 && people.length < 2) return []
          return partsFor(context, settings, people)
        }),
      )
      await others.saveAll(approval, items.flat())
    },
  }),
)

/** The note of the template becomes a note of the new task, unless the caller writes one; if it says so, of its owner as well. */
export const notedByTemplate = rule(
  'notedByTemplate',
  (
    note: string,
    settings: { readonly template: string; readonly record: string; readonly copy?: string; readonly to?: string },
  ) => ({
    fields: [note, settings.template, ...(settings.to ? [settings.to] : [])],
    async writtenAll(contexts, others) {
      const created = contexts.filter(({ before, given }) => !before && !given.has(note))
      const items = await Promise.all(
        created.map(async (context): Promise<readonly RuleItem[]> => {
          const template = await templateOf(context, settings.template)
          const text = template?.[note]
          if (typeof text !== 'string' || text.trim() === '') return []
          const item = { id: null, body: { text } }
          const own = { ...item, owner: { type: context.type, id: Number(context.next['id']) } }
          if (!settings.to || !settings.copy || template?.[settings.copy] !== true) return [own]
          const { column, record } = context.fieldOf(settings.to)
          return [own, { ...item, owner: { type: record, id: Number(context.next[column]) } }]
        }),
      )
      await others.saveAll(settings.record, items.flat())
    },
  }),
)

/** A new record is linked to what its template is linked to, unless the caller sends the links. The names are the same. */
export const linkedByTemplate = rule(
  'linkedByTemplate',
  (links: { readonly [link: string]: string }, settings: { readonly template: string }) => ({
    fields: [settings.template],
    async writtenAll(contexts, others) {
      const items = await Promise.all(
        contexts.map(async ({ before, fieldOf, given, linkedIds, next }): Promise<readonly RuleItem[]> => {
          const { column, record } = fieldOf(settings.template)
          if (before || !next[column]) return []
          const wanted = Object.keys(links).filter((link) => !given.has(link))
          const ids = await Promise.all(wanted.map((link) => linkedIds(record, next[column], link)))
          const entries = wanted.flatMap((link, index) => (ids[index]?.length ? [[links[link], ids[index]] as const] : []))
          return entries.length > 0 ? [{ id: Number(next['id']), body: Object.fromEntries(entries) }] : []
        }),
      )
      const [first] = contexts
      if (first) await others.saveAll(first.type, items.flat())
    },
  }),
)

/** A new task gets an assignment of each person whom its template names, or means by roles, with the planned effort. */
export const assignedToPeopleOf = rule('assignedToPeopleOf', (assignment: string, settings: PeopleSettings) => ({
  fields: [settings.template, settings.of],
  async writtenAll(contexts, others) {
    const created = contexts.filter(({ before }) => !before)
    const items = await Promise.all(
      created.map(async (context): Promise<readonly RuleItem[]> => {
        const [named, inRoles] = await Promise.all([namedPeople(context, settings), peopleInRoles(context, settings)])
        return partsFor(context, settings, eachOnce([...named, ...inRoles]))
      }),
    )
    await others.saveAll(assignment, items.flat())
  },
}))

/** Sub-records of the new task, one for each person. */
function partsFor(
  { next, type }: Pick<RuleContext, 'next' | 'type'>,
  { named }: PeopleSettings,
  people: readonly Chosen[],
): readonly RuleItem[] {
  const owner = { type, id: Number(next['id']) }
  return people.map(({ effort, person }) => ({
    id: null,
    body: { [`${named.field}_id`]: person, planned_effort: effort },
    owner,
  }))
}
