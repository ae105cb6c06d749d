/** Accepts people who are signed in at the host: the plugin uses the host's session and stores no passwords. */
import { createServer } from 'node:http'
import Koa from 'koa'
import { createPlugin } from 'koa-itsm'
import mount from 'koa-mount'

const port = Number(process.env['PORT'] ?? 3000)
const baseUrl = `http://127.0.0.1:${port}/api/v1`
const COOKIE = 'session'
/** Stands in for your directory. */
const DIRECTORY = new Map([['ines@acme.example', 'Ines Álvarez']])

const itsm = createPlugin({
  baseUrl,
  secret: 'an example has no secrets, but it needs 32 characters',
  database: { url: 'sqlite::memory:' },
  allowInsecure: true,
  people: {
    // Called for requests without credentials. null means that the visitor is not signed in: the response is 401.
    signedIn: async (ctx) => {
      const email = ctx.cookies.get(COOKIE, { signed: true })
      return email ? { email: decodeURIComponent(email), account: 'acme' } : null
    },
    // Called for people without a record, at their first request. null would refuse them; roles are possible, too.
    provision: ({ email }) => (DIRECTORY.has(email) ? { body: { name: DIRECTORY.get(email) } } : null),
    // Called for requests with a password or a token. Here nobody has one.
    byCredentials: async () => null,
  },
})
await itsm.migrate()
await itsm.accounts.put({ id: 'acme', name: 'Acme' })

const host = new Koa()
host.keys = ['signs the cookies; yours is a secret']
host.use(async (ctx, next) => {
  // Stands in for your identity provider, which would ask for more than a name.
  if (ctx.path !== '/sign-in') return next()
  // SameSite keeps other websites from sending requests in the name of their visitors.
  ctx.cookies.set(COOKIE, encodeURIComponent(String(ctx.query['email'])), { signed: true, httpOnly: true, sameSite: 'strict' })
  ctx.body = 'Signed in\n'
})
host.use(mount('/api', itsm.app))

await itsm.start()
const server = createServer(host.callback()).listen(port, '127.0.0.1', () => {
  console.log(`Try: curl -c jar 'http://127.0.0.1:${port}/sign-in?email=ines@acme.example' && curl -b jar ${baseUrl}/me`)
})
process.once('SIGTERM', () => void Promise.all([itsm.stop(), server.close()]))
