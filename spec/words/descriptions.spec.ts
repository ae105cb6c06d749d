/** The descriptions of fields: one for each field of our types, and none for anything else. */
import { expect } from 'chai'
import { createPlugin } from '../../plugin/index.js'
import { DESCRIPTIONS, fieldDescription } from '../../plugin/words/descriptions/descriptions.js'
import { TEST_SECRET } from '../support/settings.js'

describe('descriptions of fields', () => {
  const { catalog } = createPlugin({
    baseUrl: 'https://desk.example/v1',
    secret: TEST_SECRET,
    database: { url: 'mysql://nobody@nowhere.example/none' },
  })
  const fields = [...catalog.types.values()].flatMap((type) =>
    [...type.fields.keys()].map((field) => ({ type: type.name, field })),
  )
  const { byType, shared } = DESCRIPTIONS

  it('exist for each field of each type', () => {
    expect(fields.filter(({ type, field }) => fieldDescription(type, field) === null)).to.deep.equal([])
  })

  it('exist for nothing else', () => {
    const own = Object.entries(byType).flatMap(([type, texts]) => Object.keys(texts).map((field) => ({ type, field })))
    expect(own.filter(({ type, field }) => !catalog.types.get(type)?.fields.has(field))).to.deep.equal([])
    const inherited = new Set(fields.filter(({ type, field }) => !byType[type]?.[field]).map(({ field }) => field))
    expect(Object.keys(shared).filter((field) => !inherited.has(field))).to.deep.equal([])
  })

  it('are one line each, a sentence, and differ from what all types say', () => {
    const texts = [shared, ...Object.values(byType)].flatMap((table) => Object.entries(table))
    expect(texts.filter(([, text]) => !/^[A-Z][^\n]{8,118}[^ ,;:.]\.$/.test(text))).to.deep.equal([])
    const repeated = Object.entries(byType).flatMap(([type, table]) =>
      Object.entries(table).flatMap(([field, text]) => (shared[field] === text ? [`${type} ${field}`] : [])),
    )
    expect(repeated).to.deep.equal([])
  })

  it('leave the unit to the document, which adds it', () => {
    const units = /\b(minutes|hours|days|years|percent|bytes)\b/i
    const repeated = fields.filter(({ type, field }) => {
      const { unit } = catalog.type(type).fields.get(field) ?? {}
      return unit !== undefined && units.exec(fieldDescription(type, field) ?? '')?.[0].toLowerCase() === unit
    })
    expect(repeated).to.deep.equal([])
  })

  it('name a default as such, and times by which something is due', () => {
    const texts = [shared, ...Object.values(byType)].flatMap((table) => Object.values(table))
    expect(texts.filter((text) => /\bat first\b|^Until when\b|^Since when\b/.test(text))).to.deep.equal([])
  })

  it('are not found by names that every object has', () => {
    expect([fieldDescription('constructor', 'toString'), fieldDescription('request', 'constructor')]).to.deep.equal([
      null,
      null,
    ])
  })
})
