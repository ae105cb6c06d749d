/** Finds out whether a database writes more than its statements say. */
import type { Storage } from '../storage/database/connections.js'

/** True if tables with the prefix have triggers, or keys that change rows when others are removed. Only hosts add some. */
export async function hasHiddenWrites({ knex, dialect, prefix }: Storage): Promise<boolean> {
  const ours = (column: string) => `substr(${column}, 1, ${prefix.length}) = ?`
  const asked = await knex.raw(
    dialect === 'mysql'
      ? `select 1 as found from information_schema.triggers where trigger_schema = database() and ${ours('event_object_table')}
         union all select 1 from information_schema.referential_constraints where constraint_schema = database()
         and (delete_rule in ('CASCADE', 'SET NULL') or update_rule in ('CASCADE', 'SET NULL')) and ${ours('table_name')}`
      : `select 1 as found from sqlite_master where type = 'trigger' and ${ours('tbl_name')}
         union all select 1 from sqlite_master m join pragma_foreign_key_list(m.name) k
         where m.type = 'table' and (k.on_delete in ('CASCADE', 'SET NULL') or k.on_update in ('CASCADE', 'SET NULL'))
         and ${ours('m.name')}`,
    [prefix, prefix],
  )
  return (dialect === 'mysql' ? asked[0] : asked).length > 0
}
