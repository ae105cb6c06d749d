import { pino } from 'pino'

/** What we need of a logger: pino, bunyan and winston (with its splat format) fit as they are. */
export interface Log {
  debug(details: object, message: string): void
  info(details: object, message: string): void
  warn(details: object, message: string): void
  error(details: object, message: string): void
}

/** The logger used when the host supplies none: one JSON object a line on standard error, warnings and worse. */
export function defaultLog(level = process.env['ITSM_LOG_LEVEL'] ?? 'warn'): Log {
  return pino({ name: 'koa-itsm', level, redact: ['password', 'api_token', '*.password', '*.api_token'] }, pino.destination(2))
}
