/** Limits the headers of the parts of a multipart body. The parser has no limit, and needs quadratic time for long ones. */
/** Bytes of all headers of one part. */
const MAX_HEADER_BYTES = 16_384
const END_OF_HEADERS = Buffer.from('\r\n\r\n')

/** Creates a function that scans a body chunk by chunk: false as soon as the headers of a part are too long. */
export function headerScan(contentType: string): (bytes: Buffer) => boolean {
  const [, quoted, bare] = /boundary=(?:"([^"]+)"|([^;]+))/i.exec(contentType) ?? []
  const boundary = Buffer.from(`--${quoted ?? bare ?? ''}`, 'latin1')
  if (boundary.length === 2) return () => true
  let isHeader = false
  let headerBytes = 0
  /** The end of the last chunk, in which a match may begin that continues in the next chunk. */
  let rest: Buffer = Buffer.alloc(0)

  return (bytes) => {
    const all = Buffer.concat([rest, bytes])
    let at = 0
    for (;;) {
      const wanted = isHeader ? END_OF_HEADERS : boundary
      const found = all.indexOf(wanted, at)
      const end = found < 0 ? Math.max(at, all.length - wanted.length + 1) : found + wanted.length
      if (isHeader) {
        headerBytes += end - at
        if (headerBytes > MAX_HEADER_BYTES) return false
      }
      at = end
      if (found < 0) break
      isHeader = !isHeader
      headerBytes = 0
    }
    rest = all.subarray(at)
    return true
  }
}
