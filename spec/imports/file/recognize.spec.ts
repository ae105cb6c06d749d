import { expect } from 'chai'
import { HEAD_BYTES, mistakenFormat } from '../../../plugin/imports/file/recognize.js'
import { createWords } from '../../../plugin/words/words.js'

const HEADER = 'Primary Email,Name,Job Title\r\n'

/** What a file with these first bytes is refused with, in English. */
function said(head: Buffer): string {
  const [code = '', params = {}] = mistakenFormat(head) ?? []
  return createWords().sentence('en-US', code, '', params)
}

describe('recognizing files that cannot be imported', () => {
  it('tells workbooks, archives and documents by their first bytes', () => {
    const messages: [Buffer, RegExp][] = [
      [Buffer.from('PK\x03\x04\x14\x00', 'latin1'), /Excel workbook \(\.xlsx\): export the table as a CSV file/],
      [Buffer.from('\xd0\xcf\x11\xe0\xa1', 'latin1'), /Excel workbook \(\.xls\)/],
      [Buffer.from('%PDF-1.7'), /PDF document/],
      [Buffer.from('\x1f\x8b\x08', 'latin1'), /gzip: decompress it/],
      [Buffer.from('\ufeffName', 'utf16le').swap16(), /UTF-16BE: save it in UTF-8/],
    ]
    for (const [head, message] of messages) expect(said(head)).to.match(message)
  })

  it('tells UTF-16 without a byte order mark, with names of any script', () => {
    for (const text of [HEADER, 'Name\tSite\r\nZoë 名前\tÅrhus\r\n', 'ID']) {
      const bytes = Buffer.from(text, 'utf16le')
      expect(said(bytes)).to.match(/^The file is in UTF-16LE without a byte order mark: /)
      expect(said(Buffer.from(bytes).swap16())).to.match(/^The file is in UTF-16BE without a byte order mark: /)
    }
  })

  it('has nothing against texts, whatever their letters', () => {
    for (const text of [HEADER, '名前\n', 'PK,Name\n', 'Name\0Site', ''])
      expect(mistakenFormat(Buffer.from(text))).to.equal(null)
    expect(mistakenFormat(Buffer.from(`\ufeff${HEADER}`))).to.equal(null)
    expect(mistakenFormat(Buffer.from(`\ufeff${HEADER}`, 'utf16le'))).to.equal(null)
    expect(mistakenFormat(Buffer.alloc(10 * HEAD_BYTES, 0))).to.equal(null)
  })
})
