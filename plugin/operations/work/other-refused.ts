/** Refusals of records that a rule saves or removes, or a settling saves: the caller has sent neither them nor their fields. */
import type { Call } from '../../core/call.js'
import { Invalid, NotFound, type Violation } from '../../core/errors.js'
import { oneRecord } from '../../words/labels.js'
import { messageOf } from '../../words/violations.js'
import type { WordBook } from '../../words/words.js'
import type { SettleDeps } from './work-deps.js'

/** What a rule does with another record, with the code of the message if it cannot be done. */
const CODES = { save: 'other_not_saved', remove: 'other_not_removed' } as const
const ABOUT_OTHERS: readonly string[] = Object.values(CODES)

/** Refusal of a record that was saved or removed along. Rules may catch it, and refuse their own record in their own words. */
export class OtherRefused extends Invalid {
  readonly type: string
  readonly work: keyof typeof CODES
  /** The names in the body of the record. */
  readonly names: readonly string[]

  /** @param body null for a removal */
  constructor(type: string, violations: readonly Violation[], body: object | null) {
    super(violations)
    this.type = type
    this.work = body ? 'save' : 'remove'
    this.names = Object.keys(body ?? {})
  }
}

/** The error of a record that a rule or a settling saves or removes; one that is gone was removed by somebody else meanwhile. */
export function otherRefused(type: string, error: unknown, body: object | null): unknown {
  if (error instanceof NotFound) return new OtherRefused(type, [['base', 'other_gone']], body)
  return error instanceof Invalid ? new OtherRefused(type, error.violations, body) : error
}

/**
 * The refusal as the caller gets it: on the record as a whole, with the type of the other record and the reasons, in the
 * language of the caller. Logs who has saved it.
 *
 * @param by `rule mirror of task`
 */
export function toldToCaller(deps: Pick<SettleDeps, 'log' | 'words'>, call: Call, by: string, refused: OtherRefused): Invalid {
  const { names, type, violations, work } = refused
  // A rule of the other record has met the refusal of a third one, which is the one to tell.
  if (violations.every(([, code]) => ABOUT_OTHERS.includes(code))) return new Invalid(violations)
  // No values: they may be those of other people.
  const reasonCodes = violations.map(([field, code]) => `${field}: ${code}`)
  deps.log.warn({ by, type, names, reasons: reasonCodes }, `A record that a rule ${work}s was refused`)
  return aboutOther(deps.words, call, refused)
}

/** A refusal of another record as one of the record that led to it: with the type of the other one and the reasons. */
export function aboutOther(
  words: Pick<WordBook, 'sentence' | 'fieldLabel'>,
  { language }: Call,
  { type, violations, work }: Pick<OtherRefused, 'type' | 'violations' | 'work'>,
): Invalid {
  const reasons = violations.map((one) => messageOf(words, language, type, one)).join(', ')
  return new Invalid([['base', CODES[work], { record: oneRecord(language, words.fieldLabel(language, '', type)), reasons }]])
}

/** The mistake in a body with names that the type does not have; null if there is none. */
export function misspeltIn(type: string, violations: readonly Violation[]): TypeError | null {
  const unknown = violations.filter(([, code]) => code === 'unknown_field')
  if (unknown.length === 0) return null
  const names = unknown.map(([name, , params]) => `'${name}'${params?.['near'] ? `; did you mean '${params['near']}'?` : ''}`)
  return new TypeError(`it saves a ${type} with what is no field of it: ${names.join(', ')}`)
}
