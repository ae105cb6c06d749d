/** The cases of fixtures/requests in one of the ways in which a host may mount the API. They are the contract with clients. */
import { expect } from 'chai'
import { after, afterEach, before, describe, it } from 'mocha'
import { records } from '../../plugin/records/records.js'
import {
  type CaseRunner,
  caseRunner,
  type RequestCase,
  runCases,
  type Snapshot,
  type Step,
  type TimeStep,
  type Topic,
  takeSnapshot,
} from '../../plugin/testing/index.js'
import { isAgain } from './database.js'
import { DRAWN, notShown } from './lifecycles.js'
import { fixtures, type Mounting, withMounted } from './mounted.js'
import { checkAgainst, type OpenapiDocument } from './openapi.js'
import { createReplay, type Unexplained, type Writes, watchWrites } from './replay-audit.js'
import { type NamedMove, namedMoves, names, unnamed, type Watch, watchMoves } from './status-moves.js'
import { storyClock, storyTime } from './story-time.js'

/** Maximum number of differences that a failure names. */
const MAX_NAMED = 20

/** Describes all cases; each starts from the world of the fixtures. */
export function describeRequests(mounting: Mounting): void {
  describe(`the requests of the fixtures, ${mounting}`, () => {
    const clock = storyClock()
    const mounted = withMounted(mounting, { clock })
    const isParsed = mounting === 'behind a body parser of the host'
    // The audit trail does not depend on the database: it is replayed in the mounting whose specs run on the embedded one.
    const isReplayed = mounting === 'mounted under a prefix'
    const time = storyTime(mounted, clock)
    let runner: CaseRunner | null = null
    let snapshot: Snapshot | null = null
    let watch: Watch | null = null
    let writes: Writes | null = null
    let unexplained: Unexplained | null = null

    before(async () => {
      watch = watchMoves()
      if (isReplayed) {
        writes = watchWrites(mounted.database.knex)
        unexplained = createReplay(mounted.database.storage, mounted.itsm.catalog)
      }
      // Everything here writes through one pool.
      snapshot = await takeSnapshot({ knex: mounted.database.knex, plugins: [mounted.itsm], onlyWriter: true })
      const { differences } = isAgain()
        ? { differences: () => [] }
        : checkAgainst((await mounted.ask(null, 'GET', '/openapi.json')).json as OpenapiDocument)
      runner = caseRunner({
        baseUrl: mounted.baseUrl,
        world: mounted.world,
        records: fixtures.records,
        // The document must describe every request and every response. It is the same on each database.
        inspect: (exchange) => differences(exchange).map((difference) => `OpenAPI document: ${difference}`),
      })
    })
    after(() => {
      runner?.close()
      watch?.stop()
    })

    runCases({
      // Stories take long, and do not depend on who reads the body.
      topics: isParsed
        ? oneOfEach(fixtures.topics.filter((topic) => !isStory(topic)).map(withReadableBodies))
        : fixtures.topics,
      runner() {
        if (!runner) throw new Error('The server has not been started')
        return runner
      },
      describe,
      it,
      async beforeCase() {
        clock.set(null)
        await snapshot?.restore()
        writes?.take()
      },
      setTime: time.set,
    })
    if (isParsed) return

    const wrong: string[] = []
    afterEach(async function () {
      const written = writes?.take()
      const found = written?.size ? ((await unexplained?.(written)) ?? []) : []
      wrong.push(...found.map((one) => `${this.currentTest?.title}: ${one}`))
    })

    // A block of its own runs after those of the topics.
    describe('all of them', () => {
      it('change statuses only as rules, settlings and timers say in their moves', () => {
        expect(unnamed(mounted.itsm.catalog, watch?.moved ?? [])).to.deep.equal([])
      })

      if (isReplayed) {
        it('leave nothing that the audit trail does not explain', () => {
          expect(wrong.slice(0, MAX_NAMED).join('\n')).to.equal('')
        })
      }

      it('tell a story of every move that the lifecycles show', () => {
        const moved = watch?.moved ?? []
        const inStory = (move: NamedMove) => moved.some((one) => names(move, one))
        const missing = namedMoves(mounted.itsm.catalog).filter((move) => !inStory(move))
        expect(missing.map(({ cause, move, type }) => `${type} by ${cause}: ${move.when}`)).to.deep.equal([])
        expect(DRAWN.flatMap((type) => notShown(type, moved))).to.deep.equal([])
      })
    })
  })
}

function isStory({ name }: Topic): boolean {
  return name.endsWith(' lifecycle')
}

/**
 * The cases that send a body; to others a body parser does not matter. A body that is not JSON does not get past a body parser of
 * the host, which responds in its own words.
 */
function withReadableBodies(topic: Topic): Topic {
  const isBroken = (text: string | undefined) => text !== undefined && !isJson(text)
  const isReadable = (one: RequestCase) => !stepsOf(one).some((step) => 'request' in step && isBroken(step.request.text))
  return { ...topic, cases: topic.cases.filter((one) => stepsOf(one).some(sendsBody) && isReadable(one)) }
}

function stepsOf(one: RequestCase): readonly (Step | TimeStep)[] {
  return 'steps' in one ? one.steps : [one]
}

function sendsBody(step: Step | TimeStep): boolean {
  return 'request' in step && !['GET', 'HEAD', 'DELETE'].includes(step.request.method ?? 'GET')
}

/**
 * One case of each kind of request: of each verb and content type, at each kind of path. What becomes of a body that has been read is
 * shown in the other mountings.
 */
function oneOfEach(topics: readonly Topic[]): readonly Topic[] {
  const seen = new Set<string>()
  const isNew = (one: RequestCase) => {
    const kinds = stepsOf(one).flatMap((step) => ('request' in step && sendsBody(step) ? [kindOf(step.request)] : []))
    const isFirst = kinds.some((kind) => !seen.has(kind))
    for (const kind of kinds) seen.add(kind)
    return isFirst
  }
  return topics.map((topic) => ({ ...topic, cases: topic.cases.filter(isNew) })).filter(({ cases }) => cases.length > 0)
}

const COLLECTIONS = new Set(records.map(({ path }) => path))

/** `POST body collection id collection`: the verb, how the body is sent, and the shape of the path. */
function kindOf({ headers = {}, method = 'GET', path, ...bodies }: Step['request']): string {
  const type = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? ''
  const parts = path.replace(/\?.*/, '').split('/').slice(2)
  const shape = parts.map((part) => (COLLECTIONS.has(part) ? 'collection' : /^@|^\d/.test(part) ? 'id' : part))
  return [method, ...Object.keys(bodies).sort(), type, ...shape].join(' ')
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
