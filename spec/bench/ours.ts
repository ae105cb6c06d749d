/** The plugin in a host, in a process of its own: `ours.ts URL`. */
import { createServer, type RequestListener } from 'node:http'
import Koa from 'koa'
import { answerCpu, listen } from './child.js'
import { plugin } from './seed.js'

let answer: RequestListener = (_request, response) => response.writeHead(503).end()
const server = createServer((request, response) => answer(request, response))
const port = await listen(server)
const itsm = plugin(process.argv[2] ?? '', `http://127.0.0.1:${port}/v1`)
await itsm.start()
answer = new Koa().use(itsm.middleware).callback()
answerCpu(port, async () => {
  server.close()
  server.closeAllConnections()
  await itsm.stop()
})
