/** Things that go wrong when a server is started for the first time, and what helps. */

/** A failure whose cause is known: what happened, and what to do about it. */
export class Advice extends Error {
  readonly hint: string

  constructor(message: string, hint: string) {
    super(message)
    this.name = 'Advice'
    this.hint = hint
  }
}

/** Two lines for a person, or the whole error when it is none that we know. */
export function explain(error: unknown, env: NodeJS.ProcessEnv): string {
  const advice = error instanceof Advice ? error : adviceFor(error, env)
  if (advice) return `\n  ${advice.message.replaceAll('\n', '\n  ')}\n  → ${advice.hint}\n`
  return `\n  Something unexpected happened:\n\n${error instanceof Error ? error.stack : String(error)}\n`
}

function adviceFor(error: unknown, env: NodeJS.ProcessEnv): Advice | null {
  const { code, syscall, message = '', name } = Object(error) as { [key in 'code' | 'syscall' | 'message' | 'name']?: string }
  const [host, port] = [env['HOST'] || '127.0.0.1', env['PORT'] || '3000']
  if (syscall === 'listen' || syscall === 'getaddrinfo') {
    if (code === 'EADDRINUSE')
      return new Advice(`Port ${port} is in use, perhaps by a desk that runs already.`, `PORT=${Number(port) + 1} npm start`)
    if (code === 'EACCES') return new Advice(`Port ${port} is reserved for the system.`, 'PORT=3000 npm start')
    return new Advice(
      `This machine has no address ${host} (${code}).`,
      'Leave HOST away, or set HOST=0.0.0.0 for all addresses',
    )
  }
  if (message.includes('job store') || name === 'MongoParseError')
    return new Advice(message, 'Is MONGODB_URL right, and the server running? Without it, jobs wait in memory')
  if (message.includes('libsql')) return new Advice(message, 'Or set MYSQL_URL to use a server')
  if (code?.startsWith('SQLITE_'))
    return new Advice(`The database in DATA_DIR cannot be used: ${message}`, 'Choose another folder with DATA_DIR')
  if (['ECONNREFUSED', 'ENOTFOUND', 'ETIMEDOUT', 'EHOSTUNREACH', 'EAI_AGAIN'].includes(code ?? '')) {
    return new Advice(
      `No MySQL server answers at ${withoutPassword(env['MYSQL_URL'])} (${code}).`,
      'Start it, or leave MYSQL_URL away to use the embedded database',
    )
  }
  if (['ER_ACCESS_DENIED_ERROR', 'ER_DBACCESS_DENIED_ERROR'].includes(code ?? '')) {
    return new Advice(
      `${withoutPassword(env['MYSQL_URL'])}: ${message}`,
      'Check user and password; the user needs all rights on that database',
    )
  }
  if (name === 'InvalidOptions' || name === 'InvalidSetup')
    return new Advice(message, 'Check the environment variables; README, "Run it standalone" lists them')
  return null
}

/** An address as it may be shown. */
export function withoutPassword(url = ''): string {
  return url.replace(/:[^:@/]*@/, ':…@')
}
