import { createReadStream, readdirSync, readFileSync } from 'node:fs'
import { expect } from 'chai'
import { decode } from '../../plugin/imports/file/decode.js'
import { parseRows } from '../../plugin/imports/file/parse.js'
import type { Results } from '../../plugin/imports/progress/results.js'
import { demoPeople } from './demo-people.js'
import { englishOf } from './english.js'

const FOLDER = 'fixtures/imports/people'

interface Case {
  readonly name: string
  readonly progress: { readonly state: string; readonly message?: string; readonly results: Results }
  readonly records: readonly { readonly primary_email: string }[]
}

describe('the import fixtures', () => {
  for (const file of readdirSync(FOLDER).filter((name) => name.endsWith('.json'))) {
    it(`${file} counts each row of its file`, async () => {
      const expected = JSON.parse(readFileSync(`${FOLDER}/${file}`, 'utf8')) as Case
      let rows = 0
      let message: string | undefined
      try {
        for await (const _ of parseRows(decode(createReadStream(`${FOLDER}/${file.replace('.json', '.csv')}`)))) rows++
      } catch (error) {
        message = englishOf(error)
      }
      const { results, state } = expected.progress
      const counted = Object.values(results).reduce((sum, number) => sum + number, 0)
      // An import that ends with its header does not look at the rows.
      expect(rows - 1).to.equal(state === 'error' && counted === 0 ? rows - 1 : counted)
      expect(message ?? expected.progress.message).to.equal(expected.progress.message)
      expect(expected.records.length).to.equal(results.created)
    })
  }

  it('have 2,000 people for the demo, always the same', () => {
    const text = readFileSync(`${FOLDER}/demo-2000.csv`, 'utf8')
    expect(text === demoPeople()).to.equal(true)
    const addresses = text.split('\n').map((line) => line.split(',')[0])
    expect(new Set(addresses.slice(1, 2001)).size).to.equal(2000)
  })
})
