import type { Verb } from '../schema/language/define-record.js'
import { VERBS } from '../schema/language/define-record.js'

/** The name that receivers and hosts subscribe to: `task.status-changed` (behaviour: Events). */
export function eventName(type: string, verb: string): string {
  return `${type}.${verb}`
}

/** The record type and the verb of an event name; null for any other text. */
export function partsOfEvent(name: string): { readonly type: string; readonly verb: Verb } | null {
  const dot = name.indexOf('.')
  const verb = VERBS.find((known) => known === name.slice(dot + 1))
  return dot > 0 && verb ? { type: name.slice(0, dot), verb } : null
}
