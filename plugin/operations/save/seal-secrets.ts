import type { Seal } from '../../core/seal.js'
import { newSigningSecret } from '../../schema/kinds/values/signing-secret.js'
import type { Draft } from '../work/draft.js'
import type { Work } from '../work/pipeline.js'

/** Seals secrets. */
export interface SealDeps {
  readonly fieldSeal: Seal
  readonly randomBytes: (count: number) => Buffer
}

/**
 * Makes the secrets that callers ask for, and seals these and those that they sent. From here on nothing in the transaction has a
 * secret but `shownOnce` of its draft: no rule, hook, audit line or event.
 */
export function sealSecrets({ deps, type }: Work<SealDeps>, drafts: readonly Draft[]): void {
  if (type.secrets.size === 0) return
  for (const draft of drafts) {
    if (draft.item.restored) continue
    const values = { ...draft.input.values }
    for (const [column, { name }] of type.secrets) {
      const given = values[column]
      if (given !== true && typeof given !== 'string') continue
      const secret = given === true ? newSigningSecret(deps.randomBytes) : given
      if (given === true) draft.shownOnce[name] = secret
      values[column] = deps.fieldSeal.seal(secret)
    }
    draft.input = { ...draft.input, values }
  }
}
