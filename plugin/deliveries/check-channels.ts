import { shown } from '../core/text/shown.js'
import { SUBSCRIPTION } from '../schema/language/built-in-types.js'
import { MAIL } from '../storage/queues/mail-queue.js'

/** Channels of the plugin itself. */
const OURS = [SUBSCRIPTION, 'listener', MAIL]
const FUNCTIONS = ['targets', 'render', 'send'] as const
const NAME = /^[a-z][a-z0-9-]{0,31}$/

/** Returns mistakes in the channels of the host, as far as they show without the definitions. */
export function mistakesInChannels(channels: unknown, path: string): readonly string[] {
  const names = new Set<unknown>(OURS)
  return (Array.isArray(channels) ? channels : []).flatMap((channel: unknown, index) => {
    const given = Object(channel) as Readonly<Record<string, unknown>>
    const { attempts, events, lane, name, timeoutMs, waits } = given
    const place = `${path}[${index}]`
    if (typeof name !== 'string') return []
    const mistakes = FUNCTIONS.filter((one) => typeof given[one] !== 'function').map(
      (one) => `${place}.${one}: must be a function`,
    )
    if (!NAME.test(name))
      mistakes.push(`${place}.name: must be at most 32 lower-case letters, digits and hyphens, not ${shown(name)}`)
    else if (names.has(name)) mistakes.push(`${place}.name: must be a name that no other channel has, not ${shown(name)}`)
    names.add(name)
    if (lane !== undefined && typeof lane !== 'function') mistakes.push(`${place}.lane: must be a function`)
    if (events !== undefined && !isListOf(events, (one) => typeof one === 'string'))
      mistakes.push(`${place}.events: must be a list of names of events`)
    if (timeoutMs !== undefined && !isCount(timeoutMs))
      mistakes.push(`${place}.timeoutMs: must be whole milliseconds, 1 or more`)
    if (attempts !== undefined && !isCount(attempts)) mistakes.push(`${place}.attempts: must be a whole number, 1 or more`)
    if (waits !== undefined && !(isListOf(waits, isCount) && waits.length > 0))
      mistakes.push(`${place}.waits: must be a list of whole milliseconds, 1 or more`)
    return mistakes
  })
}

function isListOf(value: unknown, test: (one: unknown) => boolean): value is readonly unknown[] {
  return Array.isArray(value) && value.every(test)
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 1 && Number(value) < 2 ** 31
}
