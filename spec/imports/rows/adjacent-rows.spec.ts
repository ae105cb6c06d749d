import { expect } from 'chai'
import { recordLayout } from '../../../plugin/imports/columns/layouts.js'
import { matchHeaders } from '../../../plugin/imports/columns/match-columns.js'
import type { FileRow } from '../../../plugin/imports/contract.js'
import { adjacentRows } from '../../../plugin/imports/rows/adjacent-rows.js'
import { catalog } from '../catalog.js'
import { englishOf } from '../english.js'

describe('adjacent rows of one record', () => {
  it('have the same ID, else the same source, else the same name; rows without any are alone', async () => {
    const found = await groups(['5,,,a', '5,,,b', ',s,1,b', ',s,1,c', ',S,1,c', ',,,c', ',,,C', ',,,', ',,,'])
    expect(found).to.deep.equal(['2 3', '4 5', '6', '7 8', '9', '10'])
  })

  it('are repeated if other records stand between', async () => {
    expect(await groups([',,,a', ',,,b', ',,,a', ',,,a', ',,,'])).to.deep.equal(['2', '3', '4 5 repeated', '6'])
  })

  it('that were saved before are left out, and still known', async () => {
    expect(await groups([',,,a', ',,,a', ',,,b', ',,,a'], 3)).to.deep.equal(['4', '5 repeated'])
  })

  it('are at most 500', async () => {
    const rows = Array.from({ length: 500 }, () => ',,,a')
    expect((await groups([...rows, ',,,b'])).length).to.equal(2)
    const refused = await groups([...rows, ',,,a']).catch((error: unknown) => error)
    expect(englishOf(refused)).to.contain('500')
  })

  async function groups(texts: readonly string[], after = 1): Promise<readonly string[]> {
    const columns = matchHeaders(recordLayout(catalog, catalog.type('place')), ['ID', 'Source', 'Source ID', 'Name'])
    async function* rows(): AsyncGenerator<FileRow> {
      for (const [index, text] of texts.entries()) yield { line: index + 2, cells: text.split(',') }
    }
    const found: string[] = []
    for await (const group of adjacentRows(catalog, columns, rows(), after)) {
      const lines = group.rows.map(({ line }) => line).join(' ')
      found.push(group.isRepeated ? `${lines} repeated` : lines)
    }
    return found
  }
})
