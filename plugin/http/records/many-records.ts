/** Saves the records of a body that is an array, at the paths where one is created or changed (ADR 0057). */
import { mayUse } from '../../access/sight/decide.js'
import type { Call } from '../../core/call.js'
import { Forbidden, Invalid, ItsmError, NotFound } from '../../core/errors.js'
import { digitsOf } from '../../core/sent-number.js'
import { isBlank } from '../../core/text/blank.js'
import { digestOf } from '../../core/text/digest.js'
import type { SaveItem, SaveOutcome, Submitting } from '../../operations/contract.js'
import type { RecordType } from '../../schema/catalog.js'
import { readId, readText } from '../../schema/kinds/values/read-values.js'
import { answerJson, beginAnswer, neverStored } from '../answers/answer.js'
import type { RecordDeps } from '../answers/record-answers.js'
import { resultOf } from '../answers/record-results.js'
import type { Context, Receiving, Work } from '../contract.js'
import { preconditionOf, refuseTags, showsNothing } from '../requests/preconditions.js'
import { hasSource } from '../requests/source-key.js'

type Body = Readonly<Record<string, unknown>>

/** A body of the array: what is to be saved, or the error that it would get alone. */
type Asked = Omit<Submitting, 'call'> | ItsmError

/** The bodies of an array at a path. */
export interface ManyRecords {
  readonly asked: (body: Body, ctx: Context, call: Call) => Asked
  /** Path of the URLs of the records. */
  readonly location: (ctx: Context) => string
  /** Refuses a path that does not exist for the caller. */
  readonly check?: (ctx: Context, call: Call) => Promise<unknown>
  /** The call for all of the records; default: each may have one of its own. */
  readonly callBelow?: (ctx: Context, call: Call) => Promise<Call>
}

/** The records of an array: saved together, each on its own, and answered with a result for each, in their order. */
export function savingMany(deps: RecordDeps, type: RecordType, many: ManyRecords): Receiving {
  const { operations } = deps
  return {
    again: async (_ctx, call) => {
      if (!mayUse(call, type)) throw new Forbidden()
    },
    receive: async (ctx, call, respond) => {
      const { bodies, handling, method } = ctx.state.itsm
      if (!bodies || !call.actor) throw new NotFound()
      refuseTags(ctx)
      await many.check?.(ctx, call)
      const below = await many.callBelow?.(ctx, call)
      const precondition = preconditionOf(ctx, call, showsNothing)
      const all = bodies.map((body) => (body instanceof ItsmError ? body : many.asked(body, ctx, call)))
      const sound = all.flatMap((one) => (one instanceof ItsmError ? [] : [one]))
      const items = sound.map(({ item }): SaveItem => ({ ...item, handling, ...(precondition && { precondition }) }))
      const places = below ? items.map(() => below) : await operations.placesOf(call, type.name, items)
      const isOver = halfOf(deps.callMs)
      const by = { accountId: call.account.id, personId: call.actor.id }
      await respond({ by, digest: async () => digestOf(method, bodies) }, async (inside) => {
        const submitted: Submitting[] = []
        for (const [index, place] of places.entries()) {
          const [item, pair] = [items[index], sound[index]?.pair]
          if (item && !(place instanceof ItsmError)) submitted.push({ item, call: place, ...(pair && { pair }) })
        }
        const outcomes = (await operations.submitEach(inside, type.name, submitted, isOver)).values()
        const ofSound = places.map((place) => (place instanceof ItsmError ? place : next(outcomes))).values()
        const ofAll = all.map((one) => (one instanceof ItsmError ? one : next(ofSound)))
        const value = ofAll.map((one) => resultOf(deps, call, type.name, many.location(ctx), one))
        if (!outcomesHaveSecrets(ofAll)) return { status: 200, value }
        // A stored answer would keep the secrets.
        return {
          answerOnce: async (shown) => {
            beginAnswer(shown)
            neverStored(shown)
            answerJson(shown, 200, value)
          },
        }
      })
    },
  }
}

function outcomesHaveSecrets(outcomes: readonly (SaveOutcome | ItsmError)[]): boolean {
  return outcomes.some((one) => 'shownOnce' in one)
}

/** Changes records by an array; any other body is refused like the unknown verb that it is. */
export function changingMany(deps: RecordDeps, type: RecordType): Work {
  const refuse = () => {
    throw new NotFound()
  }
  const many = savingMany(deps, type, {
    asked: (body, _ctx, call) => askedChange(type, body, call),
    location: () => `/${type.path}`,
  })
  return { check: refuse, act: refuse, many }
}

/** The record that a body means: by its id, else by its source and source ID (behaviour: Arrays of records). */
function askedChange(type: RecordType, body: Body, call: Call): Asked {
  const { id, ...rest } = body
  if (!isBlank(id)) {
    const read = typeof digitsOf(id) === 'object' ? null : readId(id)
    return read === null ? new NotFound() : { item: { id: read, body: rest } }
  }
  const { source, sourceID, ...others } = rest
  if (!hasSource(type) || isBlank(sourceID)) return new Invalid([['id', 'names_no_record']])
  const pair = [isBlank(source) ? call.source : source, sourceID].map((one) => readText(one))
  const [first, second] = pair
  if (typeof first !== 'string' || typeof second !== 'string') return new NotFound()
  return { item: { id: null, body: others }, pair: [first.trim(), second.trim()] }
}

/** A function that is true when half of the time of a call has passed: what is saved by then can still be committed. */
function halfOf(callMs: number): () => boolean {
  const end = performance.now() + callMs / 2
  return () => performance.now() > end
}

function next(outcomes: Iterator<SaveOutcome | ItsmError>): SaveOutcome | ItsmError {
  const { done, value } = outcomes.next()
  if (done) throw new Error('There are fewer outcomes than records')
  return value
}
