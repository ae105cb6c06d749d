import { expect } from 'chai'
import { cellOfNotes, newNoteOf, notesIn } from '../../../plugin/imports/columns/notes-cell.js'

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
    ['nothing, if all of it is stored', cellOfNotes([SECOND]), ''],
    ['a whole text that begins with another note', `${cellOfNotes([SECOND])}s`, `${cellOfNotes([SECOND]).trim()}s`],
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

  it('has the notes that it was made of', () => {
    expect(notesIn(BOTH)).to.deep.equal([FIRST, { ...SECOND, author: null }])
    const more = 'ed@x.example @acme 20261121T0900+0100\nOne.\n\nann@x.example yesterday\n\nann@x.example 2026-11-20\nTwo.'
    expect(notesIn(more)).to.deep.equal([
      {
        author: 'ed@x.example @acme',
        at: '20261121T0900+0100',
        text: 'One.\n\nann@x.example yesterday\n\nann@x.example 2026-11-20\nTwo.',
      },
    ])
    // No empty line before it, or no line of this form at the beginning.
    expect(notesIn('2026-11-21 09:00\nann@x.example 2026-11-20 09:00\nTwo.')).to.have.lengthOf(1)
    for (const cell of ['It rains in.\n\nann@x.example 2026-11-20T09:00:00Z\nA lot.', '2026-13-20T09:00:00Z\nNo month.', ''])
      expect(notesIn(cell)).to.deep.equal([{ author: null, at: null, text: cell }])
  })

  it('reads long lines without end in no time', () => {
    const begin = performance.now()
    for (const line of ['@'.repeat(1_000_000), `${'a@'.repeat(500_000)} 2026`, `${'x'.repeat(1_000_000)}\n\n`.repeat(3)])
      expect(notesIn(line)).to.have.lengthOf(1)
    expect(performance.now() - begin).to.be.below(1000)
  })

  it('is stored already if each of its notes is, however their times are written', () => {
    const cell = 'ann@x.example 2026-11-20T10:00:00+01:00\nIt rains in.\n\nA lot.\n\n2026-11-21 09:00\nThe roof is dry again.'
    expect(newNoteOf(cell, [FIRST, SECOND])).to.equal('')
    expect(newNoteOf(cell, [FIRST])).to.equal(cell)
  })

  it('is a note as a whole, if the record has none', () => {
    expect(newNoteOf(BOTH, [])).to.equal(BOTH)
    expect(newNoteOf(BOTH, [{ ...FIRST, text: BOTH }])).to.equal('')
  })
})
