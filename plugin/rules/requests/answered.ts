/** Requesters who answer what they were asked (behaviour: Requests). */
import { isOfRule, NOTE_OF } from '../../core/call.js'
import { isBlank } from '../../core/text/blank.js'
import { cutToBytes } from '../../core/text/cut.js'
import { MAX_TEXT } from '../../schema/kinds/text.js'
import { type OtherRecords, type Row, type RuleContext, rule } from '../../schema/language/define-rule.js'
import type { Move } from '../../schema/language/moves.js'
import { copyNotes } from './note-copies.js'

interface AnswerSettings {
  /** The fields with the people who are asked. */
  readonly by: readonly string[]
  readonly field: string
  /** The value while they are asked. */
  readonly value: string
  /** The value after their note. */
  readonly becomes: string
  /** The reference to the group in which the record is worked on. */
  readonly group: string
}

function answerOf({ value, becomes }: AnswerSettings): Move {
  return { from: [value], to: becomes, by: 'the requester', when: 'a note of the requester answers the question' }
}

/**
 * A note that comes with the record sets the field, unless the body has a value for it. A group that asks is told as by
 * `answers`.
 */
export const answeredBy = rule('answeredBy', (note: string, settings: AnswerSettings) => ({
  fields: [note, settings.field, settings.group, ...settings.by],
  moves: [answerOf(settings)],
  fill(context) {
    const { field, value, becomes } = settings
    if (context.before?.[field] === value && isAnswer(context, note, settings)) context.next[field] = becomes
  },
  async writtenAll(contexts, others) {
    const within = (context: RuleContext) => context.next[context.fieldOf(settings.group).column]
    const grouped = contexts.filter(
      (context) => within(context) && !isOfRule(context.call) && isAnswer(context, note, settings),
    )
    const answers = await Promise.all(
      grouped.map(async (context): Promise<readonly Answer[]> => {
        const { call, findBy, next, type } = context
        const notes = await findBy('note', 'owner_id', next['id'], { owner_type: type, internal: false })
        const own = notes.filter(({ person_id }) => person_id === call.actor?.id).at(-1)
        return own ? [{ context, record: next as Row, note: own }] : []
      }),
    )
    const [first] = grouped
    if (first) await tellGroups(first.type, answers.flat(), settings, others)
  },
}))

/**
 * A public note that is added to a record of the type sets the field of that record; what rules add in the name of a person is not
 * an answer, as the note of a template. If its group asks, that of the group is set, which passes it on, and the group gets the
 * note: that is where the answer is waited for. For the type of the notes.
 */
export const answers = rule('answers', (type: string, settings: AnswerSettings) => ({
  moves: [{ ...answerOf(settings), record: type }],
  begins: true,
  async writtenAll(contexts, others) {
    const { becomes, by, field, value } = settings
    const notes = contexts.filter(({ before, call, next }) => {
      const isPublic = !before && next['owner_type'] === type && next['internal'] !== true
      return isPublic && Boolean(next['person_id']) && call.reason !== `${NOTE_OF}${type}` && !isOfRule(call)
    })
    const found = await Promise.all(
      notes.map(async (context): Promise<readonly Answer[]> => {
        const record = await context.load(type, context.next['owner_id'])
        const isOfRequester = record && by.some((name) => record[`${name}_id`] === context.next['person_id'])
        return isOfRequester ? [{ context, record, note: context.next as Row }] : []
      }),
    )
    const given = found.flat()
    const ids = new Set(given.flatMap(({ record }) => (record[field] === value ? [Number(record['id'])] : [])))
    await others.saveAll(
      type,
      [...ids].map((id) => ({ id, body: { [field]: becomes } })),
    )
    await tellGroups(type, given, settings, others)
  },
}))

/** A note of a requester in a record. */
interface Answer {
  readonly context: RuleContext
  readonly record: Row
  readonly note: Row
}

/** True for an update by one of the people, with a note and without a value of the field. */
function isAnswer({ before, call, fieldOf, given, input }: RuleContext, note: string, { by, field }: AnswerSettings): boolean {
  if (!before || given.has(field) || isBlank(input(note))) return false
  const people = by.map((name) => before[fieldOf(name).column] ?? null)
  return call.actor !== null && people.includes(call.actor.id)
}

/** Groups that ask get the answers to the records in them: as internal notes, because others must not read them. */
async function tellGroups(
  type: string,
  answers: readonly Answer[],
  { becomes, field, group, value }: AnswerSettings,
  others: Pick<OtherRecords, 'saveAll'>,
): Promise<void> {
  const within = answers.filter(({ record }) => record[`${group}_id`])
  // Locked: of several answers at once, the first one ends the waiting.
  const groups = await Promise.all(
    within.map(({ context, record }) => context.load(type, record[`${group}_id`], { lock: true })),
  )
  const asked = within.filter((_, index) => groups[index]?.[field] === value)
  const ids = new Set(asked.map(({ record }) => Number(record[`${group}_id`])))
  await others.saveAll(
    type,
    [...ids].map((id) => ({ id, body: { [field]: becomes } })),
  )
  const copies = asked.map(({ context, note, record }) => {
    const from = context.sentence('note_of_request', { id: Number(record['id']), subject: String(record['subject'] ?? '') })
    const text = cutToBytes(`${from}\n\n${note['text']}`, MAX_TEXT)
    return { note, owner: { type, id: Number(record[`${group}_id`]) }, text, internal: true, isOfRecord: true } as const
  })
  await copyNotes(copies, asked[0]?.context, others)
}
