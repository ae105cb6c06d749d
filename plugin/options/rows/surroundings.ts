/** Options about what surrounds the plugin: time, log and languages. */
import { type Clock, systemClock } from '../../core/clock.js'
import { defaultLog, type Log, mistakeInLevel } from '../../core/log.js'
import { mistakesInWords } from '../../words/check-words.js'
import type { ExtraWords } from '../../words/words.js'
import { withMethods } from '../checks.js'
import { typed } from '../kinds.js'
import type { Check } from '../option.js'

export const SURROUNDINGS = {
  /** `{ now() }`. Default: the system's. */
  clock: typed<Clock>('object', { default: systemClock, check: withMethods('now') }),
  /**
   * `{ debug, info, warn, error }` as in pino. The default writes warnings and errors to standard error; `ITSM_LOG_LEVEL`
   * (`trace`, `debug`, `info`, `warn`, `error`, `fatal`, `silent`) changes that. Default: pino.
   */
  log: typed<Log>('object', { default: () => defaultLog(), check: mistakesInLog }),
  /**
   * Labels and messages for more languages, fields and values, in addition to English, Dutch, German and French; also messages
   * for your own codes, and mails. Names of fields, enumerations and values that no record type has, and names in braces that
   * have no value, are mistakes. Default: none.
   */
  words: typed<ExtraWords>('group', { check: mistakesInWords }),
}

const METHODS = withMethods('debug', 'info', 'warn', 'error')

function mistakesInLog(...[log, ...place]: Parameters<Check>): readonly string[] {
  const level = log === undefined ? mistakeInLevel() : null
  return level === null ? METHODS(log, ...place) : [level]
}
