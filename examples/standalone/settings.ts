/** What the launcher is told by environment variables, and the secret that it keeps in its folder. */
import { randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { Advice } from './advice.js'

export interface Settings {
  readonly host: string
  /** 0 for any free port. */
  readonly port: number
  /** Everything that the launcher writes: the embedded database, the secret, and where it is running. */
  readonly dataDir: string
  /** Address of the database; `sqlite:` for the embedded one. */
  readonly databaseUrl: string
  /** Address of the job store; null for one in memory. */
  readonly mongoUrl: string | null
  readonly secret: string
}

/** HOST, PORT, DATA_DIR, MYSQL_URL, MONGODB_URL and ITSM_SECRET. Makes the folder. @throws Advice */
export async function readSettings(env: NodeJS.ProcessEnv): Promise<Settings> {
  const port = Number(env['PORT'] || 3000)
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new Advice(`PORT is '${env['PORT']}', not a port`, 'Try PORT=3001')
  const dataDir = dataDirOf(env)
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw new Advice(`The folder ${dataDir} cannot be made: ${(error as Error).message}`, 'Choose another one with DATA_DIR')
  }
  return {
    host: env['HOST'] || '127.0.0.1',
    port,
    dataDir,
    databaseUrl: env['MYSQL_URL'] || `sqlite:${join(dataDir, 'itsm.db')}`,
    mongoUrl: env['MONGODB_URL'] || null,
    secret: env['ITSM_SECRET'] || (await keptSecret(join(dataDir, 'secret'))),
  }
}

export function dataDirOf(env: NodeJS.ProcessEnv): string {
  return resolve(env['DATA_DIR'] || '.data')
}

/** Made once: tokens and signed addresses stay good as long as the secret does. */
async function keptSecret(path: string): Promise<string> {
  try {
    // 'wx' fails when the file is there, so two launchers cannot make two secrets.
    await writeFile(path, `${randomBytes(32).toString('hex')}\n`, { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
      throw new Advice(`${path} cannot be written: ${(error as Error).message}`, 'Choose another folder with DATA_DIR')
    }
  }
  return (await readFile(path, 'utf8')).trim()
}
