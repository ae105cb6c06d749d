/** What a task gets from its template besides the values of fields (behaviour: Task templates). */
import { isBlank } from '../../core/text/blank.js'
import { type Row, type RuleContext, type RuleItem, rule } from '../../schema/language/define-rule.js'
import {
  approversOf,
  eachOnce,
  namedPeople,
  type PeopleSettings,
  partsFor,
  peopleInRoles,
  templateOf,
} from '../people/template-people.js'
import { ATTACHMENTS, attachmentsOf, copiesOf } from './copied-attachments.js'

/**
 * A new task goes to the first of the people in the roles that its template names, unless the caller or the template names a
 * member. Several approvers of an approval task decide together, without a member.
 */
export const goesToPeopleOf = rule('goesToPeopleOf', <const N extends string>(member: N, settings: PeopleSettings) => ({
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
    begins: true,
    async writtenAll(contexts, others) {
      const created = contexts.filter(
        ({ before, given, next }) => !before && next['category'] === 'approval' && !given.has(settings.member),
      )
      const items = await Promise.all(
        created.map(async (context): Promise<readonly RuleItem[]> => {
          const [people, named] = await Promise.all([approversOf(context, settings), namedPeople(context, settings)])
          if (named.length === 0 && people.length < 2) return []
          return partsFor(ownerOf(context), settings.named.field, people)
        }),
      )
      await others.saveAll(approval, items.flat())
    },
  }),
)

interface TextSettings {
  readonly template: string
  /** The record type of notes. */
  readonly record: string
  /** The field of the template that says whether its note is added to the owner as well, and the field with the owner. */
  readonly copy?: string
  readonly to?: string
  /** Other texts that are copied from the template, by another rule. */
  readonly texts?: readonly string[]
}

/**
 * The note of the template becomes a note of the new record, unless the caller writes one; if the template says so, of the owner
 * of the record as well. The attachments of the note, and of the other texts that the caller omits, come with them.
 */
export const textsOfTemplate = rule('textsOfTemplate', (note: string, settings: TextSettings) => ({
  fields: [note, settings.template, ...(settings.to ? [settings.to] : []), ...(settings.texts ?? [])],
  begins: true,
  async writtenAll(contexts, others) {
    const created = contexts.filter(({ before }) => !before)
    const copied = await Promise.all(created.map((context) => copiedTexts(context, note, settings)))
    const notes = copied.flatMap((one) => one.notes)
    const rows = await others.saveAll(
      settings.record,
      notes.map(({ item }) => item),
    )
    const ofNotes = notes.flatMap(({ attachments }, index) =>
      copiesOf(attachments, note, { owner: { type: settings.record, id: Number(rows[index]?.['id']) }, field: 'text' }),
    )
    await others.saveAll(ATTACHMENTS, [...copied.flatMap((one) => one.attachments), ...ofNotes])
  },
}))

interface CopiedTexts {
  /** Notes to create, with the attachments of the template. */
  readonly notes: readonly { readonly item: RuleItem; readonly attachments: readonly Row[] }[]
  /** Attachments of the new record. */
  readonly attachments: readonly RuleItem[]
}

async function copiedTexts(context: RuleContext, note: string, settings: TextSettings): Promise<CopiedTexts> {
  const { fieldOf, given, next } = context
  const { column, record } = fieldOf(settings.template)
  const [template, attachments] = await Promise.all([
    templateOf(context, settings.template),
    attachmentsOf(context, record, next[column]),
  ])
  const owner = ownerOf(context)
  const texts = (settings.texts ?? []).filter((text) => !given.has(text))
  const ofTexts = texts.flatMap((text) => copiesOf(attachments, text, { owner, field: text }))
  const text = template?.[note] ?? null
  if (given.has(note) || isBlank(text)) return { notes: [], attachments: ofTexts }
  const owners = [owner]
  if (settings.to && settings.copy && template?.[settings.copy] === true) {
    const to = fieldOf(settings.to)
    owners.push({ type: to.record, id: Number(next[to.column]) })
  }
  const notes = owners.map((one) => ({ item: { id: null, body: { text }, owner: one }, attachments }))
  return { notes, attachments: ofTexts }
}

/** A new record is linked to what its template is linked to, unless the caller sends the links. The names are the same. */
export const linkedByTemplate = rule(
  'linkedByTemplate',
  (links: { readonly [link: string]: string }, settings: { readonly template: string }) => ({
    fields: [settings.template],
    begins: true,
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
  begins: true,
  async writtenAll(contexts, others) {
    const created = contexts.filter(({ before }) => !before)
    const items = await Promise.all(
      created.map(async (context): Promise<readonly RuleItem[]> => {
        const [named, inRoles] = await Promise.all([namedPeople(context, settings), peopleInRoles(context, settings)])
        return partsFor(ownerOf(context), settings.named.field, eachOnce([...named, ...inRoles]))
      }),
    )
    await others.saveAll(assignment, items.flat())
  },
}))

function ownerOf({ next, type }: Pick<RuleContext, 'next' | 'type'>) {
  return { type, id: Number(next['id']) }
}
