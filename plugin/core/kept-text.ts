/**
 * A text that is the same for all callers, such as a document or the OpenAPI document. It is encoded, tagged and compressed once:
 * anyone may ask for it any number of times, and it is long.
 */
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

const compressed = promisify(gzip)

export class KeptText {
  readonly text: string
  readonly bytes: Buffer
  #tag: string | null = null
  #gzip: Promise<Buffer> | null = null

  constructor(text: string) {
    this.text = text
    this.bytes = Buffer.from(text)
  }

  /** The tag that this function makes of it. */
  tag(make: (bytes: Buffer) => string): string {
    this.#tag ??= make(this.bytes)
    return this.#tag
  }

  gzip(): Promise<Buffer> {
    this.#gzip ??= compressed(this.bytes)
    return this.#gzip
  }
}
