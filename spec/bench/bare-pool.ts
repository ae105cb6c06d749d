/**
 * What deliveries are compared with: a pool of undici that posts bodies of their size, with as many headers, and does nothing else.
 * `bare-pool.ts ORIGIN`; each number that the parent sends is so many posts.
 */
import { Pool } from 'undici'
import { answerCpu } from './child.js'

const CONNECTIONS = 32
const BODY = new URLSearchParams({
  webhook_id: '1',
  account: 'http://127.0.0.1:54321/acme',
  name: 'request.update',
  event: 'request.update',
  object_id: '12345',
  person_id: '',
  person_name: '',
  'payload[status]': 'assigned',
  'payload[team][id]': '12',
  'payload[team][name]': 'Team 12',
  'payload[team][account][id]': 'acme',
  'payload[team][account][name]': 'Acme',
}).toString()
const HEADERS = {
  'user-agent': 'koa-itsm (bench)',
  'content-type': 'application/x-www-form-urlencoded; charset=utf-8',
  link: '<http://127.0.0.1:54321/acme/requests/12345>; rel="canonical", <http://127.0.0.1:54321/v1/requests/12345>; rel="resource"',
  'webhook-id': 'msg_d12345',
  'webhook-timestamp': '1795000000',
}

const pool = new Pool(process.argv[2] ?? '', { connections: CONNECTIONS })

process.on('message', async (count) => {
  if (typeof count !== 'number') return
  let left = count
  const work = async () => {
    while (left-- > 0) await post()
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, work))
  process.send?.({})
})
answerCpu(0, () => pool.destroy())

/** The cheapest way to post. */
function post(): Promise<void> {
  return new Promise((resolve, reject) => {
    pool.dispatch(
      { path: '/bare', method: 'POST', headers: HEADERS, body: BODY },
      {
        onRequestStart() {},
        onResponseStart() {},
        onResponseData() {},
        onResponseEnd: () => resolve(),
        onResponseError: (_controller, error) => reject(error),
      },
    )
  })
}
