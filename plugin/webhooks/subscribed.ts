import type { Storage } from '../storage/database/connections.js'
import { whereSubscribed } from './subscribes.js'

/** Returns true if an enabled webhook of any account subscribes to one of the events. */
export type Subscribed = (events: readonly string[]) => Promise<boolean>

/** Creates the check. It is one small query, because it runs after each commit and most writes concern no webhook. */
export function createSubscribed(storage: Storage): Subscribed {
  return async (events) => {
    const found = await storage
      .knex(storage.table('webhooks'))
      .where((one) => whereSubscribed(one, events))
      .where((one) => one.where('disabled', false).orWhereNull('disabled'))
      .first('id')
    return found !== undefined
  }
}
