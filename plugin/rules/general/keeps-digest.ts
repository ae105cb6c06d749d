import { textDigest } from '../../core/text/digest.js'
import { rule } from '../../schema/language/define-rule.js'

/** Keeps the digest of a text, so that records with the same text are found by an index (behaviour: Event submission). */
export const keepsDigest = rule('keepsDigest', <const N extends string>(digest: N, settings: { readonly of: string }) => ({
  fields: [digest, settings.of],
  keeps: { [digest]: [settings.of] },
  fills: [digest],
  fill({ next }) {
    const text = next[settings.of]
    next[digest] = typeof text === 'string' ? textDigest(text) : null
  },
}))
