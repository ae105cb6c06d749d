/**
 * Receives webhooks, with nothing but Node. Register it with an administrator's token:
 *
 *   curl -u <token>:x -H 'Content-Type: application/json' \
 *     -d '{"event":"request.create","uri":"https://you.example/hook?secret=<secret>"}' https://desk.example/v1/webhooks
 */
import { createHash, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'

const secret = process.env['HOOK_SECRET'] ?? 'change me'
/** A delivery may come twice: after a timeout, or if the sender dies before it has recorded the response. */
const seen = new Set<string>()

const server = createServer(async (request, response) => {
  const url = new URL(request.url ?? '/', 'http://localhost')
  if (request.method !== 'POST' || !isSecret(url.searchParams.get('secret') ?? '')) return response.writeHead(403).end()

  const form = new URLSearchParams(await text(request))
  // Respond first, within ten seconds, with any 2xx. Otherwise it is sent again after 1, 2, 4 … minutes, at most ten times.
  response.writeHead(200).end()

  const key = String(request.headers['webhook-id'])
  if (seen.has(key)) return
  seen.add(key)

  // The message says what happened to which record; read the record itself if you need more.
  const address = /<([^<>]+)>; rel="resource"/.exec(String(request.headers['link']))?.[1]
  console.log(
    `${form.get('event')} ${form.get('object_id')} by ${form.get('person_name') || 'the system'}: ${address ?? 'a test'}`,
  )
})

function isSecret(given: string): boolean {
  const digest = (value: string) => createHash('sha256').update(value).digest()
  return timingSafeEqual(digest(given), digest(secret))
}

const port = Number(process.env['PORT'] ?? 4000)
server.listen(port, '127.0.0.1', () => console.log(`Listening at http://127.0.0.1:${port}/hook?secret=${secret}`))
process.once('SIGTERM', () => server.close())
