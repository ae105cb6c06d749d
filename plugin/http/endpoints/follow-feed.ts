import type { Call } from '../../core/call.js'
import { Gone } from '../../core/errors.js'
import type { Feed, FeedPage, FeedParameters } from '../../feed/feed.js'
import { schemaNamed } from '../../schema/kinds/json-schema.js'
import { answerJson, beginAnswer, setHeaders } from '../answers/answer.js'
import type { Context, Endpoint } from '../contract.js'
import type { HttpDeps } from '../deps.js'
import { authenticate, type CallerDeps } from '../middleware/identify-caller.js'
import { openCall } from '../middleware/open-call.js'

interface FeedDeps extends CallerDeps, Pick<HttpDeps, 'callers'> {
  readonly feed: Feed
}

/** `GET /feed`: messages in sequence, for clients that fetch what deliveries would bring them (behaviour: Feed). */
export function feed(deps: FeedDeps): readonly Endpoint[] {
  const { feed, baseUrl } = deps
  const identify = authenticate(deps)
  const open = openCall(deps)
  return [
    {
      method: 'GET',
      path: '/feed',
      forFeed: true,
      description: {
        operation: 'read_feed',
        summary: 'Follow what happens',
        description: 'Of records that the caller sees now. For account administrators, and tokens with the scope feed.',
        parameters: [
          { name: 'after', description: FROM, schema: { type: 'integer', minimum: 0 } },
          { name: 'types', description: 'Record types, with commas between.' },
          { name: 'per_page', schema: { type: 'integer', minimum: 1, maximum: 500, default: 100 } },
          { name: 'wait', description: 'Seconds to wait for a message.', schema: { type: 'integer', minimum: 0, maximum: 30 } },
        ],
        answers: {
          200: { description: 'Messages in sequence; Link has the next URL.', schema: FEED, isUnpaged: true },
          410: {
            description: 'What follows is not kept any more, or there are no such numbers; Link has the URL to go on.',
            schema: GONE,
          },
        },
      },
      async run(ctx, call) {
        const asked = feed.read(call, ctx.state.itsm.parameters)
        const first = await pageOf(call, asked)
        const page = isWaiting(first, asked) ? await waitFor(ctx, call, asked, first) : first
        beginAnswer(ctx)
        setHeaders(ctx, { Link: `<${addressOf(asked, page.next)}>; rel="next"` })
        answerJson(ctx, 200, page.messages)
      },
    },
  ]

  /** @throws Gone with the URL from which to go on */
  async function pageOf(call: Call, asked: FeedParameters): Promise<FeedPage> {
    const page = await feed.page(call, asked)
    if ('oldest' in page) throw new Gone(page.oldest, addressOf(asked, page.oldest - 1), page.newest)
    return page
  }

  /**
   * Waits for a message that the caller sees. Credentials and roles are read again after each wait: they may have ended. Ends with
   * an empty page when the time is over, the client is gone, or the process stops.
   */
  async function waitFor(ctx: Context, first: Call, asked: FeedParameters, empty: FeedPage): Promise<FeedPage> {
    const place = feed.enter(first)
    const gone = new AbortController()
    const leave = () => gone.abort()
    ctx.res.once('close', leave)
    const end = performance.now() + asked.wait * 1000
    let page = empty
    try {
      while (isWaiting(page, asked)) {
        const { next } = page
        const arrived = await ctx.state.itsm.untimed(() => place.arrival(next, end - performance.now(), gone.signal))
        if (!arrived) break
        await identify(ctx, nothing)
        await open(ctx, nothing)
        page = await pageOf(ctx.state.itsm.call ?? first, { ...asked, after: next })
      }
      return page
    } finally {
      ctx.res.off('close', leave)
      place.leave()
    }
  }

  /** The URL of the messages after a number, with the other parameters as they were. */
  function addressOf({ perPage, types, wait }: FeedParameters, after: number): string {
    const chosen = types ? `&types=${types.map(encodeURIComponent).join('%2C')}` : ''
    return `${baseUrl}/feed?after=${after}${chosen}&per_page=${perPage}${wait > 0 ? `&wait=${wait}` : ''}`
  }
}

function isWaiting(page: FeedPage, { wait }: FeedParameters): boolean {
  return wait > 0 && page.messages.length === 0 && page.isEnd
}

const nothing = async () => {}

const FROM = 'Only higher numbers; 0 for all that are kept, nothing for what happens from now on.'
const MESSAGE = {
  title: 'FeedMessage',
  type: 'object',
  properties: {
    sequence: { type: 'integer' },
    event: { type: 'string', maxLength: 128 },
    type: { type: 'string', maxLength: 64 },
    object_id: { type: 'integer' },
    at: { type: 'string', format: 'date-time' },
    person_id: { type: ['integer', 'null'] },
    person_name: { type: ['string', 'null'], maxLength: 255 },
    payload: schemaNamed('json_object'),
    changes: schemaNamed('json_object'),
    cause: { type: 'string', maxLength: 255 },
  },
  required: ['sequence', 'event', 'type', 'object_id', 'at'],
  additionalProperties: false,
}
const FEED = { title: 'Feed', type: 'array', items: MESSAGE }
const GONE = {
  title: 'FeedGone',
  type: 'object',
  properties: { message: { type: 'string' }, oldest: { type: 'integer', description: 'Number of the oldest message.' } },
  required: ['message', 'oldest'],
  additionalProperties: false,
}
