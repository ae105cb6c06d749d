/** Runs cases against a mounted application. */
import { CaseFailed, type RequestCase, type SetTime, type Step, stepsOf } from './cases.js'
import { differencesIn } from './match.js'
import { type FindName, type Named, textWithNames, withNames } from './names.js'
import type { RecordFixture } from './read-fixtures.js'
import { type Answer, createSender, multipart } from './send.js'
import type { World } from './world.js'

/** Argument of `caseRunner`. */
export interface CaseRunnerDeps {
  /** Base URL of the API for clients; ends with `/v1`. */
  readonly baseUrl: string
  /** Base URL for the requests of the runner, if it differs; default: `baseUrl`. */
  readonly sendTo?: string
  /** The records that names in cases stand for. */
  readonly world: World
  /** Bodies for `$like`, by record type. */
  readonly records?: ReadonlyMap<string, RecordFixture>
  /**
   * Names that objects in responses may have in addition to those of a case: fields that extensions of a host add. `testDesk()`
   * knows them.
   */
  readonly tolerates?: ReadonlySet<string>
  /** Checks each request and its response; returns what is wrong with them. */
  readonly inspect?: (exchange: CaseExchange) => readonly string[]
}

/** A request as it was sent, with its response. */
export interface CaseExchange {
  /** Upper case. */
  readonly method: string
  /** The path after `/v1`, with the query. */
  readonly path: string
  /** The JSON body of the request. */
  readonly sent?: unknown
  /** The status of the response. */
  readonly status: number
  /** The headers of the response. */
  readonly headers: Answer['headers']
  /** The body of the response. */
  readonly text: string
}

/** Runs cases against a mounted app. */
export interface CaseRunner {
  /**
   * Runs a case.
   *
   * @param setTime for cases in which time passes
   * @throws CaseFailed if a response differs from the expected one
   */
  run(one: RequestCase, setTime?: SetTime): Promise<void>
  /** The body with `$like` and names replaced. @throws RangeError */
  body(given: unknown): unknown
  /** Closes the connection. */
  close(): void
}

/** Creates a runner. It needs no test framework: it throws if a case fails. */
export function caseRunner(deps: CaseRunnerDeps): CaseRunner {
  const sender = createSender()
  const records = deps.records ?? new Map<string, RecordFixture>()
  return {
    async run(one, setTime) {
      const remembered = new Map<string, Named>()
      const find: FindName = (name) => remembered.get(name) ?? deps.world.id(name)
      for (const step of stepsOf(one)) {
        if ('at' in step) {
          if (!setTime) throw new Error(`${one.name}: time passes in this case, and run() has no setTime`)
          await setTime(step.at)
          continue
        }
        const answer = await ask(deps, sender.send, step, find, records)
        const differences = [
          ...differencesOf(deps, step, answer, find, records),
          ...(deps.inspect?.(exchangeOf(step, answer, find, records)) ?? []),
        ]
        if (differences.length > 0) throw new CaseFailed(`${one.name}: ${titleOf(step)}`, differences, summaryOf(answer))
        for (const [name, path] of Object.entries(step.remember ?? {})) {
          remembered.set(name.replace(/^@/, ''), valueAt(answer, path))
        }
      }
    },
    body: (given) => withNames(likeOf(given, records), (name) => deps.world.id(name)),
    close: sender.close,
  }
}

function exchangeOf(
  { request }: Step,
  { status, headers, text }: Answer,
  find: FindName,
  records: ReadonlyMap<string, RecordFixture>,
): CaseExchange {
  const sent = request.body === undefined ? {} : { sent: withNames(likeOf(request.body, records), find) }
  const path = pathOf(request.path, find).replace(/^\/v1/, '')
  return { method: request.method ?? 'GET', path, ...sent, status, headers, text }
}

function titleOf({ request, story }: Step): string {
  return `${story ? `${story} ` : ''}${request.method ?? 'GET'} ${request.path}`
}

function summaryOf({ status, text }: Answer): string {
  return `${status} ${text.slice(0, 2_000)}`
}

function ask(
  { baseUrl, sendTo, world }: CaseRunnerDeps,
  send: ReturnType<typeof createSender>['send'],
  { as, request }: Step,
  find: FindName,
  records: ReadonlyMap<string, RecordFixture>,
): Promise<Answer> {
  const headers: Record<string, string> = { 'User-Agent': 'fixtures' }
  const credentials = credentialsOf(world, as)
  if (credentials) headers['Authorization'] = `Basic ${Buffer.from(credentials).toString('base64')}`
  for (const [name, value] of Object.entries(request.headers ?? {})) headers[name] = String(withNames(value, find))

  let body: string | Buffer | null = request.text ?? null
  if (request.form) {
    const sent = multipart(withNames(request.form, find) as Readonly<Record<string, unknown>>)
    headers['Content-Type'] ??= sent.type
    body = sent.body
  } else if (request.body !== undefined) {
    headers['Content-Type'] ??= 'application/json'
    body = JSON.stringify(withNames(likeOf(request.body, records), find))
  }
  if (body !== null) headers['Content-Length'] ??= String(Buffer.byteLength(body))
  const root = (sendTo ?? baseUrl).replace(/\/v1$/, '')
  return send(root + pathOf(request.path, find), request.method ?? 'GET', headers, body)
}

/** The path with names replaced, and with characters encoded that a request line cannot contain. */
function pathOf(path: string, find: FindName): string {
  const named = textWithNames(path, find)
  return named.replace(/[^\x21-\x7e]/g, (character) => encodeURIComponent(character))
}

function credentialsOf(world: World, as: Step['as']): string | null {
  if (as === undefined) return null
  if (typeof as === 'string') return `${world.token(as)}:x`
  const { email, password } = world.signIn(as.password)
  return `${email}:${password}`
}

function differencesOf(
  { baseUrl, tolerates = new Set() }: CaseRunnerDeps,
  { response }: Step,
  answer: Answer,
  find: FindName,
  records: ReadonlyMap<string, RecordFixture>,
): readonly string[] {
  const differences: string[] = []
  if (answer.status !== response.status) differences.push(`the status is ${answer.status}, not ${response.status}`)
  for (const [name, expected] of Object.entries(response.headers ?? {})) {
    const actual = answer.headers[name.toLowerCase()]
    const wanted = withBaseUrl(withNames(expected, find), baseUrl, find)
    differences.push(...differencesIn(wanted === null ? '@absent' : wanted, actual, false, `header ${name}`))
  }
  if (response.text !== undefined) {
    const wanted = withBaseUrl(withNames(response.text, find), baseUrl, find)
    differences.push(...differencesIn(wanted, answer.text, false, 'text'))
  }
  if (response.body !== undefined) {
    const wanted = withBaseUrl(withNames(likeOf(response.body, records), find), baseUrl, find)
    const body = parsed(answer.text)
    if (body === undefined) differences.push('the body is not JSON')
    else differences.push(...differencesIn(wanted, body, response.partial || tolerates))
  }
  return differences
}

/** `{base_url}/requests/@mail-is-slow` at any depth. */
function withBaseUrl(value: unknown, baseUrl: string, find: FindName): unknown {
  if (typeof value === 'string') {
    return value.includes('{base_url}') ? textWithNames(value, find).replaceAll('{base_url}', baseUrl) : value
  }
  if (Array.isArray(value)) return value.map((one) => withBaseUrl(one, baseUrl, find))
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withBaseUrl(one, baseUrl, find)]))
  }
  return value
}

/** A body that starts from a named one: `{ "$like": "request.minimal", "subject": "" }`. */
function likeOf(given: unknown, records: ReadonlyMap<string, RecordFixture>): unknown {
  if (typeof given !== 'object' || given === null || !('$like' in given)) return given
  const { $like, ...rest } = given
  const [type = '', name = ''] = String($like).split('.')
  const start = records.get(type)?.bodies[name]
  if (!start) throw new RangeError(`records/${type}.json has no body '${String($like)}'`)
  return { ...(likeOf(start, records) as object), ...rest }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The value at `body.id`, `headers.etag`, `body.0.name`. @throws RangeError if it is not a text or a number */
function valueAt(answer: Answer, path: string): Named {
  const start: unknown = { body: parsed(answer.text), headers: answer.headers }
  const found = path.split('.').reduce<unknown>((value, key) => Object(value)[key], start)
  if (typeof found !== 'string' && typeof found !== 'number')
    throw new RangeError(`The response has no text or number at ${path}`)
  return found
}
