/**
 * A client: uploads a file, waits for the end of the import, and prints the rows that could not be imported.
 *
 *   ITSM_URL=http://127.0.0.1:3000/v1 ITSM_TOKEN=… npx tsx examples/csv-import/main.ts people people.csv
 *
 * Types: sites, organizations, people, organizations_contact_details, people_contact_details, teams, and those of the host's
 * own record types. Import them in this order, because rows refer only to existing records. The caller needs the role account
 * administrator.
 */
import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const { ITSM_URL: url = 'http://127.0.0.1:3000/v1', ITSM_TOKEN: token } = process.env
const [type = '', path = ''] = process.argv.slice(2)
if (!token || !path) throw new Error('Usage: ITSM_URL=… ITSM_TOKEN=… main.ts <type> <file>')

const form = new FormData()
form.set('type', type)
form.set('file', new Blob([await readFile(path)]), basename(path))
const { token: job } = await call('POST', '/import', form)

let progress = await call('GET', `/import/${job}`)
while (progress.state === 'queued' || progress.state === 'processing') {
  await sleep(1000) // once a minute is enough for large files; the response remains for five minutes after the end
  progress = await call('GET', `/import/${job}`)
}

// `done` even if rows were refused; `error` if the file could not be read to its end.
const { state, message, results, logfile } = progress
console.log(`${state}${message ? `: ${message}` : ''}`, results)
if (results && results.failures + results.errors > 0 && logfile) {
  const log = await (await fetch(logfile)).text() // the URL itself is the permission
  for (const line of log.split('\n')) if (/ (ERROR|FATAL) /.test(line)) console.log(line)
  process.exitCode = 1
}

interface Answer {
  readonly token?: string
  readonly state?: string
  readonly message?: string
  readonly results?: { readonly created: number; readonly updated: number; readonly failures: number; readonly errors: number }
  readonly logfile?: string
}

async function call(method: string, path: string, body?: FormData): Promise<Answer> {
  const headers = { Authorization: `Bearer ${token}` }
  const response = await fetch(url + path, body ? { method, headers, body } : { method, headers })
  const answer = await response.json()
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(answer)}`)
  return answer as Answer
}
