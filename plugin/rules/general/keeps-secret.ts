import { rule } from '../../schema/language/define-rule.js'

/** The fields beside a secret. */
interface Beside<Flag extends string> {
  /** True while there is a secret. */
  readonly flag: Flag
  /** The secret before the last rotation. */
  readonly previous: string
  /** The end of the time in which both are used; only a rotation sets it. */
  readonly until: string
}

/**
 * Keeps what follows from a secret (behaviour: Signatures). A rotation sets the end of the time in which the secret before is used
 * as well; any other change ends its use at once.
 */
export const keepsSecret = rule(
  'keepsSecret',
  <const Flag extends string>(secret: string, { flag, previous, until }: Beside<Flag>) => ({
    fields: [secret, flag, previous, until],
    fills: [flag],
    fill({ before, changed, fail, given, next }) {
      const isRotated = given.has(until)
      if (isRotated && !before?.[secret]) fail(secret, 'blank')
      next[flag] = next[secret] !== null
      if (!changed(secret)) return
      next[previous] = isRotated ? (before?.[secret] ?? null) : null
      if (!isRotated) next[until] = null
    },
  }),
)
