import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import type { Multipart } from './sent-parts.js'

/** Texts that change what is stored. The entries of an upload form expire, so a repeat may have others. */
const TEXTS = ['type', 'key', 'content-type']

/** Digest of a form: of its texts, and of the names and bytes of its files, which are read from their temporary files. */
export async function digestOfForm({ files, names, text }: Multipart): Promise<string> {
  const digest = createHash('sha256')
  digest.update(JSON.stringify([names, TEXTS.map((name) => text(name) ?? null)]))
  for (const { content, name, part, size, type } of files) {
    digest.update(JSON.stringify([part, name, type, size]))
    if ('bytes' in content) digest.update(content.bytes)
    else for await (const bytes of createReadStream(content.temporaryFile)) digest.update(bytes as Buffer)
  }
  return digest.digest('hex')
}
