/** Finds the desk for the demo: the one that `npm start` runs, or one of its own. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Mail } from 'koa-itsm'
import { createClient } from './client.js'
import { log } from './console.js'
import { readRunning } from './data-folder.js'
import { startDesk } from './desk.js'
import { dim, print } from './screen.js'
import { dataDirOf, readSettings } from './settings.js'

export interface DemoTarget {
  readonly baseUrl: string
  readonly token: string
  /** True if the demo started the desk and will stop it. */
  readonly isOwn: boolean
  /** Mails that the demo's own desk would have sent. */
  readonly mails: readonly string[]
}

/** @param undo receives the functions that stop and remove the demo's own desk */
export async function findTarget(undo: (() => Promise<unknown>)[]): Promise<DemoTarget> {
  const running = await findRunning()
  if (running) {
    print('Using your running desk.')
    return { ...running, isOwn: false, mails: [] }
  }
  print('No desk is running. Starting one for this demo, on an empty embedded database.')
  if (process.env['MYSQL_URL']) print(dim('To run the demo on MYSQL_URL, run `npm start` in another terminal first.'))
  const dataDir = await mkdtemp(join(tmpdir(), 'itsm-demo-'))
  undo.push(() => rm(dataDir, { recursive: true, force: true }))
  const settings = await readSettings({ DATA_DIR: dataDir, PORT: '0' })
  const mails: string[] = []
  const sendMail = async ({ to, subject }: Mail) => void mails.push(`"${subject}" to ${to.join(', ')}`)
  const desk = await startDesk(settings, { log: { ...log, warn() {} }, sendMail })
  undo.push(desk.stop)
  return { baseUrl: desk.baseUrl, token: desk.users[0]?.token ?? '', isOwn: true, mails }
}

/** The desk whose URL is recorded in DATA_DIR, if it responds to its user. */
async function findRunning(): Promise<{ readonly baseUrl: string; readonly token: string } | null> {
  try {
    const { baseUrl, token, email } = (await readRunning(dataDirOf(process.env))) ?? {}
    if (!baseUrl || !token) return null
    const me = await createClient(baseUrl, token, AbortSignal.timeout(5_000))('GET', '/me')
    return me['primary_email'] === email ? { baseUrl, token } : null
  } catch {
    return null
  }
}
