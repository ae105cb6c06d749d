/** Gives an integration an OAuth client of its own, and shows how it gets and keeps its tokens. */
import { createServer } from 'node:http'
import Koa from 'koa'
import { createPlugin } from 'koa-itsm'
import mount from 'koa-mount'

const port = Number(process.env['PORT'] ?? 3000)
const baseUrl = `http://127.0.0.1:${port}/api/v1`

const itsm = createPlugin({
  baseUrl,
  secret: 'an example has no secrets, but it needs 32 characters',
  database: { url: 'sqlite::memory:' },
  allowInsecure: true,
  oauth: {}, // off by default
})
await itsm.migrate()
await itsm.accounts.put({ id: 'acme', name: 'Acme' })

// The integration is a person of its own, with the roles that it needs: its name appears at what it does.
const system = itsm.asSystem('integration', 'acme')
const team = await system.create('team', { name: 'Operations' })
const monitoring = await system.create('person', { name: 'Monitoring', primary_email: 'monitoring@acme.example' })
const limits = { name: 'Watchtower', recordTypes: ['request'] }
const client = await itsm.oauthClients.create(Number(monitoring['id']), limits) // the secret is shown once

const host = new Koa()
host.use(mount('/api', itsm.app))
await itsm.start()
const server = createServer(host.callback())
server.listen(port, '127.0.0.1', async () => {
  const { created_by: by, subject } = await createRequest('A disk is full')
  console.log(`'${subject}' was created by ${by.name}`)
  const { client_id: id, client_secret: secret } = client
  console.log(`Try: curl ${baseUrl}/oauth/token -d grant_type=client_credentials -d client_id=${id} -d client_secret=${secret}`)
})
process.once('SIGTERM', () => void Promise.all([itsm.stop(), server.close(), server.closeAllConnections()]))

/** The program of the integration. Any OAuth library does what `accessToken` does. */
async function createRequest(subject: string): Promise<{ subject: string; created_by: { name: string } }> {
  const headers = { Authorization: `Bearer ${await accessToken()}`, 'Content-Type': 'application/json' }
  const body = JSON.stringify({ subject, category: 'other', team_id: team['id'] })
  const response = await fetch(`${baseUrl}/requests`, { method: 'POST', headers, body })
  if (!response.ok) throw new Error(await response.text())
  return (await response.json()) as { subject: string; created_by: { name: string } }
}

/** A token lasts for an hour: get one per hour, not one per call. */
async function accessToken(): Promise<string> {
  const { client_id, client_secret } = client
  const body = new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret })
  const response = await fetch(`${baseUrl}/oauth/token`, { method: 'POST', body })
  const answer = (await response.json()) as { access_token: string; error_description?: string }
  if (!response.ok) throw new Error(answer.error_description)
  return answer.access_token
}
