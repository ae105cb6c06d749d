import { expect } from 'chai'
import { cellOfNotes, newNoteOf } from '../../../plugin/imports/columns/notes-cell.js'

const FIRST = { author: 'ann@x.example', at: '2026-11-20T09:00:00Z', text: 'It rains in.\n\nA lot.' }
const SECOND = { author: '', at: '2026-11-21T09:00:00Z', text: 'The roof is dry again.' }
const BOTH = cellOfNotes([FIRST, SECOND])

describe('a cell with the notes of a record', () => {
  it('has author and time of each, the oldest first', () => {
    expect(cellOfNotes([FIRST])).to.equal('ann@x.example 2026-11-20T09:00:00Z\nIt rains in.\n\nA lot.')
    expect(BOTH).to.equal(`${cellOfNotes([FIRST])}\n\n 2026-11-21T09:00:00Z\nThe roof is dry again.`)
    expect(cellOfNotes([])).to.equal('')
  })

  const cases: readonly (readonly [what: string, cell: string, added: string])[] = [
    ['nothing, if it is what the file has for the stored notes', BOTH, ''],
    ['what comes after the stored notes', `${BOTH}\n\nAnd wet again. `, 'And wet again.'],
    ['nothing, if it is from before the last note', cellOfNotes([FIRST]), ''],
    ['what comes after the first of them', `${cellOfNotes([FIRST])}\n\nAnd wet again.`, 'And wet again.'],
    ['nothing, if an author has another address by now', BOTH.replace('ann@x.example', 'ann@y.example @acme'), ''],
    ['nothing, if it was imported before', `${cellOfNotes([FIRST])}\n\nThe roof is dry again.`, ''],
    ['what differs from the stored notes', `${BOTH}s`, `${cellOfNotes([SECOND]).trim()}s`],
    ['a whole text that begins with another note', cellOfNotes([SECOND]), cellOfNotes([SECOND]).trim()],
    ['a text that is that of an earlier note', `${BOTH}\n\nIt rains in.\n\nA lot.`, 'It rains in.\n\nA lot.'],
    ['nothing, if a note has the same text', ' The roof is dry again.\n', ''],
    ['a text of its own', 'The roof is dry.', 'The roof is dry.'],
    ['nothing, if it is blank', ' \n', ''],
  ]
  for (const [what, cell, added] of cases) {
    it(`adds ${what}`, () => {
      expect(newNoteOf(cell, [FIRST, SECOND])).to.equal(added)
    })
  }

  it('adds nothing, if a note has only files', () => {
    const bare = { author: 'ann@x.example', at: '2026-11-19T09:00:00Z', text: '' }
    expect(newNoteOf(cellOfNotes([bare, FIRST, bare]), [bare, FIRST, bare])).to.equal('')
  })

  it('is a note as a whole, if the record has none', () => {
    expect(newNoteOf(BOTH, [])).to.equal(BOTH)
    expect(newNoteOf(BOTH, [{ ...FIRST, text: BOTH }])).to.equal('')
  })
})
