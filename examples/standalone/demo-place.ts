/** Where the demo takes place: on the desk that `npm start` runs, or on one of its own. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Mail } from 'koa-itsm'
import { createClient } from './client.js'
import { log } from './console.js'
import { readRunning } from './data-folder.js'
import { startDesk } from './desk.js'
import { dim, say } from './screen.js'
import { dataDirOf, readSettings } from './settings.js'

export interface Place {
  readonly baseUrl: string
  readonly token: string
  /** True when the desk is ours and ends with the demo. */
  readonly isOwn: boolean
  /** Mails that our own desk would have sent. */
  readonly mails: readonly string[]
}

/** @param undo gets what ends and removes a desk of our own */
export async function findPlace(undo: (() => Promise<unknown>)[]): Promise<Place> {
  const running = await findRunning()
  if (running) {
    say('Your desk is running, so it takes place there.')
    return { ...running, isOwn: false, mails: [] }
  }
  say('No desk is running, so this demo starts one of its own, on an empty embedded database.')
  if (process.env['MYSQL_URL']) say(dim('To see it on MYSQL_URL, let `npm start` run in another terminal.'))
  const dataDir = await mkdtemp(join(tmpdir(), 'itsm-demo-'))
  undo.push(() => rm(dataDir, { recursive: true, force: true }))
  const settings = await readSettings({ DATA_DIR: dataDir, PORT: '0' })
  const mails: string[] = []
  const sendMail = async ({ to, subject }: Mail) => void mails.push(`"${subject}" to ${to.join(', ')}`)
  const desk = await startDesk(settings, { log: { ...log, warn() {} }, sendMail })
  undo.push(desk.stop)
  return { baseUrl: desk.baseUrl, token: desk.players[0]?.token ?? '', isOwn: true, mails }
}

/** The desk that left its address in DATA_DIR, when it answers to its user. */
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
