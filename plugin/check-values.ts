/** Checks the values of options, as far as possible without I/O and without the definitions. */
import { mistakeInNetwork } from './core/public-address.js'
import { shown } from './core/text/shown.js'
import { CALL_WITHIN } from './core/waiting/in-time.js'
import { mistakesInJobStore } from './jobs/check-store.js'
import type { PluginOptions } from './options.js'
import { mistakesInPool, mistakesInUrl } from './storage/database/check-database.js'
import { mistakesInWords } from './words/check-words.js'

/** Lists the mistakes in all values. Ignores values of a wrong kind, which `check-options.ts` reports. */
export function mistakesInValues(options: PluginOptions): string[] {
  const { database, headerPrefixes, jobs, mongo, rateLimit, secret, signIn, tablePrefix, webhooks } = options
  const mistakes = mistakesInAddress(options)
  const report = (wrong: boolean, text: string) => void (wrong && mistakes.push(text))
  report(typeof secret !== 'string' || secret.trim().length < 32, 'secret: must be a text of at least 32 characters')
  report(!hasOneOf(database, 'knex', 'url'), 'database: must have either knex or url')
  const lent: unknown = typeof database === 'object' && database !== null && 'knex' in database ? database.knex : undefined
  report(typeof lent === 'function' && !('withUserParams' in lent), 'database.knex: must be made by knex()')
  report(mongo !== undefined && !hasOneOf(mongo, 'db', 'url'), 'mongo: must have either db or url')
  report(mongo !== undefined && jobs?.backend !== undefined, 'jobs.backend: must not be set together with mongo')
  const isOtherBackend = typeof jobs?.backend === 'string' && jobs.backend !== 'memory'
  report(isOtherBackend, "jobs.backend: must be 'memory' or an AgendaBackend")
  const isPrefix = typeof tablePrefix !== 'string' || /^[a-z0-9_]{0,20}$/.test(tablePrefix)
  report(!isPrefix, 'tablePrefix: must be at most 20 lower-case letters, digits and underscores')
  for (const prefix of Array.isArray(headerPrefixes) ? headerPrefixes : []) {
    const text = `headerPrefixes: must be letters, digits and hyphens that end with a hyphen, not ${shown(prefix)}`
    report(typeof prefix !== 'string' || !/^[A-Za-z0-9-]+-$/.test(prefix), text)
  }
  report(Array.isArray(headerPrefixes) && headerPrefixes.length === 0, 'headerPrefixes: must have at least one prefix')
  const isStore = rateLimit?.store === undefined || ['memory', 'database'].includes(rateLimit.store)
  report(!isStore, "rateLimit.store: must be 'memory' or 'database'")
  const tries = signIn?.failuresPerAddress
  report(
    typeof tries === 'number' && !(Number.isSafeInteger(tries) && tries >= 1),
    'signIn.failuresPerAddress: must be a whole number, 1 or more',
  )
  // The counter never ends a burst of 0, and ends one that is longer than MAX_TIMER at once.
  report(typeof rateLimit?.burstMs === 'number' && !isTime(rateLimit.burstMs), `rateLimit.burstMs: ${A_TIME}`)
  const isNoLimit = (limit: unknown) => typeof limit === 'number' && limit >= 0 && limit < 1
  report(isNoLimit(rateLimit?.perHour), 'rateLimit.perHour: must be 1 or more, otherwise every call is refused')
  report(isNoLimit(rateLimit?.burst), 'rateLimit.burst: must be 1 or more, or false for no such limit')
  report((rateLimit?.burst as unknown) === true, 'rateLimit.burst: must be a number, or false for no such limit')
  const { byCredentials, provision, signedIn } = Object(options.people) as NonNullable<PluginOptions['people']>
  const isAsked = provision === undefined || byCredentials !== undefined || signedIn !== undefined
  report(!isAsked, 'people.provision: must be set together with signedIn or byCredentials, whose people it creates')
  const numbers = {
    'jobs.drainForMs': jobs?.drainForMs,
    'rateLimit.perHour': rateLimit?.perHour,
    'rateLimit.burst': rateLimit?.burst,
    'webhooks.timeoutMs': webhooks?.timeoutMs,
    'files.sizeLimit': options.files?.sizeLimit,
  }
  for (const [name, value] of Object.entries(numbers)) {
    if (typeof value !== 'number') continue
    const isNumber = value >= 0 && value < Number.POSITIVE_INFINITY
    report(!isNumber, `${name}: must be a finite number, 0 or greater`)
    if (!isNumber) continue
    const isTime = name.endsWith('Ms')
    report(isTime && value > MAX_TIMER, `${name}: must be at most ${MAX_TIMER} milliseconds`)
    report(!name.startsWith('rateLimit.') && !Number.isInteger(value), `${name}: must be a whole number`)
  }
  report(webhooks?.timeoutMs === 0, 'webhooks.timeoutMs: must be more than 0, otherwise every delivery times out')
  return [
    ...mistakes,
    ...mistakesInUrl(database),
    ...mistakesInPool(database),
    ...mistakesInJobStore(mongo, jobs?.backend),
    ...mistakesInJobs(options),
    ...mistakesInTimeouts(options),
    ...mistakesInWords(options.words),
    ...mistakesInWebhooks(options),
    ...mistakesInFiles(options),
    ...mistakesInOAuth(options),
    ...mistakesInLists(options),
  ]
}

function mistakesInAddress({ allowInsecure, baseUrl }: PluginOptions): string[] {
  const url = typeof baseUrl === 'string' && URL.canParse(baseUrl) ? new URL(baseUrl) : null
  if (!url || !['http:', 'https:'].includes(url.protocol)) return ["baseUrl: must be a URL like 'https://desk.example/v1'"]
  const mistakes: string[] = []
  if (!url.pathname.endsWith('/v1') || url.search || url.hash || /[?#]$/.test(baseUrl)) {
    mistakes.push("baseUrl: must end with '/v1', without a slash, a query or a fragment after it")
  }
  if (url.username || url.password) mistakes.push('baseUrl: must be without a user and password, which every link would show')
  if (!allowInsecure && url.protocol !== 'https:') mistakes.push('baseUrl: must be https, unless allowInsecure is set')
  return mistakes
}

/** Maximum milliseconds of a timer; Node.js runs longer ones at once. */
const MAX_TIMER = 2 ** 31 - 1
const A_TIME = `must be whole milliseconds, from 1 to ${MAX_TIMER}`

function isTime(value: number): boolean {
  return Number.isInteger(value) && value >= 1 && value <= MAX_TIMER
}

/** A busy process must have the time to prolong its leases; the sweep runs as often. */
const MIN_TAKE_OVER_MS = 1000

function mistakesInJobs({ jobs }: PluginOptions): string[] {
  const { takeOverAfterMs, collection } = Object(jobs) as NonNullable<PluginOptions['jobs']>
  const mistakes: string[] = []
  if (typeof takeOverAfterMs === 'number' && !(isTime(takeOverAfterMs) && takeOverAfterMs >= MIN_TAKE_OVER_MS)) {
    mistakes.push(`jobs.takeOverAfterMs: must be whole milliseconds, from ${MIN_TAKE_OVER_MS} to ${MAX_TIMER}`)
  }
  const isName = typeof collection !== 'string' || /^(?!system\.)[^$\0\s.](?:[^$\0\s]{0,118}[^$\0\s.])?$/.test(collection)
  if (!isName) mistakes.push('jobs.collection: must be a name that a MongoDB collection can have')
  return mistakes
}

function mistakesInTimeouts({ timeouts }: PluginOptions): string[] {
  const { callMs = CALL_WITHIN, hookMs = 0 } = Object(timeouts) as { readonly callMs?: number; readonly hookMs?: number }
  const isLate = typeof hookMs === 'number' && typeof callMs === 'number' && hookMs >= callMs
  const late = isLate ? ['timeouts.hookMs: must be less than timeouts.callMs, otherwise the call ends first'] : []
  const wrong = Object.entries(Object(timeouts) as Record<string, unknown>).flatMap(([name, value]) => {
    return typeof value !== 'number' || isTime(value) ? [] : [`timeouts.${name}: ${A_TIME}`]
  })
  return wrong.length > 0 ? wrong : late
}

function mistakesInWebhooks({ webhooks }: PluginOptions): string[] {
  const networks: unknown = webhooks?.allowNetworks
  const mistakes = (Array.isArray(networks) ? networks : []).flatMap((network: unknown) => {
    const mistake = mistakeInNetwork(network)
    return mistake === null ? [] : [`webhooks.allowNetworks: ${shown(network)} ${mistake}`]
  })
  const userAgent: unknown = webhooks?.userAgent
  const isHeader = typeof userAgent !== 'string' || /^[\x21-\x7e]([\x20-\x7e]{0,998}[\x21-\x7e])?$/.test(userAgent)
  return isHeader ? mistakes : [...mistakes, 'webhooks.userAgent: must be printable ASCII, without spaces at its ends']
}

function mistakesInFiles({ files }: PluginOptions): string[] {
  const { store, allowedExtensions, urlLifetimeMs } = Object(files) as NonNullable<PluginOptions['files']>
  const mistakes: string[] = []
  for (const name of ['write', 'read', 'remove'] as const) {
    if (typeof store === 'object' && typeof store?.[name] !== 'function')
      mistakes.push(`files.store.${name}: must be a function`)
  }
  for (const extension of Array.isArray(allowedExtensions) ? allowedExtensions : []) {
    const isExtension = typeof extension === 'string' && /^[^./\\\s]+$/.test(extension)
    if (!isExtension)
      mistakes.push(`files.allowedExtensions: must be extensions without the dot ('pdf'), not ${shown(extension)}`)
  }
  const isSpan = urlLifetimeMs === undefined || (Number.isSafeInteger(urlLifetimeMs) && urlLifetimeMs >= 60_000)
  if (!isSpan) mistakes.push('files.urlLifetimeMs: must be whole milliseconds, at least 60000')
  return mistakes
}

/** Bounds of the life of an access token: a minute, a day. */
const [MIN_TOKEN_LIFETIME_MS, MAX_TOKEN_LIFETIME_MS] = [60_000, 86_400_000]

function mistakesInOAuth({ oauth }: PluginOptions): string[] {
  const { tokenLifetimeMs: life } = Object(oauth) as NonNullable<PluginOptions['oauth']>
  const isWrong = typeof life === 'number' && !(isTime(life) && life >= MIN_TOKEN_LIFETIME_MS && life <= MAX_TOKEN_LIFETIME_MS)
  const bounds = `from ${MIN_TOKEN_LIFETIME_MS} to ${MAX_TOKEN_LIFETIME_MS}`
  return isWrong ? [`oauth.tokenLifetimeMs: must be whole milliseconds, ${bounds}`] : []
}

/** True when exactly one of the two is given. */
function hasOneOf(group: unknown, one: string, other: string): boolean {
  if (typeof group !== 'object' || group === null) return false
  const given = group as Record<string, unknown>
  return (given[one] === undefined) !== (given[other] === undefined)
}

/** Checks lists of functions and of definitions: a mistake would otherwise appear only at the first use. */
function mistakesInLists(options: PluginOptions): string[] {
  const mistakes: string[] = []
  for (const name of ['before', 'on'] as const) {
    const lists: unknown = options[name]
    for (const [event, list] of Object.entries(typeof lists === 'object' && lists !== null ? lists : {})) {
      const isRight = Array.isArray(list) && list.every((one) => typeof one === 'function')
      if (!isRight) mistakes.push(`${name}.${event}: must be an array of functions`)
    }
  }
  for (const [name, key, what] of LISTS) {
    const list: unknown = options[name]
    for (const [index, one] of (Array.isArray(list) ? list : []).entries()) {
      if (typeof one !== 'object' || one === null || typeof one[key] !== 'string')
        mistakes.push(`${name}[${index}]: must be ${what}`)
    }
  }
  return mistakes
}

const LISTS = [
  ['records', 'name', 'made by defineRecord()'],
  ['extend', 'extends', 'made by extendRecord()'],
  ['migrations', 'name', 'a migration with a name'],
] as const
