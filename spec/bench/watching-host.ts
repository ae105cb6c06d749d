/**
 * A process with two hosts on the same database: one watches nothing, the other everything, with metrics as in `examples/metrics`
 * and a line of log for each call. The compiler has seen the same of both. `watching-host.ts URL`.
 */
import { createServer } from 'node:http'
import { Writable } from 'node:stream'
import Koa from 'koa'
import { Counter, Histogram } from 'prom-client'
import type { Observe, PluginOptions } from '../../plugin/index.js'
import { answerCpu, listen } from './child.js'
import { plugin } from './seed.js'

const hosts = await Promise.all([host({}), host(watching())])
const [plain, ...others] = hosts.map(({ port }) => port)
const stop = async () => {
  for (const one of hosts) await one.stop()
}
answerCpu(plain ?? 0, stop, others)

async function host(more: Partial<PluginOptions>) {
  const itsm = plugin(process.argv[2] ?? '', 'http://127.0.0.1/v1', more)
  await itsm.start()
  const server = createServer(new Koa().use(itsm.middleware).callback())
  const port = await listen(server)
  return {
    port,
    async stop() {
      server.close()
      server.closeAllConnections()
      await itsm.stop()
    },
  }
}

function watching(): Partial<PluginOptions> {
  const sink = new Writable({ decodeStrings: false, write: (_chunk, _encoding, done) => done() })
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
  const seconds = { answered: 0, failed: 0 }
  const jobs = new Counter({ name: 'jobs', help: '…', labelNames: ['name', 'failed'] })
  const attempts = new Counter({ name: 'attempts', help: '…', labelNames: ['channel', 'failed'] })
  return {
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
}
