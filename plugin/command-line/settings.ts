/** Where the command finds the API: in options, in the environment, or in a file. */
import { existsSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { withoutEnd } from '../core/text/trim.js'
import { type Credentials, createClient } from './client.js'
import type { ApiWork, Command, Given, Options, Surroundings, Work } from './contract.js'
import { UsageError } from './errors.js'

/** The file with settings. */
const FILE = '.koa-itsm.json'

/** Options of all commands that call the API. */
const API_OPTIONS: Options = {
  url: { type: 'string', value: 'URL', about: 'base URL of the API: https://desk.example.com/v1 (or KOA_ITSM_URL)' },
  token: { type: 'string', value: 'TOKEN', about: 'token of the person who acts; KOA_ITSM_TOKEN hides it from other users' },
  account: { type: 'string', value: 'ID', about: 'account, if it is not that of the person (or KOA_ITSM_ACCOUNT)' },
  config: { type: 'string', value: 'FILE', about: `JSON file with url, token and account (default: ${FILE} here or at home)` },
}

/** Settings as they were found. */
export interface Found {
  readonly url: string
  readonly token: string | undefined
  readonly account: string | undefined
  /** The file that was read, or that is read if it exists: the one at home. */
  readonly file: string
}

/** Adds what a command needs to call the API with a token: options, and a client that Ctrl-C ends. */
export function withApi(command: Omit<Command, 'run'> & { run(work: ApiWork): ReturnType<Command['run']> }): Command {
  return {
    ...command,
    options: { ...command.options, ...API_OPTIONS },
    async run(work) {
      const found = readSettings(work.given, work.surroundings)
      return withClient(work, found, { token: tokenOf(found) }, (api) => command.run(api))
    },
  }
}

/** Adds the options alone. */
export function withApiOptions(command: Command): Command {
  return { ...command, options: { ...command.options, ...API_OPTIONS } }
}

/** Does work with a client that Ctrl-C ends. */
export function withClient<T>(
  work: Work,
  { account, url }: Found,
  credentials: Credentials,
  run: (work: ApiWork) => Promise<T>,
): Promise<T> {
  const { screen, surroundings } = work
  return surroundings.interruptible((signal) =>
    run({ ...work, client: createClient({ url, credentials, account }, signal, (text) => screen.note(text)) }),
  )
}

/** @throws UsageError if there is no token */
export function tokenOf({ token }: Found): string {
  if (token === undefined) throw missing('token')
  return token
}

/** @throws UsageError if the address is missing or wrong */
export function readSettings(given: Given, { env, folder, home }: Surroundings): Found {
  const config = given['config']
  const existing = [folder, home].map((one) => join(one, FILE)).find((path) => existsSync(path))
  const file = typeof config === 'string' ? config : (existing ?? join(home, FILE))
  // A file that is asked for must be there, unless it is yet to be written.
  const isRead = typeof config === 'string' ? given['save'] !== true || existsSync(config) : existing !== undefined
  const stored = isRead ? contentOf(file) : {}
  const setting = (name: 'url' | 'token' | 'account') => {
    return textIn(given[name] ?? env[`KOA_ITSM_${name.toUpperCase()}`] ?? stored[name])
  }
  const [url, account, token] = [setting('url'), setting('account'), setting('token')]
  if (url === undefined) throw missing('url')
  // Whoever gave this folder to the user has written the file: it does not choose where other secrets than its own go.
  const isOfFolder = config === undefined && existing === join(folder, FILE) && folder !== home
  const isOther = typeof given['user'] === 'string' || (given['token'] === undefined && token !== textIn(stored['token']))
  if (isOfFolder && url !== textIn(given['url']) && url !== textIn(env['KOA_ITSM_URL']) && isOther) {
    throw new UsageError(
      `${existing} has the url ${checkedUrl(url)}, but not your token or password, which would be sent there. ` +
        `If you trust it, add --url ${checkedUrl(url)} or --config ${FILE}`,
    )
  }
  if (account !== undefined && !/^[\x21-\x7e]{1,255}$/.test(account)) throw new UsageError('An account has an id like acme')
  return { url: checkedUrl(url), token, account, file }
}

function textIn(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined
}

/** Stores the address, a token and the account for the next commands. Only its user may read the file. @throws UsageError */
export function saveSettings({ account, file, url }: Found, token: string): void {
  const path = existsSync(file) ? realpathSync(file) : file
  const draft = `${path}.${process.pid}`
  try {
    const { account: _, ...stored } = existsSync(file) ? contentOf(file) : {}
    const settings = { ...stored, url, token, ...(account !== undefined && { account }) }
    writeFileSync(draft, `${JSON.stringify(settings, null, 2)}\n`, { mode: 0o600, flag: 'wx' })
    renameSync(draft, path)
  } catch (error) {
    rmSync(draft, { force: true })
    throw new UsageError(`${file} cannot be written: ${(error as Error).message}`)
  }
}

function missing(name: string): UsageError {
  return new UsageError(`Give the ${name}: --${name}, KOA_ITSM_${name.toUpperCase()}, or "${name}" in ${FILE}`)
}

/** Mistakes do not show the URL: it may be a token at the wrong place, or have a password. */
function checkedUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.search !== '' || url.hash !== '') {
    throw new UsageError('The url must look like https://desk.example.com/v1')
  }
  if (url.username !== '' || url.password !== '') throw new UsageError('The url must be without a user and a password')
  return withoutEnd(text, '/')
}

function contentOf(path: string): { readonly [name: string]: unknown } {
  const text = readText(path)
  try {
    return Object(JSON.parse(text.replace(/^\ufeff/, '')))
  } catch {
    // The message of the parser would show a part of the file, which has a token.
    throw new UsageError(`${path} cannot be read: it is no JSON`)
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new UsageError(`${path} cannot be read: ${(error as Error).message}`)
  }
}
