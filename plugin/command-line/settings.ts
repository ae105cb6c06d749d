/** Where the command finds the API: in options, in the environment, or in a file. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { withoutEnd } from '../core/text/trim.js'
import type { Settings } from './client.js'
import { type Given, type Option, type Surroundings, UsageError } from './contract.js'

/** The file with settings. */
const FILE = '.koa-itsm.json'

/** Options of all commands. */
export const SHARED_OPTIONS: { readonly [name: string]: Option } = {
  url: { type: 'string', value: 'URL', about: 'base URL of the API: https://desk.example.com/v1' },
  token: { type: 'string', value: 'TOKEN', about: 'API token of the person who acts' },
  account: { type: 'string', value: 'ID', about: 'account, if it is not that of the person' },
  config: { type: 'string', value: 'FILE', about: `JSON file with url, token and account (default: ${FILE} here or at home)` },
  json: { type: 'boolean', about: 'one JSON object on each line, for programs' },
  help: { type: 'boolean', short: 'h', about: 'this help' },
}

/** @throws UsageError if the address or the token is missing */
export function readSettings(given: Given, { env, folders }: Surroundings): Settings {
  const file = fileSettings(given['config'], folders)
  const setting = (name: 'url' | 'token' | 'account') => {
    const value = given[name] ?? env[`KOA_ITSM_${name.toUpperCase()}`] ?? file[name]
    return typeof value === 'string' && value !== '' ? value : undefined
  }
  const [url, token] = [setting('url'), setting('token')]
  if (url === undefined || token === undefined) {
    const missing = url === undefined ? 'url' : 'token'
    throw new UsageError(`Give the ${missing}: --${missing}, KOA_ITSM_${missing.toUpperCase()}, or "${missing}" in ${FILE}`)
  }
  if (!URL.canParse(url)) throw new UsageError(`This is no URL: ${url}`)
  return { url: withoutEnd(url, '/'), token, account: setting('account') }
}

function fileSettings(given: Given[string], folders: readonly string[]): { readonly [name: string]: unknown } {
  const path = typeof given === 'string' ? given : folders.map((folder) => join(folder, FILE)).find((one) => existsSync(one))
  if (path === undefined) return {}
  try {
    return Object(JSON.parse(readFileSync(path, 'utf8')))
  } catch (error) {
    throw new UsageError(`${path} cannot be read: ${(error as Error).message}`)
  }
}
