/**
 * The yardstick: a list and a single request as one would write them by hand for this database, with koa and mysql2, and with
 * the duties of the interface: sign-in by token, rate limit with headers, ETag and 304, headers of pages. `by-hand.ts URL`.
 */
import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import Koa from 'koa'
import { createPool, type RowDataPacket } from 'mysql2/promise'
import { createSecrets } from '../../plugin/access/tokens/secrets.js'
import { answerCpu, listen } from './child.js'
import { PREFIX, REQUESTS, SECRET } from './seed.js'

const pool = createPool({ uri: process.argv[2] ?? '', connectionLimit: 10, dateStrings: true, timezone: 'Z' })
const secrets = createSecrets(SECRET)
/** Milliseconds for which a caller and a total are remembered. */
const REMEMBERED = 5000

/** References of a request: column, table, and the column that names the record. */
const REFERENCES = {
  created_by: 'people.name',
  requested_by: 'people.name',
  requested_for: 'people.name',
  organization: 'organizations.name',
  service_instance: 'service_instances.name',
  ci: 'cis.name',
  team: 'teams.name',
  member: 'people.name',
  supplier: 'organizations.name',
  template: 'request_templates.subject',
  problem: 'problems.subject',
  change: 'changes.subject',
  project: 'projects.subject',
  knowledge_article: 'knowledge_articles.subject',
  grouped_into: 'requests.subject',
}
type Reference = keyof typeof REFERENCES

const LISTED = [
  'sourceID',
  'subject',
  'category',
  'impact',
  'status',
  'next_target_at',
  'completed_at',
  'created_at',
  'updated_at',
]
const SINGLE = [
  ...[
    'source',
    ...LISTED,
    'completion_reason',
    'grouping',
    'supplier_requestID',
    'satisfaction',
    'reviewed',
    'addressed',
    'urgent',
  ],
  ...[
    'new_assignment',
    'response_target_at',
    'resolution_target_at',
    'requester_resolution_target_at',
    'desired_completion_at',
  ],
  ...['downtime_start_at', 'downtime_end_at', 'waiting_until', 'custom_data'],
]
const BOOLEANS = new Set(['reviewed', 'addressed', 'urgent', 'new_assignment'])

function select(columns: readonly string[], references: readonly Reference[]): string {
  const joins = references.map((name, index) => {
    const [table] = REFERENCES[name].split('.')
    return `LEFT JOIN ${PREFIX}${table} r${index} ON r${index}.id = t.${name}_id`
  })
  const named = references.map((name, index) => {
    const column = REFERENCES[name].split('.')[1]
    return `, r${index}.id, r${index}.${column}, r${index}.sourceID, r${index}.account_id`
  })
  return `SELECT t.id, ${columns.map((column) => `t.\`${column}\``).join(', ')}${named.join('')} FROM ${PREFIX}requests t ${joins.join(' ')}`
}

function write(row: readonly unknown[], columns: readonly string[], references: readonly Reference[]): object {
  const output: Record<string, unknown> = { id: row[0] }
  columns.forEach((column, index) => {
    const value = row[index + 1]
    if (BOOLEANS.has(column)) output[column] = value === 1
    else if (column.endsWith('_at') && value !== null) output[column] = `${String(value).replace(' ', 'T')}Z`
    else output[column] = value
  })
  references.forEach((name, index) => {
    const at = 1 + columns.length + index * 4
    const label = REFERENCES[name].endsWith('name') ? 'name' : 'subject'
    output[name] = row[at] === null ? null : { id: row[at], [label]: row[at + 1], sourceID: row[at + 2] ?? undefined }
  })
  return output
}

const LIST: readonly Reference[] = ['team', 'member']
const ALL = Object.keys(REFERENCES) as Reference[]
const page = `SELECT id FROM ${PREFIX}requests WHERE account_id = ? ORDER BY id DESC LIMIT ? OFFSET ?`
const listSql = `${select(LISTED, LIST)} JOIN (${page}) p ON p.id = t.id ORDER BY t.id DESC`
const singleSql = `${select(SINGLE, ALL)} WHERE t.id = ? AND t.account_id = ?`
const filesSql = `SELECT id, name, size FROM ${PREFIX}attachments WHERE owner_type = 'request' AND owner_id = ?`
const tokenSql = `SELECT p.id, p.account_id FROM ${PREFIX}people p JOIN ${PREFIX}credentials c ON c.person_id = p.id WHERE c.token_digest = ? AND p.disabled = 0`

const rows = async (sql: string, values: readonly (string | number)[]): Promise<RowDataPacket[][]> =>
  (await pool.execute<RowDataPacket[][]>({ sql, rowsAsArray: true }, [...values]))[0]

interface Caller {
  readonly accountId: string
  readonly until: number
  calls: number
}
const callers = new Map<string, Caller>()
let total = { count: 0, until: 0 }

const app = new Koa()
app.use(async (ctx) => {
  const token = Buffer.from(ctx.get('authorization').slice('Basic '.length), 'base64').toString().split(':')[0] ?? ''
  const digest = secrets.digest(token)
  let caller = callers.get(digest)
  if (!caller || caller.until < Date.now()) {
    const [found] = await rows(tokenSql, [digest])
    if (!found) return ctx.throw(401)
    caller = { accountId: String(found[1]), until: Date.now() + REMEMBERED, calls: caller?.calls ?? 0 }
    callers.set(digest, caller)
  }
  caller.calls += 1
  ctx.set({
    'X-RateLimit-Limit': '3600',
    'X-RateLimit-Remaining': String(Math.max(0, 3600 - caller.calls)),
    'X-RateLimit-Reset': '0',
  })
  const id = Number(ctx.path.slice('/v1/requests/'.length))
  let body: string
  if (id) {
    const [[row], files] = await Promise.all([rows(singleSql, [id, caller.accountId]), rows(filesSql, [id])])
    if (!row) return ctx.throw(404)
    body = JSON.stringify({ ...write(row, SINGLE, ALL), attachments: files })
  } else {
    if (total.until < Date.now()) {
      const [counted] = await rows(`SELECT COUNT(*) FROM ${PREFIX}requests WHERE account_id = ?`, [caller.accountId])
      total = { count: Number(counted?.[0] ?? REQUESTS), until: Date.now() + REMEMBERED }
    }
    const [number, perPage] = [Number(ctx.query['page'] ?? 1), Number(ctx.query['per_page'] ?? 25)]
    const found = await rows(listSql, [caller.accountId, perPage, (number - 1) * perPage])
    const last = Math.ceil(total.count / perPage)
    ctx.set({
      'X-Pagination-Current-Page': String(number),
      'X-Pagination-Per-Page': String(perPage),
      'X-Pagination-Total-Entries': String(total.count),
      'X-Pagination-Total-Pages': String(last),
      Link: `<${ctx.path}?page=${number + 1}&per_page=${perPage}>; rel="next", <${ctx.path}?page=${last}&per_page=${perPage}>; rel="last"`,
    })
    body = JSON.stringify(found.map((row) => write(row, LISTED, LIST)))
  }
  ctx.set('ETag', `"${createHash('sha1').update(body).digest('base64')}"`)
  ctx.type = 'application/json'
  ctx.body = body
  if (ctx.fresh) ctx.status = 304
})

const server = createServer(app.callback())
answerCpu(await listen(server), async () => {
  server.close()
  server.closeAllConnections()
  await pool.end()
})
