import { expect } from 'chai'
import type { FileRow } from '../../../plugin/imports/contract.js'
import { parseRows } from '../../../plugin/imports/file/parse.js'
import { ImportStopped } from '../../../plugin/imports/progress/stopped.js'
import { englishOf } from '../english.js'

const MEGABYTE = 1024 * 1024

describe('parsing an import file', () => {
  it('reads commas, quotation marks and doubled quotation marks', async () => {
    expect(await rowsOf('ID,Name\n1,"Widget, ""big"""\n')).to.deep.equal([
      { line: 1, cells: ['ID', 'Name'] },
      { line: 2, cells: ['1', 'Widget, "big"'] },
    ])
  })

  it('takes the tab for separator when the header has tabs', async () => {
    expect(await rowsOf('Name\tSite\na,b\t"c\td"\n')).to.deep.equal([
      { line: 1, cells: ['Name', 'Site'] },
      { line: 2, cells: ['a,b', 'c\td'] },
    ])
  })

  it('keeps commas as separator when only a quoted header has tabs', async () => {
    expect(await rowsOf('"a\tb\tc",d\n1,2')).to.deep.equal([
      { line: 1, cells: ['a\tb\tc', 'd'] },
      { line: 2, cells: ['1', '2'] },
    ])
  })

  for (const [name, text] of [
    ['bare', 'ID;Name;City\n;North;Bonn\n;"South; hall 2";Ulm\n'],
    ['quoted', '"ID";"Name";"City"\r\n"";"North";"Bonn"\r\n"";"South; hall 2";"Ulm"\r\n'],
    ['declared', 'sep=;\r\nID;Name;City\r\n;North;Bonn\r\n;"South; hall 2";Ulm\r\n'],
  ] as const) {
    it(`takes semicolons as separator, and says so: ${name}`, async () => {
      const rows = await rowsOf(text)
      expect(rows[0]).to.include({ hasSemicolons: true })
      expect(rows.map(({ cells }) => cells)).to.deep.equal([
        ['ID', 'Name', 'City'],
        ['', 'North', 'Bonn'],
        ['', 'South; hall 2', 'Ulm'],
      ])
    })
  }

  it('keeps commas as separator when headers contain semicolons', async () => {
    expect((await rowsOf('Name,"a;b;c",d;e\n1,2;3,4\n')).map(({ cells }) => cells)).to.deep.equal([
      ['Name', 'a;b;c', 'd;e'],
      ['1', '2;3', '4'],
    ])
  })

  for (const above of [
    'sep=,\r\n',
    '"sep=,"\n',
    'sep=,,,\n',
    '#TYPE Selected.Directory.User\n',
    '"#TYPE A.B"\n\n',
    '\n \n,,\n',
  ]) {
    for (const size of [1, 1000]) {
      it(`passes over ${JSON.stringify(above)} above the header, in pieces of ${size} characters`, async () => {
        const [header, ...rows] = await rowsOf(`${above}Name,Site\n#TYPE x,1\nsep=,2\n`, size)
        expect(header).to.deep.equal({ line: above.split('\n').length, cells: ['Name', 'Site'] })
        expect(rows.map(({ cells }) => cells)).to.deep.equal([
          ['#TYPE x', '1'],
          ['sep=', '2'],
        ])
      })
    }
  }

  for (const size of [1, 2, 3, 7, 1000]) {
    it(`tells the line on which each row starts, in pieces of ${size} characters`, async () => {
      const rows = await rowsOf('Name,Members\r\n"a\r\nb",1\r\nc,"x\ny\rz"\r\n\r\n,\nd,2\re,3', size)
      expect(rows).to.deep.equal([
        { line: 1, cells: ['Name', 'Members'] },
        { line: 2, cells: ['a\r\nb', '1'] },
        { line: 4, cells: ['c', 'x\ny\rz'] },
        { line: 9, cells: ['d', '2'] },
        { line: 10, cells: ['e', '3'] },
      ])
    })
  }

  it('keeps blanks and empty cells', async () => {
    expect((await rowsOf('a,b,c\n , x ,\n"",y,"  z "\n')).map((row) => row.cells)).to.deep.equal([
      ['a', 'b', 'c'],
      ['', ' x ', ''],
      ['', 'y', '  z '],
    ])
  })

  it('takes a quotation mark inside a bare cell as it is', async () => {
    expect((await rowsOf('a,b\n6" pipe,"x"\n')).map((row) => row.cells)).to.deep.equal([
      ['a', 'b'],
      ['6" pipe', 'x'],
    ])
  })

  it('marks only the row with text behind a closing quotation mark', async () => {
    const good = Array.from({ length: 500 }, (_, index) => `${index},x`).join('\n')
    const rows = await rowsOf(`a,b\n${good}\n"y" z,1\n${good}\n`)
    expect(rows).to.have.length(1002)
    expect(rows.filter((row) => row.malformed)).to.deep.equal([{ line: 502, cells: [], malformed: true }])
  })

  it('gives rows of more and of fewer cells as they are', async () => {
    expect((await rowsOf('a,b\n1\n1,2,3\n')).map((row) => row.cells.length)).to.deep.equal([2, 1, 3])
  })

  it('takes a header __proto__ for a text like any other', async () => {
    expect((await rowsOf('__proto__,b\n1,2\n'))[1]?.cells).to.deep.equal(['1', '2'])
  })

  it('gives the rows before a quotation mark that is never closed, and then stops', async () => {
    const { rows, message } = await failureOf('a,b\n1,2\n3,"4\n5,6\n')
    expect(rows).to.have.length(2)
    expect(message).to.equal('Unclosed quotation mark on line 3')
  })

  it('stops at an open quotation mark before it has read ten megabytes', async () => {
    const { message, read } = await failureOf(`a,b\n1,"${'x'.repeat(10 * MEGABYTE)}`, 64 * 1024)
    expect(message).to.equal('Unclosed quotation mark on line 2')
    expect(read).to.be.lessThan(3 * MEGABYTE)
  })

  it('stops at a row without end', async () => {
    const { message } = await failureOf(`a,b\n${'x'.repeat(3 * MEGABYTE)}`, 64 * 1024)
    expect(message).to.equal('The row on line 2 is too long (maximum is 2 MB)')
  })

  for (const [name, row] of [
    ['separators', ','],
    ['quotation marks', '""""""'],
    ['blanks', '   '],
    ['quoted blanks', '" ",'],
    ['carriage returns', '\r'],
  ] as const) {
    it(`gets through megabytes of ${name}`, async () => {
      const line = row.repeat(Math.floor((MEGABYTE - 10) / row.length))
      const rows = await rowsOf(`a,b\n${`${line}\n`.repeat(3)}c,d\n`, 64 * 1024)
      expect(rows.at(-1)?.cells).to.deep.equal(['c', 'd'])
    }).timeout(20_000)
  }

  it('passes on what is wrong with the text, after the rows before it', async () => {
    async function* texts() {
      yield 'a,b\n1,2\n3'
      throw new ImportStopped('bad bytes')
    }
    const rows: FileRow[] = []
    let message = ''
    try {
      for await (const row of parseRows(texts())) rows.push(row)
    } catch (error) {
      message = (error as Error).message
    }
    expect(rows.map((row) => row.line)).to.deep.equal([1, 2])
    expect(message).to.equal('bad bytes')
  })
})

async function* inPieces(text: string, size: number, read: { characters: number }): AsyncGenerator<string> {
  for (let from = 0; from < text.length; from += size) {
    read.characters = from + size
    yield text.slice(from, from + size)
  }
}

async function rowsOf(text: string, size = 1000): Promise<FileRow[]> {
  const rows: FileRow[] = []
  for await (const row of parseRows(inPieces(text, size, { characters: 0 }))) rows.push(row)
  return rows
}

async function failureOf(text: string, size = 1000): Promise<{ rows: FileRow[]; message: string; read: number }> {
  const rows: FileRow[] = []
  const read = { characters: 0 }
  try {
    for await (const row of parseRows(inPieces(text, size, read))) rows.push(row)
  } catch (error) {
    return { rows, message: englishOf(error), read: read.characters }
  }
  throw new Error('Nothing was refused')
}
