/** The files of the console: built once for the package, read when somebody opens it, and kept in their compressed forms. */
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import type { Log } from '../core/log.js'
import { packageRoot } from '../core/package-root.js'
import type { WordBook } from '../words/words.js'

/** A file as it is sent. */
export interface SentFile {
  readonly type: string
  readonly bytes: Buffer
  /** Compressed; absent for files that do not become shorter. */
  readonly forms?: { readonly br: Buffer; readonly gzip: Buffer }
  readonly tag: string
}

/** Names of built files, which change with their content. */
export interface BuiltFiles {
  readonly script: string
  readonly style: string
  readonly icon: string
  /** The texts of a language, by its id. */
  readonly texts: readonly { readonly language: string; readonly name: string; readonly label: string }[]
  /** The modules of the pages of the host, in their order. */
  readonly own: readonly string[]
}

/** The files of one console. */
export interface ConsoleFiles {
  /** The page, which is the same at every path. */
  readonly page: SentFile
  /** Files whose names change with their content. */
  readonly assets: ReadonlyMap<string, SentFile>
}

const FOLDER = 'dist/console/'
const SCRIPT_TYPE = 'text/javascript; charset=utf-8'
const TYPES: Readonly<Record<string, string>> = {
  js: SCRIPT_TYPE,
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
}
const JSON_TYPE = 'application/json; charset=utf-8'
const MISSING =
  'The files of the console are missing. In a checkout, run `npm run build:console`; a bundled host needs the folder dist/console of the package koa-itsm'

const shorter = { br: promisify(brotliCompress), gzip: promisify(gzip) }

/**
 * Reads the built files and writes the texts of each language.
 *
 * @param pageOf the page, which names the files
 * @param modules files of the pages of the host
 * @throws Error with what to do, if nothing has been built
 */
export async function openFiles(
  { log, words }: { readonly log: Log; readonly words: Pick<WordBook, 'consoleTexts' | 'languages' | 'valueLabel'> },
  pageOf: (built: BuiltFiles) => string,
  modules: readonly (string | URL)[],
): Promise<ConsoleFiles> {
  const root = packageRoot()
  const folder = root && new URL(FOLDER, root)
  const names = folder ? await readdir(folder).catch(() => []) : []
  const built = names.flatMap((name) => {
    const type = TYPES[name.slice(name.lastIndexOf('.') + 1)]
    return folder && type ? [{ name, type, url: new URL(name, folder) }] : []
  })
  const named = (pattern: RegExp) => {
    const found = names.find((name) => pattern.test(name))
    if (found === undefined) throw new Error(MISSING)
    return found
  }
  const texts = words.languages.map((language) => {
    const bytes = Buffer.from(JSON.stringify(words.consoleTexts(language)))
    return { language, name: `texts-${language}-${digest(bytes).slice(0, 8)}.json`, label: labelOf(words, language), bytes }
  })
  const own = await Promise.all(
    modules.map(async (file) => {
      const bytes = await readFile(file).catch((err: unknown) => {
        // Its page says so; the others are there.
        log.error({ err, module: String(file) }, 'The module of a page of the console cannot be read')
        return null
      })
      return { name: bytes ? `own-${digest(bytes).slice(0, 8)}.js` : 'own-missing.js', bytes }
    }),
  )
  const page = pageOf({
    script: named(/^main-.*\.js$/),
    style: named(/^style-.*\.css$/),
    icon: named(/^icon-.*\.svg$/),
    texts,
    own: own.map(({ name }) => name),
  })
  const assets = await Promise.all([
    ...built.map(async ({ name, type, url }) => [name, await sent(type, await readFile(url))] as const),
    ...texts.map(async ({ name, bytes }) => [name, await sent(JSON_TYPE, bytes)] as const),
    ...own.flatMap(({ name, bytes }) => (bytes ? [sent(SCRIPT_TYPE, bytes).then((file) => [name, file] as const)] : [])),
  ])
  return { assets: new Map(assets), page: await sent('text/html; charset=utf-8', Buffer.from(page)) }
}

/** The name of a language in itself. The enumeration has English by its countries. */
function labelOf(words: Pick<WordBook, 'valueLabel'>, language: string): string {
  const label = language === 'en' ? 'English' : words.valueLabel(language, 'language', language)
  return label.charAt(0).toUpperCase() + label.slice(1)
}

async function sent(type: string, bytes: Buffer): Promise<SentFile> {
  const tag = `"${digest(bytes).slice(0, 32)}"`
  const [br, gzip] = await Promise.all([shorter.br(bytes), shorter.gzip(bytes)])
  return { type, bytes, tag, ...(gzip.length < bytes.length ? { forms: { br, gzip } } : {}) }
}

function digest(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}
