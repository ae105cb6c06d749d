/** The command `koa-itsm` for specs: in a folder of its own, without a terminal unless a spec says so. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before } from 'mocha'
import { run } from '../../plugin/command-line/run.js'

/** How the command ended, and what it said. */
export interface Ended {
  readonly code: number
  readonly out: string
  readonly err: string
}

/** What is special about a run. */
export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly isTTY?: boolean
  /** What is typed. */
  readonly password?: string
  /** Is aborted by Ctrl-C. */
  readonly signal?: AbortSignal
}

export interface CommandPlace {
  /** Only set while specs run; so are the others. */
  readonly folder: string
  /** Home of the person, beside the folder. */
  readonly home: string
  run(args: readonly string[], options?: RunOptions): Promise<Ended>
  /** Writes a file into the folder. @returns its path */
  write(name: string, content: string | Buffer): string
}

/** Provides folders and the command to the calling block (in `describe`). */
export function withCommand(): CommandPlace {
  const place = { folder: '', home: '' }
  before('makes folders', () => {
    place.folder = mkdtempSync(join(tmpdir(), 'itsm-command-'))
    place.home = mkdtempSync(join(tmpdir(), 'itsm-home-'))
  })
  after('removes them', () => {
    for (const path of [place.folder, place.home]) rmSync(path, { recursive: true })
  })
  return {
    get folder() {
      return place.folder
    },
    get home() {
      return place.home
    },
    async run(args, { env = {}, isTTY = false, password = '', signal = new AbortController().signal } = {}) {
      const [out, err] = [[] as string[], [] as string[]]
      const code = await run(args, {
        env,
        ...place,
        out: { write: (text: string) => out.push(text) },
        err: { isTTY, write: (text: string) => err.push(text) },
        interruptible: (work) => work(signal),
        readPassword: async () => password,
      })
      return { code, out: out.join(''), err: err.join('') }
    },
    write(name, content) {
      const path = join(place.folder, name)
      writeFileSync(path, content)
      return path
    },
  }
}
