/** Cells with the notes of a record: how files show them, and what a cell adds to those that are stored. */
import type { Instant } from '../../core/clock.js'

/** A note as files show it. */
export interface ShownNote {
  /** The e-mail address of its author; empty if there is none. */
  readonly author: string
  readonly at: Instant
  readonly text: string
}

/** What a stored note is recognized by. */
export type StoredNote = Pick<ShownNote, 'at' | 'text'>

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
