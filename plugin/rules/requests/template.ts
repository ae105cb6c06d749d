/** Templates that are applied to requests (behaviour: Request templates). */
import { NOTE_OF } from '../../core/call.js'
import { isBlank } from '../../core/text/blank.js'
import type { Json } from '../../schema/kinds/fields.js'
import { type FillContext, type Row, type RuleContext, rule } from '../../schema/language/define-rule.js'
import { copyValue } from '../general/fill-from.js'
import { teamOf } from '../people/team-of.js'
import { ATTACHMENTS, attachmentsOf, copiesOf } from '../templates/copied-attachments.js'
import { actingPerson } from './by-hand.js'

/** Fields that are copied, apart from people and what has an own rule. */
const COPIED = ['subject', 'category', 'impact', 'ci', 'team', 'supplier'] as const
/** Fields with a default: copied into new requests only. */
const COPIED_AT_FIRST = ['status', 'completion_reason', 'urgent'] as const

interface NoteOfTemplate {
  readonly owner: { readonly type: string; readonly id: number }
  readonly text: Json
  readonly attachments: readonly Row[]
  /** The note of the caller that begins with the text; null if the text is to become a note of its own. */
  readonly note: Row | null
}

/**
 * When a template is set, its values are copied into empty fields; those that the body names stay. New requests get status,
 * reason and urgency as well. Without a service instance, the request gets that of the template's service, if there is only one
 * in production. A request that is to wait for a change is assigned until that change has been started. Of imports, only values
 * of the file and of the template count, not the status.
 */
export const templateApplied = rule('templateApplied', (field: string) => ({
  fields: [field, ...COPIED, ...COPIED_AT_FIRST, 'service_instance', 'desired_completion_at'],
  fills: ['subject', 'category'],
  moves: [{ when: 'the request is new, and its template has that status' }],
  async fill(context) {
    const { call, changed, fieldOf, given, load, next } = context
    const { column, record } = fieldOf(field)
    if (!changed(column)) return
    const template = await load(record, next[column])
    if (!template) return
    const copied = copiedFields(context, template).map((name) => copyValue(context, template, name))
    await Promise.all([...copied, copyService(context, template)])
    if (call.origin === 'import' || given.has('desired_completion_at') || !isBlank(next['desired_completion_at'])) return
    next['desired_completion_at'] = await desiredCompletion(context, template)
  },
  async writtenAll(contexts, { saveAll }) {
    const texts = (await Promise.all(contexts.map((context) => noteOfTemplate(context, field)))).flat()
    const [alone, joined] = [texts.filter(({ note }) => note === null), texts.filter(({ note }) => note !== null)]
    const rows = await saveAll(
      'note',
      alone.map(({ owner, text }) => ({ id: null, body: { text }, owner })),
    )
    const notes = [...alone.map((one, index) => ({ ...one, note: rows[index] ?? null })), ...joined]
    const copies = notes.flatMap(({ attachments, note }) => {
      return copiesOf(attachments, 'note', { owner: { type: 'note', id: Number(note?.['id']) }, field: 'text' })
    })
    await saveAll(ATTACHMENTS, copies)
  },
}))

/** The member of the template, or the acting person if the template says so; only people who are in the team. */
export const memberOfTemplate = rule('memberOfTemplate', (member: string, settings: { readonly template: string }) => ({
  fields: [member, settings.template, 'team'],
  async fill(context) {
    const { call, changed, fieldOf, given, linked, load, next } = context
    const [person, { column, record }, team] = [fieldOf(member).column, fieldOf(settings.template), fieldOf('team')]
    if (!changed(column) || given.has(member) || !isBlank(next[person])) return
    const template = await load(record, next[column])
    if (!template) return
    const acting = template['assign_to_self'] === true ? actingPerson(call) : null
    const candidate: Json = acting ?? template['member_id'] ?? null
    const isIn = await linked(team.record, next[team.column], 'members', candidate)
    const isDisabled = (await load('person', candidate))?.['disabled'] === true
    if (candidate === null || isDisabled) return
    if (isIn) next[person] = candidate
    if (isIn || acting === null || given.has('team')) return
    const own = await teamOf(context, acting)
    if (own === null) return
    next[person] = acting
    next[team.column] = own
  },
}))

/**
 * The text of the template stands before the public note that is sent with a new request, unless an event brings the note. For
 * the type of the notes.
 */
export const afterNoteOfTemplate = rule('afterNoteOfTemplate', (type: string) => ({
  async fill({ before, call, findBy, load, next }) {
    const isOfRecord =
      !before && call.reason === `${NOTE_OF}${type}` && next['owner_type'] === type && next['internal'] !== true
    if (!isOfRecord || call.origin === 'import' || call.origin === 'event') return
    const request = await load(type, next['owner_id'])
    // A note that comes with a later change of the request is only that of the caller.
    if (!request?.['template_id'] || request['created_at'] !== call.now) return
    // Timestamps have whole seconds: the change may come in the same one.
    const earlier = await findBy('note', 'owner_id', request['id'], { owner_type: type })
    if (earlier.length > 0) return
    const text = (await load('request_template', request['template_id']))?.['note'] ?? null
    if (!isBlank(text)) next['text'] = `${text}\n\n${next['text']}`
  },
}))

/** Fields that get their value from the template, unless the body names them. */
function copiedFields({ before, call, fieldOf, next }: FillContext, template: Row): readonly string[] {
  const empty = COPIED.filter((name) => isBlank(next[fieldOf(name).column]))
  if (before || call.origin === 'import') return empty
  // The request waits for its change once that has been started.
  return [...empty, ...COPIED_AT_FIRST.filter((name) => template[name] !== 'change_pending')]
}

/** The note of the template for a new request; empty without one, and for imports. */
async function noteOfTemplate(context: RuleContext, field: string): Promise<readonly NoteOfTemplate[]> {
  const { before, call, fieldOf, findBy, input, load, next, type } = context
  const { column, record } = fieldOf(field)
  if (before || !next[column] || call.origin === 'import') return []
  const text = (await load(record, next[column]))?.['note'] ?? null
  // The note of an event replaces that of the template.
  if (isBlank(text) || (call.origin === 'event' && !isBlank(input('note')))) return []
  const owner = { type, id: Number(next['id']) }
  const attachments = await attachmentsOf(context, record, next[column])
  if (isBlank(input('note'))) return [{ owner, text, attachments, note: null }]
  // The note of the caller got the text of the template when it was stored.
  const [note = null] = await findBy('note', 'owner_id', next['id'], { owner_type: type, internal: false })
  return note ? [{ owner, text, attachments, note }] : []
}

async function copyService({ fieldOf, findBy, given, next }: FillContext, template: Row): Promise<void> {
  const { column, record } = fieldOf('service_instance')
  if (!record || next[column] || given.has('service_instance') || !template['service_id']) return
  const instances = await findBy(record, 'service', template['service_id'], { status: 'in_production' }, { trusted: true })
  const [only, ...others] = instances
  if (only && others.length === 0) next[column] = only['id'] ?? null
}

async function desiredCompletion({ call, calendarOf }: RuleContext, template: Row): Promise<Json> {
  const minutes = template['desired_completion'] ?? null
  if (minutes === null) return null
  const zone = template['time_zone'] ?? call.account.timeZone
  return (await calendarOf(template['support_hours_id'])).in(String(zone)).instantAfter(call.now, Number(minutes))
}
