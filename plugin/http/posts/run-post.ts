/** Runs POSTs, each once for its Idempotency-Key (behaviour: Repeated requests). */
import type { Call } from '../../core/call.js'
import { Invalid } from '../../core/errors.js'
import { digestOf } from '../../core/text/digest.js'
import type { Repeatable } from '../../operations/save/once.js'
import type { Context, Post, PostAnswer, Received } from '../contract.js'
import type { HttpDeps } from '../deps.js'
import { answerPost, answerRepeat, keptAnswer, type PostDeps } from './answer-post.js'

interface Deps extends PostDeps, Pick<HttpDeps, 'once'> {}

/** Visible ASCII characters. */
const KEY = /^[\x21-\x7e]{1,255}$/
/** Parameters that do not change what a request does. */
const WITHOUT_EFFECT = new Set(['api_token', '_'])

/** Runs a POST and responds. Without a key, and without texts that imply one, nothing is stored or looked up. */
export async function runPost(deps: Deps, ctx: Context, call: Call, post: Post): Promise<void> {
  post.check?.(ctx)
  const key = post.ignoresKey ? null : keyIn(ctx)
  if ('receive' in post) {
    return post.receive(ctx, call, async ({ by, digest, isOutside }, work) => {
      if (key === null) return answerPost(deps, ctx, call, await work(call))
      const fingerprint = digestOf(queryOf(ctx), await digest())
      await respondOnce(deps, ctx, call, post, { ...keyed(ctx, by, key), fingerprint, ...(isOutside && { isOutside }) }, work)
    })
  }
  const by = callerOf(call)
  const implied = key === null ? (post.implies?.(ctx, call) ?? null) : null
  if (by === null || (key === null && implied === null)) return answerPost(deps, ctx, call, await post.act(ctx, call))
  const fingerprint = digestOf(queryOf(ctx), ctx.state.itsm.body)
  const of = { ...(implied ? keyed(ctx, by, implied) : keyed(ctx, by, key ?? '')), fingerprint }
  const there = (await post.before?.(ctx, call)) ?? call
  await respondOnce(deps, ctx, there, post, of, (inside) => post.act(ctx, inside))
}

async function respondOnce(
  deps: Deps,
  ctx: Context,
  call: Call,
  post: Post,
  of: Repeatable,
  work: (call: Call) => Promise<PostAnswer>,
): Promise<void> {
  const done = await deps.once(call, of, async (inside) => {
    const result = await work(inside)
    return { result, kept: keptAnswer(result) }
  })
  if ('result' in done) return answerPost(deps, ctx, call, done.result)
  await post.again?.(ctx, call)
  await answerRepeat(deps, ctx, call, done.repeats)
}

/** The key of the request; null without one. @throws Invalid */
function keyIn(ctx: Context): string | null {
  const { 'idempotency-key': key } = ctx.req.headers
  if (key === undefined) return null
  if (typeof key !== 'string' || !KEY.test(key)) throw new Invalid([['idempotency_key', 'invalid_key']])
  return key
}

function callerOf({ account, actor }: Call): Received['by'] | null {
  return actor && { accountId: account.id, personId: actor.id }
}

/** Keys of other paths, and keys that are implied, never meet this one. */
function keyed(ctx: Context, by: Received['by'], key: string | readonly string[]) {
  const { segments } = ctx.state.itsm
  return { ...by, digest: digestOf(segments, key), isImplied: typeof key !== 'string' }
}

function queryOf(ctx: Context) {
  return ctx.state.itsm.parameters.filter(([name]) => !WITHOUT_EFFECT.has(name))
}
