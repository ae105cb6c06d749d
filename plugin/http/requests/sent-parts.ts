/** The parts of a body: parsed here, or by a parser of the host. */
import { readFile, stat } from 'node:fs/promises'

/** A part that is a file: one with a file name, or with the name `file`. */
export interface SentFile {
  readonly part: string
  /** Name of the file as sent; empty without one. */
  readonly name: string
  /** Media type as sent; empty without one. */
  readonly type: string
  readonly size: number
  /** Bytes only if a parser of the host took the file for a text. */
  readonly content: { readonly temporaryFile: string } | { readonly bytes: Buffer }
}

export interface Multipart {
  /** The first text with this name, regardless of case. */
  text(name: string): string | undefined
  readonly files: readonly SentFile[]
  /** The name of each part, as sent, with repetitions. */
  readonly names: readonly string[]
}

/** A file as formidable describes it, in the plugin or in the host. */
export interface StoredFile {
  readonly filepath: string
  readonly originalFilename?: string | null
  readonly mimetype?: string | null
}

export interface Parts {
  readonly texts: readonly (readonly [name: string, text: string])[]
  readonly files: readonly (readonly [name: string, file: StoredFile])[]
}

/** Name of the part that is always a file. */
export const FILE = 'file'
/** Bytes of all texts together. */
export const TEXT_BYTES = 65_536

/** Reads the parts that a body parser has stored in the request. */
export function partsOf({ body, files }: { readonly body?: unknown; readonly files?: unknown }): Parts {
  const each = (value: unknown) =>
    Object.entries(Object(value) as object).flatMap(([name, one]) => [one].flat().map((part: unknown) => [name, part] as const))
  return {
    texts: each(body).flatMap(([name, text]) => (typeof text === 'string' ? [[name, text] as const] : [])),
    files: each(files).flatMap(([name, file]) => (isStoredFile(file) ? [[name, file] as const] : [])),
  }
}

function isStoredFile(file: unknown): file is StoredFile {
  return typeof (Object(file) as Partial<StoredFile>).filepath === 'string'
}

/** Parts that were parsed here, one character per byte. */
export async function fromUs({ texts, files }: Parts, names: readonly string[]): Promise<Multipart> {
  const sent = files.map(([part, file]) => sentFile(part, file, decoded(file.originalFilename ?? '')))
  return multipartOf(
    texts.map(([name, text]) => [name, decoded(text)]),
    await Promise.all(sent),
    names,
  )
}

/** A parser of the host may have taken texts with a content type for files, and files without one for texts. */
export async function fromHost({ texts, files }: Parts): Promise<Multipart> {
  const isFile = ([name, file]: Parts['files'][number]) => name === FILE || Boolean(file.originalFilename)
  const asTexts = files.filter((part) => !isFile(part)).map(async ([name, file]) => [name, await firstBytes(file)] as const)
  const asFiles = texts
    .filter(([name]) => name === FILE)
    .map(([part, text]): SentFile => {
      const bytes = Buffer.from(text)
      return { part, name: '', type: '', size: bytes.length, content: { bytes } }
    })
  const sent = files.filter(isFile).map(([part, file]) => sentFile(part, file, file.originalFilename ?? ''))
  const names = [...texts, ...files].map(([name]) => name)
  return multipartOf([...texts, ...(await Promise.all(asTexts))], [...(await Promise.all(sent)), ...asFiles], names)
}

function multipartOf(texts: Parts['texts'], files: readonly SentFile[], names: readonly string[]): Multipart {
  return { text: textIn(texts), files, names }
}

/** Finds a text by its name, regardless of case. */
export function textIn(texts: Parts['texts']): Multipart['text'] {
  return (name) => texts.find(([given]) => given.toLowerCase() === name.toLowerCase())?.[1]
}

/** Decodes a text in which each character is a byte of UTF-8. */
export function decoded(text: string): string {
  return Buffer.from(text, 'latin1').toString('utf8')
}

async function sentFile(part: string, file: StoredFile, name: string): Promise<SentFile> {
  const { size } = await stat(file.filepath)
  return { part, name, type: file.mimetype ?? '', size, content: { temporaryFile: file.filepath } }
}

async function firstBytes({ filepath }: StoredFile): Promise<string> {
  return (await stat(filepath)).size > TEXT_BYTES ? '' : readFile(filepath, 'utf8')
}
