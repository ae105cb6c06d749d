import { Invalid } from '../../core/errors.js'
import type { Middleware } from '../contract.js'

/** Maximum length of the header. A longer one is not parsed, because no real client sends it. */
const MAX_HEADER_LENGTH = 1_000
/** Parameters that any request may have: credentials, and those that bypass caches. */
const ANYWHERE = new Set(['api_token', '_'])
/** Maximum number of parameters in a response, and of characters of each name. */
const MAX_NAMES = 20
const MAX_NAME_LENGTH = 100

/**
 * Honors `Prefer: handling=strict` (RFC 7240), and confirms it with `Preference-Applied`. Query parameters without effect are
 * 422. Lists check their own; the pipeline checks the names in bodies.
 */
export function prefer(): Middleware {
  return (ctx, next) => {
    const { method, parameters, route } = ctx.state.itsm
    if (route?.parameters === undefined || !prefersStrict(ctx.get('Prefer'))) return next()
    ctx.state.itsm.handling = 'strict'
    ctx.set('Preference-Applied', 'handling=strict')
    const known = route.parameters
    if (known !== 'list') {
      const isKnown = (name: string) => known.has(name) || ANYWHERE.has(name) || (name === 'callback' && method === 'GET')
      refuse(parameters.map(([name]) => name).filter((name) => !isKnown(name)))
    }
    return next()
  }
}

/** True if the first preference for the handling is strict. */
export function prefersStrict(header: string): boolean {
  if (header === '' || header.length > MAX_HEADER_LENGTH) return false
  // Commas within quotation marks do not separate.
  for (const preference of header.match(/(?:[^,"]|"(?:[^"\\]|\\.)*")+/g) ?? []) {
    const [name = '', value = ''] = (preference.split(';', 1)[0] ?? '').split('=').map((text) => text.trim().toLowerCase())
    if (name === 'handling') return value === 'strict' || value === '"strict"'
  }
  return false
}

function refuse(names: readonly string[]): void {
  if (names.length === 0) return
  const shown = [...new Set(names)].slice(0, MAX_NAMES).map((name) => name.slice(0, MAX_NAME_LENGTH))
  throw new Invalid(shown.map((name) => [name, 'unknown_parameter']))
}
