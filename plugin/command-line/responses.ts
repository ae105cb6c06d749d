/** Reads responses, and says what is wrong with those that are no success. */
import { CallFailed } from './errors.js'

/** What a sentence about a response needs. */
interface Context {
  readonly url: string
  /** True if the call had a token, and not a password. */
  readonly isToken: boolean
}

/** Characters of a message that are shown. */
const LONGEST = 2000

/** Returns a response that is a success. @throws CallFailed with the message of the API, and what can be done */
export async function checked(what: string, response: Response, { isToken, url }: Context): Promise<Response> {
  const { headers, status } = response
  if (response.ok) return response
  if (status >= 300 && status < 400) {
    throw new CallFailed(`${what}: ${status}, the API is elsewhere: ${headers.get('location') ?? 'unknown'}`, status)
  }
  const said = messageOf(await textOf(what, response))
  if (said === null) throw new CallFailed(`${what}: ${status}, and no JSON. ${IS_IT_THE_API(url)}`, status)
  const hint = status === 401 ? `\n${isToken ? TOKEN : PASSWORD}` : ''
  throw new CallFailed(`${what}: ${status} ${said}${hint}`, status)
}

/** The JSON of a response; null for one without content. @throws CallFailed if it is something else */
export async function jsonOf<T>(what: string, response: Response, url: string): Promise<T> {
  if (response.status === 204) return null as T
  const text = await textOf(what, response)
  try {
    return JSON.parse(text) as T
  } catch {
    throw new CallFailed(`${what}: ${response.status}, and no JSON. ${IS_IT_THE_API(url)}`, response.status)
  }
}

const IS_IT_THE_API = (url: string) => `Is ${url} the base URL of the API, as in https://desk.example.com/v1?`
const TOKEN =
  'The token is wrong, has expired or was revoked. koa-itsm token create NAME --user EMAIL --save makes one. A token in ' +
  '--token or KOA_ITSM_TOKEN comes before that of a file.'
const PASSWORD = 'The e-mail address or the password is wrong. People of several accounts need --account.'

/** The body, which a broken connection may cut. */
async function textOf(what: string, response: Response): Promise<string> {
  return response.text().catch((error: Error) => {
    throw new CallFailed(`${what}: the response ended early: ${error.message}`, null)
  })
}

/** What the API says is wrong; null if something else has answered. */
function messageOf(text: string): string | null {
  try {
    const { errors, message } = Object(JSON.parse(text)) as { readonly message?: unknown; readonly errors?: unknown }
    const reasons = Array.isArray(errors)
      ? errors.map((one) => (Array.isArray(one) ? `${one[0]}: ${one[1]}` : String(one)))
      : []
    return [message, ...reasons].filter(Boolean).join('; ').slice(0, LONGEST)
  } catch {
    return null
  }
}
