/** Reads the options of `as` and `asSystem`: the host's program may be plain JavaScript. */
import { accountNamed } from '../../access/sign-in/host-people.js'
import { suggestion } from '../../core/text/nearest.js'
import { shown } from '../../core/text/shown.js'

/** Options of acting, as a person or as the system. */
export interface ActingOptions {
  /**
   * True to refuse what would otherwise be ignored: read-only fields, and fields that the person may not set. The functions in
   * `strict` do so anyway. Default: false.
   */
  readonly strict?: boolean
}

/** Options of acting as a person. */
export interface PersonOptions extends ActingOptions {
  /** The account to act in; default: that of the person. It also selects one of several people with the same address. */
  readonly account?: string
}

/**
 * Checks the options.
 *
 * @param place the function, for messages
 * @param names the options that it has
 * @throws TypeError for unknown options, and for values of a wrong kind
 */
export function actingOptions(place: string, names: readonly string[], given: unknown = {}): PersonOptions {
  if (typeof given !== 'object' || given === null)
    throw new TypeError(`${place}: the options must be { ${names.join(', ')} } or absent, not ${shown(given)}`)
  const { account, strict } = given as { readonly account?: unknown; readonly strict?: unknown }
  const other = Object.keys(given).find((name) => !names.includes(name))
  if (other !== undefined) throw new TypeError(`${place}: there is no option '${other}'${suggestion(other, names)}`)
  if (strict !== undefined && typeof strict !== 'boolean')
    throw new TypeError(`${place}: strict must be true or false, not ${shown(strict)}`)
  return {
    ...(account === undefined ? {} : { account: accountNamed(place, account) }),
    ...(strict === undefined ? {} : { strict }),
  }
}
