/** Settings of the launcher, from environment variables. */
import { join, resolve } from 'node:path'
import { keptSecret, makeFolder } from './data-folder.js'
import { StartupError } from './startup-errors.js'

export interface Settings {
  readonly host: string
  /** 0 for any free port. */
  readonly port: number
  /** Folder of everything that the launcher writes: the embedded database, the secret, and its location while it runs. */
  readonly dataDir: string
  /** URL of the database; `sqlite:` for the embedded one. */
  readonly databaseUrl: string
  /** URL of the job store; null for one in memory. */
  readonly mongoUrl: string | null
  readonly secret: string
}

/** Reads HOST, PORT, DATA_DIR, MYSQL_URL, MONGODB_URL and ITSM_SECRET, and creates the folder. @throws StartupError */
export async function readSettings(env: NodeJS.ProcessEnv): Promise<Settings> {
  const port = env['PORT'] || '3000'
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535)
    throw new StartupError(`PORT must be a number from 0 to 65535, not '${port}'.`, 'PORT=3001 npm start')
  const [mysqlUrl, mongoUrl, secret] = [env['MYSQL_URL'], env['MONGODB_URL'], env['ITSM_SECRET']]
  if (mysqlUrl && !isMysqlUrl(mysqlUrl))
    throw new StartupError(
      'MYSQL_URL must look like mysql://user:password@host:3306/database.',
      'Write characters such as @ : / # % of a password as %40 %3A %2F %23 %25. Unset MYSQL_URL to use the embedded database',
    )
  if (mongoUrl && !/^mongodb(\+srv)?:\/\/./.test(mongoUrl))
    throw new StartupError(
      'MONGODB_URL must look like mongodb://host:27017/database.',
      'Correct it, or unset it to keep jobs in memory',
    )
  if (secret && secret.length < 32)
    throw new StartupError('ITSM_SECRET must have at least 32 characters.', 'Unset it to keep a secret in DATA_DIR')
  const dataDir = dataDirOf(env)
  await makeFolder(dataDir)
  return {
    host: env['HOST'] || '127.0.0.1',
    port: Number(port),
    dataDir,
    databaseUrl: mysqlUrl || `sqlite:${join(dataDir, 'itsm.db')}`,
    mongoUrl: mongoUrl || null,
    secret: secret || (await keptSecret(dataDir)),
  }
}

/** The data folder as an absolute path. */
export function dataDirOf(env: NodeJS.ProcessEnv): string {
  return resolve(env['DATA_DIR'] || '.data')
}

function isMysqlUrl(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : null
  if (!url || !['mysql:', 'mariadb:'].includes(url.protocol) || url.hostname === '') return false
  try {
    return [url.username, url.password, url.pathname].every((part) => decodeURIComponent(part) !== null)
  } catch {
    return false
  }
}
