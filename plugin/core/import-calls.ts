/** Calls with which imports save. */
import type { Call } from './call.js'

/** Call that saves the sub-records of an import file: with the permissions of the actor, read-only columns included. */
export function importedPartsCall(call: Call): Call {
  return { ...call, setsReadOnly: true, isWithOwner: true }
}

/** Call that saves the records that an import brings with their past. */
export function historyCall(call: Call): Call {
  return { ...call, isHistory: true, cause: `${call.cause ?? ''}, history` }
}
