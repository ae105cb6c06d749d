import { pino } from 'pino'

/** What we need of a logger: pino, bunyan and winston (with its splat format) fit as they are. */
export interface Log {
  debug(details: object, message: string): void
  info(details: object, message: string): void
  warn(details: object, message: string): void
  error(details: object, message: string): void
}

/** Levels that `ITSM_LOG_LEVEL` may name. */
const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']

/** The level that the environment asks for. */
function wantedLevel(): string {
  return process.env['ITSM_LOG_LEVEL'] || 'warn'
}

/** The mistake in the level of the default logger; null when there is none. */
export function mistakeInLevel(level = wantedLevel()): string | null {
  if (LEVELS.includes(level)) return null
  return `ITSM_LOG_LEVEL: '${level}' is not a level; it must be ${LEVELS.slice(0, -1).join(', ')} or ${LEVELS.at(-1)}`
}

/** The logger used when the host supplies none: one JSON object a line on standard error, warnings and worse. */
export function defaultLog(level = wantedLevel()): Log {
  return pino({ name: 'koa-itsm', level, redact: ['password', 'api_token', '*.password', '*.api_token'] }, pino.destination(2))
}
