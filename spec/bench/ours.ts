/** The plugin in a host, in a process of its own: `ours.ts URL`, or with a host that watches it, `ours.ts URL watched`. */
import { createServer, type RequestListener } from 'node:http'
import Koa from 'koa'
import { answerCpu, listen } from './child.js'
import { plugin } from './seed.js'
import { watching } from './watching-host.js'

let answer: RequestListener = (_request, response) => response.writeHead(503).end()
const server = createServer((request, response) => answer(request, response))
const port = await listen(server)
const [, , url = '', isWatched] = process.argv
const itsm = plugin(url, `http://127.0.0.1:${port}/v1`, isWatched ? watching() : {})
await itsm.start()
answer = new Koa().use(itsm.middleware).callback()
answerCpu(port, async () => {
  server.close()
  server.closeAllConnections()
  await itsm.stop()
})
