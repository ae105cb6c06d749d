/** `npm start`: a service desk to try out. plugin/docs/guides/first-desk.md, "Run it standalone". */
import { join, relative } from 'node:path'
import { log, showMail } from './console.js'
import { forgetRunning, lockFolder, writeRunning } from './data-folder.js'
import { isLoopback, startDesk } from './desk.js'
import { readSettings, type Settings } from './settings.js'
import { explain, withoutPassword } from './startup-errors.js'
import { welcome } from './welcome.js'

try {
  await run(await readSettings(process.env))
} catch (error) {
  console.error(explain(error))
  process.exitCode = 1
}

async function run(settings: Settings): Promise<void> {
  // Before anything else, so that an interrupt does not stop the first start half-way.
  const asked = askedToStop()
  const { dataDir } = settings
  const unlock = await lockFolder(dataDir)
  const desk = await startDesk(settings, { log, sendMail: showMail })
  const [you] = desk.users
  await writeRunning(dataDir, { baseUrl: desk.baseUrl, pid: process.pid, email: you?.email, token: you?.token })

  console.log(welcome(desk, placeOf(settings)))
  if (!isLoopback(settings.host))
    console.log('  Other machines can reach this desk, without HTTPS: keep no real records in it.\n')

  await asked
  console.log('\n  Stopping …')
  await forgetRunning(dataDir)
  await desk.stop()
  unlock()
  console.log('  Stopped. Your data is kept for the next start.')
}

/** Resolves at the first signal; a second one ends the process at once. */
function askedToStop(): Promise<unknown> {
  return new Promise<unknown>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, resolve)
    // A signal to npm ends only its shell between npm and this process.
    const parent = process.ppid
    const look = () => process.ppid !== parent && resolve('npm is gone')
    if (process.env['npm_lifecycle_event']) setInterval(look, 500).unref()
  })
}

function placeOf({ databaseUrl, dataDir, mongoUrl }: Settings): string {
  const isEmbedded = databaseUrl.startsWith('sqlite:')
  const records = isEmbedded ? `${relative('.', join(dataDir, 'itsm.db'))} (embedded)` : withoutPassword(databaseUrl)
  return `${records}; jobs ${mongoUrl ? `in ${withoutPassword(mongoUrl)}` : 'in memory'}`
}
