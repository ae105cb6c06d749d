/** Creates records by POST, at their own path, below their owner, and below the record that they must refer to. */
import type { Call } from '../../core/call.js'
import type { Owner, SaveItem } from '../../operations/contract.js'
import type { RecordType } from '../../schema/catalog.js'
import { type RecordDeps, shownWith, submit } from '../answers/record-answers.js'
import type { Context, Post } from '../contract.js'
import { type ReadShown, showsNothing } from '../requests/preconditions.js'
import { sourceKey } from '../requests/source-key.js'
import { type ManyRecords, savingMany } from './many-records.js'

/** A record that is about to be created. */
export interface NewRecord {
  readonly item: SaveItem
  /** Path of its URL. */
  readonly location: string
  /** What a GET of the collection shows, for preconditions; default: nothing. */
  readonly read?: ReadShown
}

/**
 * Creates a record. Its source and source ID make it safe to repeat without a key.
 *
 * @param many how several are created by an array
 * @param ownerOf the owner of sub-records
 */
export function creating(
  deps: RecordDeps,
  type: RecordType,
  newRecord: (ctx: Context, call: Call) => NewRecord | Promise<NewRecord>,
  many: ManyRecords,
  ownerOf: (ctx: Context) => Owner | undefined = () => undefined,
): Post {
  return {
    many: savingMany(deps, type, many),
    before: (ctx, call) => {
      const owner = ownerOf(ctx)
      return deps.operations.beforeSubmit(call, type.name, { id: null, body: ctx.state.itsm.body, ...(owner && { owner }) })
    },
    // As for the first one, an owner that the caller cannot see is an unknown path.
    again: async (ctx, call) => {
      const owner = ownerOf(ctx)
      if (owner) await deps.operations.read(call, owner.type, owner.id)
      else await newRecord(ctx, call)
    },
    implies: (ctx, call) => sourceKey(type, ctx.state.itsm.body, call),
    act: async (ctx, call) => {
      const { item, location, read = showsNothing } = await newRecord(ctx, call)
      const { owner } = item
      const { call: there, ignored, row, shownOnce } = await submit(deps, ctx, call, type, item, read)
      const [, also] = shownWith(ctx, owner)
      const record = { type: type.name, id: Number(row['id']), ...(owner && { owner }) }
      return { status: 201, call: there, record, location, ignored, ...(also && { also }), ...(shownOnce && { shownOnce }) }
    },
  }
}
