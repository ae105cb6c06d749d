import { networkOf } from '../../core/network-of.js'
import type { Context } from '../contract.js'

/** By what calls are counted: the login of a known caller, and the address of any other. */
export function keyOfCaller(ctx: Context): string {
  const actor = ctx.state.itsm.identity?.actor
  return actor ? `person ${actor.accountId} ${actor.id}` : keyOfAddress(ctx)
}

/** Anonymous callers with a network of their own have more addresses than could be counted, or kept in memory. */
export function keyOfAddress(ctx: Context): string {
  return `address ${networkOf(ctx.ip)}`
}
