/** Cells with the notes of a record: how files show them, and what a cell adds to those that are stored. */
import type { Instant } from '../../core/clock.js'
import { parseInstant } from '../../core/time/zoned-time.js'

/** A note as files show it. */
export interface ShownNote {
  /** The e-mail address of its author; empty if there is none. */
  readonly author: string
  readonly at: Instant
  readonly text: string
}

/** What a stored note is recognized by. */
export type StoredNote = Pick<ShownNote, 'at' | 'text'>

/** A note as a cell has it. */
export interface CellNote {
  /** The e-mail address of its author, perhaps with an account; null if there is none. */
  readonly author: string | null
  /** The time as written; null for a text without author and time, which is the only one of its cell. */
  readonly at: string | null
  readonly text: string
}

/** Writes the cell: for each note a line with author and time, then its text; an empty line between notes, the oldest first. */
export function cellOfNotes(notes: readonly ShownNote[]): string {
  return notes.map(({ at, author, text }) => `${author} ${at}\n${text.trim()}`).join('\n\n')
}

/**
 * Returns the text that a cell adds as a new note; empty if it adds nothing. A cell that begins with stored notes, the oldest first
 * and as exported files show them, adds what comes after these. What is the text of another stored note is not added again, so that
 * a file may be imported twice, also one from before the latest notes. Authors are not compared: their addresses change, and not
 * everybody sees them.
 */
export function newNoteOf(cell: string, stored: readonly StoredNote[]): string {
  let text = cell.trim()
  const texts = new Set(stored.map((note) => note.text.trim()))
  // Times may be written in another way than exports do.
  if (notesIn(text).every((note) => texts.has(note.text))) return ''
  let shown = 0
  for (const note of stored) {
    const rest = restAfter(note, text)
    if (rest === null) break
    text = rest
    shown += 1
  }
  return stored.slice(shown).some((note) => note.text.trim() === text) ? '' : text
}

/** Returns what comes after a note at the beginning of a text; null if the text begins with something else. */
function restAfter(note: StoredNote, text: string): string | null {
  const [line = ''] = text.split('\n', 1)
  if (line !== note.at && !line.endsWith(` ${note.at}`)) return null
  const own = note.text.trim()
  const after = text.slice(line.length).trim()
  const isIt = own === '' || after === own || after.startsWith(`${own}\n`)
  return isIt ? after.slice(own.length).trim() : null
}

/** `ed@acme.example 2019-03-01T09:30:00Z`; the address is missing if nobody wrote the note. */
const HEAD = /^(?:(\S{1,128}@\S{1,128}(?: @[a-z0-9-]{1,63})?) )?(\d{4}-?\d\d-?\d\d[T ].{1,40})$/i

/**
 * Reads the notes of a cell in the form of exports: each begins with a line with author and time, behind an empty line. A cell that
 * does not begin with such a line is one note.
 */
export function notesIn(cell: string): readonly CellNote[] {
  const notes: { author: string | null; at: string; lines: string[] }[] = []
  const lines = cell.trim().split('\n')
  for (const [index, line] of lines.entries()) {
    const head = index === 0 || lines[index - 1]?.trim() === '' ? headIn(line) : null
    if (head) notes.push({ ...head, lines: [] })
    else if (notes.length === 0) return [{ author: null, at: null, text: cell.trim() }]
    else notes.at(-1)?.lines.push(line)
  }
  return notes.map(({ at, author, lines }) => ({ at, author, text: lines.join('\n').trim() }))
}

function headIn(line: string): { readonly author: string | null; readonly at: string } | null {
  const [, author = null, at = ''] = HEAD.exec(line.trim()) ?? []
  return at !== '' && parseInstant(at, 'UTC', { dateAlone: 'refused' }) !== null ? { author, at } : null
}
