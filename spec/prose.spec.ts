/** Every sentence of the documents can be understood in one reading. */
import { readdirSync, readFileSync } from 'node:fs'
import { expect } from 'chai'
import { sentencesIn } from './support/sentences.js'

/** Words of the longest sentence that a document may have. */
const MAX_WORDS = 35
const DOCUMENTS = [
  ...['README.md', 'CHANGELOG.md', 'SECURITY.md'],
  ...readdirSync('plugin/docs', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `plugin/docs/${name}`),
]

describe('prose', () => {
  for (const document of DOCUMENTS) {
    it(`of ${document} has no sentence of more than ${MAX_WORDS} words`, () => {
      const long = sentencesIn(readFileSync(document, 'utf8')).filter(({ words }) => words > MAX_WORDS)
      expect(long.map(({ line, text, words }) => `${document}:${line} has ${words} words: ${text}`)).to.deep.equal([])
    })
  }

  it('is read in paragraphs, items and cells, over several lines, without code', () => {
    const text = [
      ...['# A heading has none', '', 'One `of a, b and c`', 'two. Three', '', '```ts', 'not. Counted', '```', ''],
      ...['- **Four.** Five, see e.g. [six](#seven)', '  eight.', '', '| Nine | Ten<br>eleven |', '|---|---|'],
    ].join('\n')
    expect(sentencesIn(text).map(({ line, words }) => [line, words])).to.deep.equal([
      ...[
        [3, 3],
        [3, 1],
        [10, 1],
        [10, 5],
        [13, 1],
        [13, 1],
        [13, 1],
      ],
    ])
  })
})
