/** Sends the request of a case over real HTTP. node:http, because fetch adds headers of its own. */
import { Agent, type IncomingHttpHeaders, type OutgoingHttpHeaders, request as sendHttp } from 'node:http'
import { Agent as SecureAgent, request as sendHttps } from 'node:https'

/** A response: its `status`, `headers`, and body as `text`. */
export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

export interface Sender {
  send(url: string, method: string, headers: OutgoingHttpHeaders, body: string | Buffer | null): Promise<Answer>
  close(): void
}

/** Creates a sender with one kept-alive connection; it accepts any certificate. */
export function createSender(): Sender {
  const plain = new Agent({ keepAlive: true, maxSockets: 1 })
  const secure = new SecureAgent({ keepAlive: true, maxSockets: 1, rejectUnauthorized: false })
  return {
    send: (url, method, headers, body) =>
      new Promise((resolve, reject) => {
        const isSecure = url.startsWith('https:')
        const options = { method, headers, agent: isSecure ? secure : plain }
        const outgoing = (isSecure ? sendHttps : sendHttp)(url, options, (incoming) => {
          const chunks: Buffer[] = []
          incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
          incoming.on('error', reject)
          incoming.on('end', () => {
            const text = Buffer.concat(chunks).toString('utf8')
            resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text })
          })
        })
        outgoing.on('error', reject)
        outgoing.end(body ?? undefined)
      }),
    close() {
      plain.destroy()
      secure.destroy()
    },
  }
}

/** A multipart body of texts and files. */
export function multipart(parts: Readonly<Record<string, unknown>>): { readonly type: string; readonly body: Buffer } {
  const boundary = 'koa-itsm-fixture-boundary'
  const pieces = Object.entries(parts).map(([name, value]) => {
    const file = typeof value === 'object' && value !== null ? (value as { fileName?: unknown; text?: unknown }) : null
    const head = file ? `; filename="${String(file.fileName)}"\r\nContent-Type: text/csv` : ''
    const text = file ? String(file.text) : String(value)
    return `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${head}\r\n\r\n${text}\r\n`
  })
  return { type: `multipart/form-data; boundary=${boundary}`, body: Buffer.from(`${pieces.join('')}--${boundary}--\r\n`) }
}
