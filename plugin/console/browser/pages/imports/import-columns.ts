/** Which column of an import type each header of a file means (behaviour: Import files). */
import type { RecordType } from '../../core/read-catalog.js'

/** Choices of the person by header, as `nameOf` writes it: a column, or nothing to leave it out. */
export type Choices = Readonly<Record<string, string>>

export interface Match {
  readonly header: string
  /** The column, or null if this one is left out. */
  readonly column: string | null
  /** True for headers that say something about rows, such as Created At, and are never imported. */
  readonly isAbout: boolean
}

/** Headers that all types have and that nothing is read from, in lower case: those of exported files and of files of failed rows. */
const ABOUT: readonly string[] = ['line', 'field', 'reason', 'permalink', 'updated at', 'created at']

/** A header as it is compared: without regard to case, blanks and quotation marks around it. */
export function nameOf(header: string): string {
  let name = header.trim()
  while (name.startsWith('"')) name = name.slice(1)
  while (name.endsWith('"')) name = name.slice(0, -1)
  return name.trim().toLowerCase()
}

/** Usual headers that are no name of a column, and the column that they mean where a type has it; both squeezed. */
const USUAL: Readonly<Record<string, string>> = {
  displayname: 'name',
  email: 'primaryemail',
  emailaddress: 'primaryemail',
  fullname: 'name',
  mail: 'primaryemail',
  summary: 'subject',
  title: 'subject',
}

/** Letters and digits alone, for headers that are spelled nearly alike. */
function squeezed(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
}

/** Matches the headers: as the person has chosen, else by name, by nearly the same name, or by the label of a field. */
export function matchesOf(
  headers: readonly string[],
  columns: readonly string[],
  choices: Choices,
  type: RecordType,
): readonly Match[] {
  const taken = new Set<string>()
  const exact = headers.map((header, index) => {
    const choice = choices[nameOf(header)]
    if (choice !== undefined) return choice === '' ? null : (columns.find((column) => column === choice) ?? null)
    return readAs(header, index, columns)
  })
  for (const column of exact) if (column !== null) taken.add(column)
  return headers.map((header, index) => {
    const isAbout = ABOUT.includes(nameOf(header)) && !columns.some((column) => nameOf(column) === nameOf(header))
    const isChosen = choices[nameOf(header)] !== undefined
    const near = exact[index] === null && !isChosen && !isAbout ? nearest(header, columns, type) : null
    const column = exact[index] ?? (near !== null && !taken.has(near) ? near : null)
    if (column !== null) taken.add(column)
    return { header, column, isAbout }
  })
}

/** The column as which the server reads a header by itself; null if it skips the header. */
function readAs(header: string, index: number, columns: readonly string[]): string | null {
  const name = nameOf(header)
  const same = columns.find((column) => nameOf(column) === name)
  const isOldId = same === undefined && index === 0 && name.endsWith(' id')
  return same ?? (isOldId ? (columns.find((column) => nameOf(column) === 'id') ?? null) : null)
}

function nearest(header: string, columns: readonly string[], { fields }: RecordType): string | null {
  const wanted = squeezed(header)
  if (wanted === '') return null
  const labelled = fields.find(({ label }) => squeezed(label) === wanted)
  const named = (name: string | undefined) => columns.find((column) => squeezed(column) === name)
  return named(wanted) ?? named(labelled && squeezed(labelled.name)) ?? named(USUAL[wanted]) ?? null
}

/** Headers that occur twice, and columns that several headers mean: the server refuses such files. */
export function mistakesIn(matches: readonly Match[]): {
  readonly headers: ReadonlySet<string>
  readonly columns: ReadonlySet<string>
} {
  const names = matches.map(({ header }) => nameOf(header)).filter((name) => name !== '')
  const columns = matches.flatMap(({ column }) => (column === null ? [] : [column]))
  // The mapping is by header: two that are equal are read or left out together.
  const used = new Set(matches.flatMap(({ column, header }) => (column === null ? [] : [nameOf(header)])))
  const twice = (texts: readonly string[]) => new Set(texts.filter((text, index) => texts.indexOf(text) !== index))
  return { headers: twice(names.filter((name) => used.has(name))), columns: twice(columns) }
}

/**
 * The `mapping` of an upload: what differs from what the server reads by itself. Columns that are left out get no name, so that
 * the server neither reads them nor warns of them.
 */
export function mappingOf(matches: readonly Match[], columns: readonly string[]): Readonly<Record<string, string>> {
  const isLeftOut = ({ column, header, isAbout }: Match) => column === null && !isAbout && nameOf(header) !== ''
  const others = matches.filter((match, index) => isLeftOut(match) || match.column !== readAs(match.header, index, columns))
  return Object.fromEntries(others.map(({ column, header }) => [header, column ?? '']))
}
