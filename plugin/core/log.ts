import { loadPackage } from './load-package.js'

/**
 * Logger of the plugin: the methods `debug`, `info`, `warn` and `error` of pino, or of anything else with the same arguments.
 */
export interface Log {
  debug(details: object, message: string): void
  info(details: object, message: string): void
  warn(details: object, message: string): void
  error(details: object, message: string): void
}

/** Levels that `ITSM_LOG_LEVEL` may name. */
const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']

/** The log level in the environment. */
function wantedLevel(): string {
  return process.env['ITSM_LOG_LEVEL'] || 'warn'
}

/** Mistake in `ITSM_LOG_LEVEL`; null if there is none. */
export function mistakeInLevel(level = wantedLevel()): string | null {
  if (LEVELS.includes(level)) return null
  return `ITSM_LOG_LEVEL: '${level}' is not a level; it must be ${LEVELS.slice(0, -1).join(', ')} or ${LEVELS.at(-1)}`
}

/**
 * Default logger: one JSON object per line on standard error, for warnings and errors. Its package is loaded with the first of
 * them.
 */
export function defaultLog(level = wantedLevel()): Log {
  let made: Log | undefined
  const writer = (severity: keyof Log) => (details: object, message: string) => {
    if (LEVELS.indexOf(severity) < LEVELS.indexOf(level)) return
    made ??= openLog(level)
    made[severity](details, message)
  }
  return { debug: writer('debug'), info: writer('info'), warn: writer('warn'), error: writer('error') }
}

function openLog(level: string): Log {
  const { pino } = loadPackage('pino')
  return pino({ name: 'koa-itsm', level, redact: ['password', 'api_token', '*.password', '*.api_token'] }, pino.destination(2))
}
