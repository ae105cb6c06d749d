/** Cells of notes in imports of history (behaviour: History). */
import type { RecordField } from '../../schema/catalog.js'
import { PERSON } from '../../schema/language/built-in-types.js'
import { fieldValueOf, referenceOf } from './cells.js'
import type { Column } from './column.js'
import { notesIn } from './notes-cell.js'

/** How cells of the field are read: as notes, each with its author and its time. */
export function historicNotes(field: RecordField): NonNullable<Column['ofHistory']> {
  const notesOf = (cell: string) => notesIn(String(fieldValueOf(field, cell) ?? ''))
  return {
    references: (call, catalog, cell) =>
      notesOf(cell).flatMap(({ author }) => (author === null ? [] : [referenceOf(call, catalog, PERSON, author)])),
    input(cell, ids) {
      const people = [...ids]
      const notes = notesOf(cell).map(({ at, author, text }) => {
        if (at === null) return { text }
        return { text, person_id: author === null ? null : (people.shift() ?? null), created_at: at }
      })
      return { [field.name]: notes }
    },
  }
}
