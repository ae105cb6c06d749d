/** A host that watches everything: metrics as in `examples/metrics`, and a line of log for each call. */
import { Writable } from 'node:stream'
import { Counter, Histogram } from 'prom-client'
import type { Observe, PluginOptions } from '../../plugin/index.js'

/** Its options. */
export function watching(): Partial<PluginOptions> {
  const sink = new Writable({ write: (_chunk, _encoding, done) => done() })
  const write = (details: object, message: string) =>
    void sink.write(`${JSON.stringify({ time: Date.now(), ...details, message })}\n`)
  return {
    observe: metrics(),
    logRequests: true,
    log: { debug() {}, info: write, warn: console.warn, error: console.error },
  }
}

function metrics(): Observe {
  const requests = new Histogram({ name: 'request_seconds', help: '…', labelNames: ['method', 'route', 'status'] })
  const records = new Counter({ name: 'records', help: '…', labelNames: ['type', 'outcome'] })
  const statements = new Counter({ name: 'statement_seconds', help: '…', labelNames: ['failed'] })
  const jobs = new Counter({ name: 'jobs', help: '…', labelNames: ['name', 'failed'] })
  const attempts = new Counter({ name: 'attempts', help: '…', labelNames: ['channel', 'failed'] })
  return {
    request: ({ method, route, status, ms }) =>
      requests.labels(method, route ?? 'unknown', String(status ?? 'none')).observe(ms / 1000),
    save({ type, created, updated, removed, refused }) {
      for (const [outcome, count] of Object.entries({ created, updated, removed, refused }))
        records.labels(type, outcome).inc(count)
    },
    statement: ({ failed, ms }) => statements.labels(String(failed)).inc(ms / 1000),
    job: ({ name, failed }) => jobs.labels(name, String(failed)).inc(),
    delivery: ({ channel, failed }) => attempts.labels(channel, String(failed)).inc(),
  }
}
