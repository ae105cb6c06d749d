/** Refusals of other records that a cell lists or names: they are about the column of that cell. */
import { Invalid, labelledField } from '../../core/errors.js'

/**
 * Returns the refusal as one of the field or link that a column fills, with the same sentences. Other errors are returned as
 * they are.
 */
export function aboutColumn({ name }: { readonly name: string }, error: unknown): unknown {
  if (!(error instanceof Invalid)) return error
  return new Invalid(
    error.violations.map((one) => {
      const [, code, params] = one
      return [name, code, { ...params, calledAs: labelledField(one) || 'base' }]
    }),
  )
}
