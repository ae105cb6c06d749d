import type { Knex } from 'knex'
import type { Call } from '../../core/call.js'
import { cut } from '../../core/text/cut.js'
import type { Json } from '../../schema/kinds/fields.js'
import type { Storage } from '../../storage/database/connections.js'

/** Lengths of the columns. */
const [MAX_SOURCE, MAX_CAUSE] = [30, 255]

/** Adds a line to the audit trail of the record whose deliveries somebody sends again, in the transaction that does so. */
export async function addLine(
  db: Knex,
  storage: Storage,
  call: Call,
  owner: { readonly type: string; readonly id: number },
  changes: { readonly [name: string]: Json },
): Promise<void> {
  await db(storage.table('audit_lines')).insert({
    account_id: call.account.id,
    owner_type: owner.type,
    owner_id: owner.id,
    action: 'update',
    created_at: call.now.slice(0, 19).replace('T', ' '),
    created_by_id: call.actor?.id ?? null,
    origin: call.origin,
    source: cut(call.source, MAX_SOURCE),
    cause: call.cause && cut(call.cause, MAX_CAUSE),
    changes: JSON.stringify(changes),
  })
}
