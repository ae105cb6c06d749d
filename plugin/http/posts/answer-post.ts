/** Responds to POSTs: to the first one, and to repeats with what was stored of its answer. */
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { Call } from '../../core/call.js'
import { Forbidden, Invalid } from '../../core/errors.js'
import type { Owner } from '../../operations/contract.js'
import { readSaved } from '../../operations/read/read-saved.js'
import type { KeptAnswer } from '../../operations/save/once.js'
import type { WithoutSignatures } from '../../schema/derive/without-signatures.js'
import { answerJson, answerShown, beginAnswer, withSecrets } from '../answers/answer.js'
import { ignoredFields } from '../answers/ignored-fields.js'
import type { Context, PostAnswer, RecordAnswer } from '../contract.js'
import type { HttpDeps } from '../deps.js'

/** Dependencies of responses to POSTs. */
export interface PostDeps extends Pick<HttpDeps, 'baseUrl' | 'callers' | 'catalog' | 'log' | 'operations'> {
  readonly withoutSignatures: WithoutSignatures
}

/** Maximum bytes of an answer that is stored, which are those of its column; longer ones are shown once. */
const MAX_KEPT = 65_535

/** The stored form of an answer; the record is stored beside it. */
interface Kept {
  readonly status?: number
  readonly accountId?: string
  readonly owner?: Owner
  readonly location?: string
  /** The header X-Ignored-Fields. */
  readonly ignored?: string
  readonly also?: readonly string[]
  readonly value?: unknown
  /** A long answer of this form, compressed: results of hundreds of records are alike. */
  readonly compressed?: string
  /** True if the answer is not stored. */
  readonly isShownOnce?: true
}

/** What is stored of an answer; null if nothing was done. */
export function keptAnswer(answer: PostAnswer): KeptAnswer | null {
  const kept = keptOf(answer)
  if (kept === null) return null
  const { type, id } = 'record' in answer ? answer.record : { type: '', id: 0 }
  return { record: type === '' ? null : { type, id }, text: textOf(kept) }
}

const SHOWN_ONCE: Kept = { isShownOnce: true }

function textOf(kept: Kept): string {
  const text = JSON.stringify(kept)
  if (Buffer.byteLength(text) <= MAX_KEPT) return text
  const short = JSON.stringify({ compressed: deflateRawSync(text).toString('base64') } satisfies Kept)
  return short.length <= MAX_KEPT ? short : JSON.stringify(SHOWN_ONCE)
}

function keptIn(text: string): Kept {
  const kept = JSON.parse(text) as Kept
  return kept.compressed === undefined ? kept : JSON.parse(inflateRawSync(Buffer.from(kept.compressed, 'base64')).toString())
}

function keptOf(answer: PostAnswer): Kept | null {
  if ('answerOnce' in answer) return SHOWN_ONCE
  if ('value' in answer) return { status: answer.status, value: answer.value }
  if (!('record' in answer)) {
    const { location, status } = answer
    return status === 304 ? null : { status, ...(location !== undefined && { location }) }
  }
  const { also, call, ignored, location, record, status } = answer
  const { owner } = record
  return {
    status,
    accountId: call.account.id,
    ignored: ignoredFields(ignored),
    ...(owner && { owner }),
    ...(location !== undefined && { location }),
    ...(also && { also }),
  }
}

/**
 * Responds with what a POST has done.
 *
 * @param call outside of the transaction of the work, in the account of its record
 */
export async function answerPost(deps: PostDeps, ctx: Context, call: Call, answer: PostAnswer): Promise<void> {
  if ('answerOnce' in answer) return answer.answerOnce(ctx, call)
  if ('record' in answer) {
    const { call: there, ignored, ...rest } = answer
    return answerRecord(deps, ctx, there.transaction ? call : there, { ...rest, ignored: ignoredFields(ignored) })
  }
  if ('value' in answer) return answerJson(ctx, answer.status, answer.value)
  answer.afterwards?.()
  answerEmpty(deps, ctx, answer.status, answer.location)
}

/**
 * Responds to a repeat: records as they are now, and as this caller sees them.
 *
 * @throws Invalid if the answer was shown only once, Forbidden if the caller lost the account of the record
 */
export async function answerRepeat(deps: PostDeps, ctx: Context, call: Call, { record, text }: KeptAnswer): Promise<void> {
  const { accountId, ignored = '', isShownOnce, owner, status = 200, value, ...rest } = keptIn(text)
  if (isShownOnce) throw new Invalid([['idempotency_key', 'shown_once']])
  if (record) {
    const there = accountId === undefined ? call : await deps.callers.callIn(call, accountId)
    if (!there) throw new Forbidden()
    await answerRecord(deps, ctx, there, { ...rest, ignored, status, record: { ...record, ...(owner && { owner }) } })
  } else if (value !== undefined) answerJson(ctx, status, value)
  else answerEmpty(deps, ctx, status, rest.location)
  ctx.set('Idempotent-Replayed', 'true')
}

interface Shown extends Pick<RecordAnswer, 'record' | 'location' | 'also' | 'shownOnce'> {
  readonly status: number
  readonly ignored: string
}

/** Responds with the full record; if the caller does not see it, with its id. */
async function answerRecord(deps: PostDeps, ctx: Context, call: Call, shown: Shown): Promise<void> {
  const { baseUrl, catalog, withoutSignatures } = deps
  const { also, ignored, location, record, shownOnce, status } = shown
  const { id, owner, type } = record
  const full = await readSaved(deps, call, type, id, owner, also)
  beginAnswer(ctx)
  if (location !== undefined) ctx.set('Location', `${baseUrl}${location}/${id}`)
  if (ignored !== '') ctx.set('X-Ignored-Fields', ignored)
  answerShown(ctx, status, withSecrets(ctx, full, shownOnce), withoutSignatures(catalog.type(type))(full))
}

function answerEmpty({ baseUrl }: PostDeps, ctx: Context, status: number, location?: string): void {
  beginAnswer(ctx)
  ctx.status = status
  if (location !== undefined) ctx.set('Location', `${baseUrl}${location}`)
}
