/**
 * Metrics for Prometheus, at /metrics beside the API:
 *
 *   npx tsx -C koa-itsm-source examples/metrics/main.ts
 *   curl http://127.0.0.1:3000/metrics
 *
 * Labels have few values: routes are patterns, and no label has an id, a person or an account.
 */
import Koa from 'koa'
import { createPlugin, type Observe } from 'koa-itsm'
import { Counter, Gauge, Histogram, register } from 'prom-client'

const port = Number(process.env['PORT'] ?? 3000)

const requests = new Histogram({
  name: 'itsm_request_seconds',
  help: 'Responses of the API',
  labelNames: ['method', 'route', 'status'],
  buckets: [0.005, 0.025, 0.1, 0.5, 2, 10],
})
const records = new Counter({ name: 'itsm_records', help: 'Records saved', labelNames: ['type', 'outcome'] })
/** Added up here, as there are thousands of statements a second; Prometheus reads the sums now and then. */
const seconds = { answered: 0, failed: 0 }
new Counter({
  name: 'itsm_statement_seconds',
  help: 'Time of the database',
  labelNames: ['outcome'],
  collect() {
    this.reset()
    for (const [outcome, sum] of Object.entries(seconds)) this.inc({ outcome }, sum)
  },
})
const jobs = new Counter({ name: 'itsm_jobs', help: 'Jobs that have ended', labelNames: ['name', 'failed'] })
const attempts = new Counter({ name: 'itsm_delivery_attempts', help: 'Attempts to deliver', labelNames: ['channel', 'failed'] })

const observe: Observe = {
  request: ({ method, route, status, ms }) =>
    requests.labels(method, route ?? 'unknown', String(status ?? 'none')).observe(ms / 1000),
  save({ type, created, updated, removed, refused }) {
    for (const [outcome, count] of Object.entries({ created, updated, removed, refused }))
      records.labels(type, outcome).inc(count)
  },
  statement({ failed, ms }) {
    seconds[failed ? 'failed' : 'answered'] += ms / 1000
  },
  job: ({ name, failed }) => jobs.labels(name, String(failed)).inc(),
  delivery: ({ channel, failed }) => attempts.labels(channel, String(failed)).inc(),
}

const itsm = createPlugin({
  baseUrl: `http://127.0.0.1:${port}/v1`,
  secret: 'an example has no secrets, but it needs 32 characters',
  database: { url: 'sqlite::memory:' },
  allowInsecure: true,
  healthPaths: true,
  observe,
})
await itsm.migrate()
await itsm.start()

/** How far the work in the background is behind; read when Prometheus asks. */
new Gauge({
  name: 'itsm_behind_seconds',
  help: 'How long the oldest event, and the most overdue timer, have waited',
  labelNames: ['work'],
  async collect() {
    const { outboxAgeMs, timersLateMs } = (await itsm.health()).checks
    for (const [work, ms] of Object.entries({ events: outboxAgeMs, timers: timersLateMs })) {
      if (ms === null) this.remove(work)
      else this.labels(work).set(ms / 1000)
    }
  },
})

const app = new Koa()
app.use(async (ctx, next) => {
  if (ctx.path !== '/metrics') return next()
  ctx.type = register.contentType
  ctx.body = await register.metrics()
})
app.use(itsm.middleware)
const server = app.listen(port, '127.0.0.1', () => console.log(`http://127.0.0.1:${port}/metrics`))

process.once('SIGTERM', async () => {
  server.close()
  server.closeAllConnections()
  await itsm.stop()
})
