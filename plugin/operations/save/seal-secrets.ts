import type { SealTools } from '../../schema/kinds/kind.js'
import { kindOf } from '../../schema/kinds/kinds.js'
import { type Draft, refuse } from '../work/draft.js'
import type { Work } from '../work/pipeline.js'

/** Seals secrets. */
export type SealDeps = SealTools

/**
 * Makes the secrets that callers ask for, and seals these and those that they sent. From here on nothing in the transaction has a
 * secret but `shownOnce` of its draft: no rule, hook, audit line or event.
 */
export function sealSecrets({ deps, type }: Work<SealDeps>, drafts: readonly Draft[]): void {
  if (type.secrets.size === 0) return
  for (const draft of drafts) {
    if (draft.item.restored) continue
    const values = { ...draft.input.values }
    for (const [column, field] of type.secrets) {
      const [given, { secret }] = [values[column], kindOf(field)]
      if (given === undefined || given === null || !secret) continue
      const sealed = secret.seal(given, draft.before?.[column] ?? null, deps)
      // Nobody after this meets what was sent, also if it is refused.
      values[column] = 'refused' in sealed ? null : sealed.value
      if ('refused' in sealed) refuse(draft, field.name, sealed.refused, sealed.params)
      else if (sealed.shownOnce !== undefined) draft.shownOnce[field.name] = sealed.shownOnce
    }
    draft.input = { ...draft.input, values }
  }
}
