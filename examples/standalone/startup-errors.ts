/** Failures at the first start of a server, and their remedies. */

/** A failure with a known cause: what happened, and what to do about it. */
export class StartupError extends Error {
  readonly hint: string

  constructor(message: string, hint: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'StartupError'
    this.hint = hint
  }
}

/** The parts of errors that distinguish causes. */
export interface Failure {
  readonly name?: string
  readonly code?: string
  readonly message?: string
  readonly cause?: unknown
}

/** Message and hint for a person, or the whole error if its cause is unknown. */
export function explain(error: unknown): string {
  const startupError = startupErrorFor(error)
  if (startupError) return `\n  ${startupError.message.replaceAll('\n', '\n  ')}\n  → ${startupError.hint}\n`
  return `\n  An unexpected error occurred:\n\n${error instanceof Error ? error.stack : String(error)}\n`
}

/** Examines an error, then its causes. */
function startupErrorFor(error: unknown): StartupError | null {
  if (error instanceof StartupError) return error
  const { cause, code, message = '', name = '' } = Object(error) as Failure
  if (message.includes('job store') || /^Mongo\w*Error$/.test(name))
    return new StartupError(message, 'Correct MONGODB_URL or start that server. Unset MONGODB_URL to keep jobs in memory')
  if (message.includes('libsql')) return new StartupError(message, 'Or set MYSQL_URL to use a server')
  if (code?.startsWith('SQLITE_'))
    return new StartupError(
      `The embedded database cannot be used: ${message} (${code}).`,
      'Choose another folder with DATA_DIR',
    )
  if (code?.startsWith('ER_') && /DENIED/.test(code))
    return new StartupError(`The database refused: ${message}`, 'Give the user of MYSQL_URL all rights on that database')
  if (name === 'InvalidOptions' || name === 'InvalidSetup')
    return new StartupError(
      message,
      'Check the environment variables; plugin/docs/guides/first-desk.md, "Run it standalone" lists them',
    )
  return cause === undefined ? null : startupErrorFor(cause)
}

/** Explains why a server cannot listen at an address. */
export function listeningError(error: unknown, { host, port }: { readonly host: string; readonly port: number }): StartupError {
  const { code, message } = Object(error) as Failure
  if (code === 'EADDRINUSE')
    return new StartupError(`Port ${port} is in use by another program.`, `PORT=${port < 65_535 ? port + 1 : 3000} npm start`)
  if (code === 'EACCES') return new StartupError(`Port ${port} is reserved for the system.`, 'PORT=3000 npm start')
  const hint = 'Unset HOST to listen on 127.0.0.1, or set HOST=0.0.0.0 to listen on all network interfaces'
  if (code === 'EADDRNOTAVAIL' || code === 'EAFNOSUPPORT' || code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return new StartupError(`HOST must be an address of this machine, not '${host}' (${code}).`, hint)
  return new StartupError(`Cannot listen at ${host}, port ${port}: ${message}`, hint)
}

/** A URL without its password, for messages. */
export function withoutPassword(url: string): string {
  const colon = url.indexOf(':', url.indexOf('//') + 2)
  const end = url.lastIndexOf('@')
  return colon < 0 || colon > end ? url : `${url.slice(0, colon)}:…${url.slice(end)}`
}
