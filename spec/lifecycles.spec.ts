/** The diagrams and tables of lifecycles.md. A spec that fails shows the text as it has to be. */
import { readdirSync, readFileSync } from 'node:fs'
import { expect } from 'chai'
import { createPlugin } from '../plugin/index.js'
import { stepsOf } from '../plugin/testing/cases.js'
import { readFixtures, type Step, type TimeStep } from '../plugin/testing/index.js'
import { DRAWN, LIKE, lifecycle, WITHOUT } from './support/lifecycles.js'
import { TEST_SECRET } from './support/settings.js'
import { statusesOf } from './support/status-moves.js'

const { catalog } = createPlugin({
  baseUrl: 'https://desk.example/v1',
  secret: TEST_SECRET,
  database: { url: 'mysql://nobody@nowhere.example/none' },
})
const text = readFileSync('plugin/docs/lifecycles.md', 'utf8')

describe('the lifecycles', () => {
  for (const type of DRAWN) {
    it(`show how a ${type.replaceAll('_', ' ')} changes its status`, () => {
      const [, shown] = new RegExp(`<!-- ${type}: begin -->\n([\\s\\S]*?)\n<!-- ${type}: end -->`).exec(text) ?? []
      expect(shown).to.equal(lifecycle(catalog, type))
    })
  }

  it('are there for all types with a status', () => {
    const types = [...catalog.types.values()].filter((type) => statusesOf(type).length > 0).map(({ name }) => name)
    expect(types).to.have.members([...DRAWN, ...Object.keys(LIKE), ...Object.keys(WITHOUT)])
  })

  it('are alike where one diagram is for several types', () => {
    for (const [type, other] of Object.entries(LIKE)) {
      const system = (name: string) =>
        lifecycle(catalog, name)
          .split('\n')
          .filter((line) => /^\| \d/.test(line))
      expect(statusesOf(catalog.type(type))).to.deep.equal(statusesOf(catalog.type(other)))
      expect(system(type)).to.deep.equal(system(other))
    }
  })

  it('link a story for each of them, and every story', () => {
    const linked = [...text.matchAll(/\]\(\.\.\/\.\.\/fixtures\/requests\/([a-z-]+-lifecycle)\.json\)/g)].map(
      ([, name]) => name,
    )
    const stories = readdirSync('fixtures/requests').filter((file) => file.endsWith('-lifecycle.json'))
    expect(linked).to.have.members(stories.map((file) => file.replace('.json', '')))
  })

  it('quote messages that callers get', () => {
    const answers = new Set(readFixtures('fixtures').topics.flatMap(({ cases }) => cases.flatMap(stepsOf).flatMap(errorsIn)))
    const rows = [...text.matchAll(/\| Message \|\n\|[-|]+\|\n((?:\|.*\|\n)+)/g)].flatMap(([, some = '']) =>
      some.trim().split('\n'),
    )
    const inTables = rows.flatMap((row) => (row.split(' | ').at(-1) ?? '').replace(/ \|$/, '').split(' / '))
    const inText = [...text.matchAll(/: "([A-Z].*)"\.$/gm)].map(([, message = '']) => message)
    expect(inTables).to.have.length.above(15)
    expect(inText).to.have.length.above(4)
    expect([...inTables, ...inText].filter((message) => !answers.has(message))).to.deep.equal([])
  })

  it('are diagrams that Mermaid reads', () => {
    const node = String.raw`(?:\[\*\]|[a-z][a-z0-9_]*)`
    const lines = [
      /^stateDiagram-v2$/,
      /^ {2}state "[a-z_ ,]+" as group\d+$/,
      new RegExp(`^ {2}${node} --> ${node} : [A-Z0-9]+(, [A-Z0-9]+)*$`),
    ]
    const diagrams = [...text.matchAll(/```mermaid\n([\s\S]*?)\n```/g)].map(([, body = '']) => body)
    expect(diagrams).to.have.length(DRAWN.length)
    const wrong = diagrams.flatMap((body) => body.split('\n').filter((line) => !lines.some((form) => form.test(line))))
    expect(wrong).to.deep.equal([])
    // Names that mean something else in the language.
    const names = new Set(diagrams.flatMap((body) => body.match(/[a-z][a-z0-9_]*/g) ?? []))
    for (const reserved of ['end', 'note', 'class', 'style', 'direction', 'default', 'fork', 'join', 'choice'])
      expect([...names]).to.not.include(reserved)
  })
})

/** The messages of an expected refusal. */
function errorsIn(step: Step | TimeStep): readonly string[] {
  if ('at' in step) return []
  const { errors = [] } = Object(step.response.body)
  return (errors as readonly (readonly [string, string])[]).map(([, message]) => message)
}
