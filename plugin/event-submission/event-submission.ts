import type { Access } from '../access/access.js'
import type { Call } from '../core/call.js'
import type { Validator } from '../schema/derive/validator.js'
import { REQUEST } from '../schema/language/built-in-types.js'
import type { EventSubmissionDeps } from './deps.js'
import type { Parameters } from './read-event.js'
import type { EventHandling } from './refuse-ignored.js'
import { callForEvent, type SubmittedEvent, submitEvent } from './submit-event.js'

/** Events of monitoring tools. */
export interface EventSubmission {
  /** The call with which an event is submitted in a transaction. @throws Invalid */
  beforeSubmit(call: Call, parameters: Parameters): Promise<Call>
  /**
   * Turns an event into a request, or finds the one that it matches.
   *
   * @param handling of parameters that have no effect; default: they are ignored
   * @throws Invalid, Forbidden
   */
  submit(call: Call, parameters: Parameters, handling?: EventHandling): Promise<SubmittedEvent>
}

/** Dependencies of event submission. */
export interface CreateEventSubmissionDeps extends Omit<EventSubmissionDeps, 'accounts' | 'callers' | 'scope' | 'validate'> {
  /** Of bodies, by record type. */
  readonly validators: ReadonlyMap<string, Validator>
  readonly access: Pick<Access, 'accounts' | 'callers' | 'scope'>
}

/** Creates event submission. Does no I/O. */
export function createEventSubmission(given: CreateEventSubmissionDeps): EventSubmission {
  const validate = given.validators.get(REQUEST)
  if (!validate) throw new Error(`Missing validator of '${REQUEST}'`)
  const deps: EventSubmissionDeps = { ...given, ...given.access, validate }
  return {
    beforeSubmit: (call, parameters) => callForEvent(deps, call, parameters),
    submit: (...asked) => submitEvent(deps, ...asked),
  }
}
