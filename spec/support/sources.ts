/** Our own source files, parsed as far as specs of the architecture need it. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

export interface Source {
  /** From the root of the project. */
  readonly path: string
  readonly text: string
  /** The text without comments and without the content of its strings. Line numbers are the same. */
  readonly code: string
  readonly strings: readonly Literal[]
  readonly patterns: readonly Pattern[]
  readonly imports: readonly Import[]
}

/** A regular expression as in the source: `/^a+$/i`. */
export interface Pattern {
  readonly text: string
  readonly line: number
}

export interface Literal {
  readonly text: string
  readonly line: number
  /** The code before it, from the beginning of its line. */
  readonly before: string
  /** The code after it, to the end of its line; empty inside of it. */
  readonly after: string
}

export interface Import {
  readonly name: string
  /** The file, if it is one of ours; else empty. */
  readonly path: string
  readonly typeOnly: boolean
}

/** All TypeScript files of a folder, by path. */
export function sourcesIn(folder: string): readonly Source[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file))
  return files.map((file) => sourceOf(join(folder, file))).sort((a, b) => (a.path < b.path ? -1 : 1))
}

function sourceOf(path: string): Source {
  // The line for the shell is no code.
  const text = readFileSync(path, 'utf8').replace(/^#!.*/, '')
  const { code, found, patterns } = takeApart(text, path.endsWith('x'))
  const lines = code.split('\n')
  const strings = found.map(({ text, line, column, end }) => {
    const whole = lines[line - 1] ?? ''
    return { text, line, before: whole.slice(0, column), after: whole.slice(end) }
  })
  return { path, text, code, strings, patterns, imports: importsOf(path, text) }
}

function importsOf(path: string, text: string): Import[] {
  const statements = text.matchAll(/^(?:import|export)\s+(type\s+)?(?:[^'"`;]*?\sfrom\s+)?'([^']+)'/gm)
  return [...statements].map(([, type, name = '']) => ({
    name,
    path: name.startsWith('.') ? sourceOfModule(normalize(join(dirname(path), name))) : '',
    typeOnly: type !== undefined,
  }))
}

interface Found {
  readonly text: string
  readonly line: number
  readonly column: number
  readonly end: number
}

const PIECES =
  /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[a-z]*/g
/** Code before a regular expression; after anything else a slash divides. */
const BEFORE_PATTERN = /(?:^|[(,=:[!&|?{};>]|return|typeof)\s*$/

/** @param hasTags true for files with JSX, in which a slash also ends a tag */
function takeApart(text: string, hasTags: boolean): { code: string; found: Found[]; patterns: Pattern[] } {
  const found: Found[] = []
  const patterns: Pattern[] = []
  let code = ''
  let from = 0
  PIECES.lastIndex = 0
  for (let match = PIECES.exec(text); match !== null; match = PIECES.exec(text)) {
    const [piece] = match
    const isDivision = /^\/[^/*]/.test(piece) && !BEFORE_PATTERN.test(code + text.slice(from, match.index))
    if (isDivision || (hasTags && piece.startsWith('/>'))) {
      PIECES.lastIndex = match.index + 1
      continue
    }
    code += text.slice(from, match.index)
    from = match.index + piece.length
    const isString = piece.startsWith("'") || piece.startsWith('"')
    if (/^\/[^/*]/.test(piece)) patterns.push({ text: piece, line: code.split('\n').length })
    if (isString) {
      const lines = code.split('\n')
      const column = (lines.at(-1) ?? '').length
      found.push({ text: piece.slice(1, -1), line: lines.length, column, end: column + 2 })
    }
    // Line feeds stay, so that lines keep their numbers; expressions within templates are not parsed.
    code += isString ? "''" : piece.replace(/[^\n]/g, '')
  }
  return { code: code + text.slice(from), found, patterns }
}

/** The source of a module, by the path in an import. */
function sourceOfModule(path: string): string {
  const source = path.replace(/\.js$/, '.ts')
  return existsSync(`${source}x`) ? `${source}x` : source
}
