import type { Knex } from 'knex'

/** Values of rows, each in the order of the columns. */
export interface Lists {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly unknown[])[]
}

/**
 * Inserts rows on a server with one placeholder for all: its driver writes a list of lists as rows. Knex would write, and the driver
 * look for, a placeholder for each value.
 *
 * @param table its whole name
 * @param merged columns that are updated instead in rows that exist
 * @returns the id of the first row; 0 if none was given one
 */
export async function insertLists(
  db: Knex,
  table: string,
  { columns, rows }: Lists,
  merged: readonly string[] = [],
): Promise<number> {
  const updates = merged.map(() => '?? = values(??)').join(', ')
  const names = merged.flatMap((column) => [column, column])
  const written = await db.raw(`insert into ?? (??) values ?${updates && ` on duplicate key update ${updates}`}`, [
    ...[table, columns as never, rows as never],
    ...names,
  ])
  const [{ insertId }] = written as [{ readonly insertId: number | string }, unknown]
  return Number(insertId)
}
