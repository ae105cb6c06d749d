/** Calls that people make themselves: with their password or a session, and not with a token that may have leaked. */
import { Forbidden } from '../../core/errors.js'
import type { Context, RunRoute } from '../contract.js'

const IN_PERSON: ReadonlySet<string | undefined> = new Set(['password', 'session', 'host'])

/** Refuses callers with any kind of token. @throws Forbidden */
export function mustBeInPerson(ctx: Context): void {
  if (!IN_PERSON.has(ctx.state.itsm.identity?.signedInWith)) throw new Forbidden()
}

/** Limits a route to people themselves: callers with any kind of token are refused. */
export function inPerson(run: RunRoute['run']): RunRoute['run'] {
  return (ctx, call) => {
    mustBeInPerson(ctx)
    return run(ctx, call)
  }
}
