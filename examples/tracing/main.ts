/**
 * Spans by the API of OpenTelemetry: one for each call, with those of its saves and statements below it, and one for each job and
 * delivery. A caller with `traceparent` gets the call into its own trace:
 *
 *   npx tsx -C koa-itsm-source examples/tracing/main.ts
 *   curl -H 'traceparent: 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01' http://127.0.0.1:3000/v1/
 *
 * Here spans are printed; your host sets an exporter of its own in place of `print`.
 */
import { context, propagation, type SpanAttributes, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { BasicTracerProvider, type ReadableSpan, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'
import Koa, { type Middleware } from 'koa'
import { createPlugin, type Observe } from 'koa-itsm'

const port = Number(process.env['PORT'] ?? 3000)

const print = (spans: readonly ReadableSpan[]) => {
  for (const span of spans) {
    const { attributes, name, parentSpanContext } = span
    console.log(
      JSON.stringify({ name, trace: span.spanContext().traceId, in: parentSpanContext?.spanId ?? null, ...attributes }),
    )
  }
}
const exporter = {
  export(spans: readonly ReadableSpan[], done: (result: { code: number }) => void) {
    print(spans)
    done({ code: 0 })
  },
  shutdown: async () => {},
}
trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }))
context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
propagation.setGlobalPropagator(new W3CTraceContextPropagator())
const tracer = trace.getTracer('desk')

/** Begins the span of a call, before the plugin: what happens within it finds its parent in the context. */
const traced: Middleware = (ctx, next) =>
  context.with(propagation.extract(context.active(), ctx.headers), () =>
    tracer.startActiveSpan(ctx.method, { kind: SpanKind.SERVER }, async (span) => {
      // After `observe.request`, which names the span.
      ctx.res.once('close', () => setImmediate(() => span.end()))
      await next()
    }),
  )

/** A span for work that has just ended. */
function ended(name: string, ms: number, failed: boolean, attributes: SpanAttributes): void {
  const endTime = Date.now()
  const span = tracer.startSpan(name, { startTime: endTime - ms, attributes })
  if (failed) span.setStatus({ code: SpanStatusCode.ERROR })
  span.end(endTime)
}

const observe: Observe = {
  request({ accountId, method, requestId, route, status }) {
    const span = trace.getActiveSpan()
    span?.updateName(`${method} ${route ?? 'unknown'}`)
    span?.setAttributes({
      'http.route': route ?? '',
      'http.response.status_code': status ?? 0,
      requestId,
      account: accountId ?? '',
    })
  },
  save: ({ action, failed, ms, type, created, updated }) => ended(`${action} ${type}`, ms, failed, { created, updated }),
  statement: ({ failed, ms, sql }) => ended(sql.split(' ', 1)[0] ?? '', ms, failed, { 'db.query.text': sql }),
  job: ({ failed, ms, name }) => ended(`job ${name}`, ms, failed, {}),
  delivery: ({ channel, event, failed, ms }) => ended(`deliver ${channel}`, ms, failed, { event: event ?? '' }),
}

const itsm = createPlugin({
  baseUrl: `http://127.0.0.1:${port}/v1`,
  secret: 'an example has no secrets, but it needs 32 characters',
  database: { url: 'sqlite::memory:' },
  allowInsecure: true,
  observe,
})
await itsm.migrate()
await itsm.start()

const server = new Koa()
  .use(traced)
  .use(itsm.middleware)
  .listen(port, '127.0.0.1', () => console.log(`http://127.0.0.1:${port}/v1`))

process.once('SIGTERM', async () => {
  server.close()
  server.closeAllConnections()
  await itsm.stop()
})
