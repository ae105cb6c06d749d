/** Requesters who answer what they were asked (behaviour: Requests). */
import { isBlank } from '../../core/blank.js'
import { isOfRule, NOTE_OF } from '../../core/call.js'
import { type RuleContext, rule } from '../../schema/define-rule.js'
import type { Move } from '../../schema/moves.js'

interface AnswerSettings {
  /** The fields with the people who are asked. */
  readonly by: readonly string[]
  readonly field: string
  /** The value while they are asked … */
  readonly value: string
  /** … and after their note. */
  readonly becomes: string
}

function answerOf({ value, becomes }: AnswerSettings): Move {
  return { from: [value], to: becomes, by: 'the requester', when: 'a note of the requester answers the question' }
}

/** A note that comes with the record sets the field, unless the body has a value for it. */
export const answeredBy = rule('answeredBy', (note: string, { by, field, value, becomes }: AnswerSettings) => ({
  fields: [note, field, ...by],
  moves: [answerOf({ by, field, value, becomes })],
  fill({ before, call, fieldOf, given, input, next }) {
    if (!before || before[field] !== value || given.has(field) || isBlank(input(note))) return
    const people = by.map((name) => before[fieldOf(name).column] ?? null)
    if (call.actor && people.includes(call.actor.id)) next[field] = becomes
  },
}))

/**
 * A public note that is added to a record of the type sets the field of that record; what rules add in the name of a person is not
 * an answer, as the note of a template. For the type of the notes.
 */
export const answers = rule('answers', (type: string, { by, field, value, becomes }: AnswerSettings) => ({
  moves: [{ ...answerOf({ by, field, value, becomes }), record: type }],
  async writtenAll(contexts, { saveAll }) {
    const notes = contexts.filter(({ before, call, next }) => {
      const isPublic = !before && next['owner_type'] === type && next['internal'] !== true
      return isPublic && Boolean(next['person_id']) && call.reason !== `${NOTE_OF}${type}` && !isOfRule(call)
    })
    const isAnswer = async ({ load, next }: RuleContext) => {
      const record = await load(type, next['owner_id'])
      return record?.[field] === value && by.some((name) => record[`${name}_id`] === next['person_id'])
    }
    const found = await Promise.all(notes.map(isAnswer))
    const ids = new Set(notes.flatMap(({ next }, index) => (found[index] ? [Number(next['owner_id'])] : [])))
    const items = [...ids].map((id) => ({ id, body: { [field]: becomes } }))
    await saveAll(type, items)
  },
}))
