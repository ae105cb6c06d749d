/**
 * Uses the packed package like a host: plain JavaScript, in an empty folder into which the package was installed. Mounts it,
 * sends one request, calls the command, stops, and must then end by itself. `.ci/run` copies it to where it runs.
 */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { promisify } from 'node:util'
import Koa from 'koa'
import * as exported from 'koa-itsm'
import { embeddedDatabase } from 'koa-itsm/embedded'
import { DeliveryRefused, verifyDelivery } from 'koa-itsm/receive'
import { shippedFixtures } from 'koa-itsm/testing'
import mount from 'koa-mount'

const { createPlugin } = exported
const server = createServer()
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
const baseUrl = `http://127.0.0.1:${server.address().port}/api/v1`

const knex = embeddedDatabase(':memory:')
const itsm = createPlugin({
  baseUrl,
  allowInsecure: true,
  secret: 'only for this one run, and long enough for a secret',
  database: { knex },
  jobs: { backend: 'memory' },
  docs: true,
  console: true,
})
await itsm.migrate()
const host = new Koa()
host.use(mount('/api', itsm.app))
server.on('request', host.callback())
await itsm.start()

const response = await fetch(baseUrl, { headers: { Accept: 'application/json' } })
assert.equal(response.status, 200)
assert.deepEqual(await response.json(), {})

// The examples of the document come from files of the package.
const { components } = await (await fetch(`${baseUrl}/openapi.json`)).json()
assert.equal(typeof components.requestBodies.RequestCreateBody.content['application/json'].example.subject, 'string')

// So do the pages, with their script and styles.
const pages = await (await fetch(`${baseUrl}/docs/guides/own-type`)).text()
assert.match(pages, /<h1 id="own-type">/)
for (const [, path] of pages.matchAll(/(?:href|src|data-index)="([^"]+\.(?:css|js|json))"/g))
  assert.equal((await fetch(new URL(path, baseUrl))).status, 200)

// And those of the console.
const console_ = await (await fetch(new URL('/api/console', baseUrl))).text()
const notice = await readFile('node_modules/koa-itsm/dist/console/NOTICE.txt', 'utf8')
assert.match(notice, /^preact [\d.]+\n\nThe MIT License/m)
const files = [...console_.matchAll(/(?:href|src)="([^"]+)"/g)]
assert.equal(files.length, 3)
for (const [, path] of files) assert.equal((await fetch(new URL(path, baseUrl))).status, 200)

// The other entries; and bundling has renamed no class, because errors have the names of theirs.
assert.throws(() => verifyDelivery('', {}, []), DeliveryRefused)
assert.ok(shippedFixtures().records.size > 0)
for (const [name, value] of Object.entries(exported)) if (/^[A-Z][a-z]/.test(name)) assert.equal(value.name, name)

// The command, as npm has installed it. It calls the API, which refuses the token.
const command = promisify(execFile)
assert.match((await command('node_modules/.bin/koa-itsm', ['help'])).stdout, /koa-itsm import FILE/)
const refused = await command('node_modules/.bin/koa-itsm', ['imports', 'list', '--url', baseUrl, '--token', 'x']).catch(
  (one) => one,
)
assert.equal(refused.code, 2)
assert.match(refused.stderr, /401/)

// Its commands about tables load the plugin of a host from a module, or their own.
await writeFile(
  'plugin-of-smoke.mjs',
  `import { createPlugin } from 'koa-itsm'
export const itsm = createPlugin({
  baseUrl: 'https://desk.example/v1',
  secret: 'only for this one run, and long enough for a secret',
  database: { url: 'sqlite::memory:' },
})`,
)
const unready = await command('node_modules/.bin/koa-itsm', ['check', '--plugin', 'plugin-of-smoke.mjs']).catch((one) => one)
assert.equal(unready.code, 1)
assert.match(unready.stdout, /has not run: 0001/)
const nowhere = ['migrate', '--mysql', 'mysql://a:b@127.0.0.1:1/itsm']
assert.match((await command('node_modules/.bin/koa-itsm', nowhere).catch((one) => one)).stderr, /ECONNREFUSED/)

// Stacks show the sources, which are in the package.
const careless = ['--enable-source-maps', '-e', "import('koa-itsm').then(({ createPlugin }) => createPlugin({}))"]
const refusal = await command(process.execPath, careless).catch((one) => one)
assert.match(refusal.stderr, /InvalidOptions/)
assert.match(refusal.stderr, /plugin\/create-plugin\.ts:\d+/)

await itsm.stop()
await knex.destroy()
server.closeAllConnections()
await new Promise((resolve) => server.close(resolve))

// Only reached if the package still keeps the process alive: the timer itself does not.
setTimeout(() => {
  console.error('The process does not end by itself; still active:', process.getActiveResourcesInfo())
  process.exit(1)
}, 10_000).unref()
console.log(`smoke: answered under Node ${process.version}`)
