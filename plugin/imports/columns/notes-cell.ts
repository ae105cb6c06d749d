/** Cells with the notes of a record: how files show them, and what a cell adds to those that are stored. */
import type { Instant } from '../../core/clock.js'

/** A note as files show it. */
export interface ShownNote {
  /** The e-mail address of its author; empty if there is none. */
  readonly author: string
  readonly at: Instant
  readonly text: string
}

/** Writes the cell: for each note a line with author and time, then its text; an empty line between notes, the oldest first. */
export function cellOfNotes(notes: readonly ShownNote[]): string {
  return notes.map(({ at, author, text }) => `${author} ${at}\n${text.trim()}`).join('\n\n')
}

/**
 * Returns the text that a cell adds as a new note; empty if it adds nothing. A cell that begins with the stored notes, as
 * exported files show them, adds what comes after them. A cell with the text of a stored note adds nothing, so that a file may be
 * imported twice.
 */
export function newNoteOf(cell: string, stored: readonly ShownNote[]): string {
  const text = cell.trim()
  const shown = cellOfNotes(stored)
  if (stored.some((note) => note.text.trim() === text)) return ''
  if (shown !== '' && (text === shown || text.startsWith(`${shown}\n`))) return text.slice(shown.length).trim()
  return text
}
