/** Reads and saves records for routes, and responds with them. */
import type { Call } from '../../core/call.js'
import type { ListRequest, Owner, Saved, SaveItem } from '../../operations/contract.js'
import { readSaved } from '../../operations/read/read-saved.js'
import type { RecordType } from '../../schema/catalog.js'
import { listWithoutSignatures, type WithoutSignatures } from '../../schema/derive/without-signatures.js'
import { type Context, parameterOf } from '../contract.js'
import type { RouteDeps } from '../deps.js'
import { preconditionOf, type ReadShown, readWhole } from '../requests/preconditions.js'
import { answerPage, answerShown, beginAnswer, withSecrets } from './answer.js'
import { ignoredFields } from './ignored-fields.js'
import { withStorageUpload } from './storage-upload.js'

/** Dependencies of the routes of records. */
export interface RecordDeps
  extends Pick<RouteDeps, 'operations' | 'counting' | 'catalog' | 'baseUrl' | 'callMs' | 'log' | 'uploadForm' | 'words'> {
  readonly withoutSignatures: WithoutSignatures
}

/** Responds with a page of a collection. */
export async function answerList(
  { operations, baseUrl, withoutSignatures }: RecordDeps,
  ctx: Context,
  call: Call,
  type: RecordType,
  request: Omit<ListRequest, 'parameters'>,
): Promise<void> {
  const { handling, parameters } = ctx.state.itsm
  const asked = handling === 'strict' ? { parameters, handling, ...request } : { parameters, ...request }
  const page = await operations.list(call, type.name, asked)
  answerPage(ctx, baseUrl, page, listWithoutSignatures(page.items, withoutSignatures(type)))
}

/** A record, with the form for its files if the caller asks for it. */
export async function answerRecord(deps: RecordDeps, ctx: Context, call: Call, type: RecordType, id: number, owner?: Owner) {
  const record = await deps.operations.read(call, type.name, id, ...shownWith(ctx, owner))
  answerShown(ctx, 200, withStorageUpload(deps, ctx, call, type, record), deps.withoutSignatures(type)(record))
}

/** Reads a record as a GET of the same URL shows it. */
export function readOne(deps: RecordDeps, ctx: Context, type: RecordType, id: number, owner?: Owner): ReadShown {
  return async (inside) =>
    deps.withoutSignatures(type)(await deps.operations.read(inside, type.name, id, ...shownWith(ctx, owner)))
}

/** Reads a collection as a GET of the same URL shows it. */
export function readAll(deps: RecordDeps, ctx: Context, type: RecordType, within: Pick<ListRequest, 'within'>): ReadShown {
  return readWhole(ctx, deps.operations, type.name, within, (items) =>
    listWithoutSignatures(items, deps.withoutSignatures(type)),
  )
}

/** Saves with the client's preferences and preconditions. */
export function submit(
  deps: RecordDeps,
  ctx: Context,
  call: Call,
  type: RecordType,
  item: SaveItem,
  read: ReadShown,
): Promise<Saved> {
  const precondition = preconditionOf(ctx, call, read)
  const asked = { ...item, handling: ctx.state.itsm.handling, ...(precondition && { precondition }) }
  return deps.operations.submit(call, type.name, asked)
}

/** The owner of a record, and the names in the parameter `fields`: some fields appear in full records only if requested. */
export function shownWith(ctx: Context, owner?: Owner): [owner?: Owner | undefined, also?: readonly string[]] {
  const fields = parameterOf(ctx, 'fields')
  if (fields !== undefined) return [owner, fields.split(',').map((name) => name.trim())]
  return owner ? [owner] : []
}

/** Responds with the full record after a change, and with the ignored names. */
export async function answerSaved(
  deps: RecordDeps,
  ctx: Context,
  type: RecordType,
  { call, row, ignored, shownOnce }: Saved,
  owner?: Owner,
): Promise<void> {
  const id = Number(row['id'])
  const record = await readSaved(deps, call, type.name, id, ...shownWith(ctx, owner))
  beginAnswer(ctx)
  if (ignored.length > 0) ctx.set('X-Ignored-Fields', ignoredFields(ignored))
  answerShown(ctx, 200, withSecrets(ctx, record, shownOnce), deps.withoutSignatures(type)(record))
}
