/** What the types cannot hold of the table of options: its docstrings, which hosts read. */
import { expect } from 'chai'
import { optionRows } from '../support/option-rows.js'

const rows = optionRows()
const namesWhere = (isSo: (row: (typeof rows)[number]) => boolean) => rows.filter(isSo).map(({ path }) => path)

describe('The rows of the options', () => {
  it('have a docstring, but for groups, which may have one', () => {
    const inEither = new Set(
      rows.flatMap(({ path, option: { rows: inner, filled } }) =>
        filled ? [] : Object.keys(inner ?? {}).map((name) => `${path}.${name}`),
      ),
    )
    expect([...inEither]).to.deep.equal(['database.knex', 'database.url', 'database.pool', 'mongo.db', 'mongo.url'])
    expect(namesWhere(({ path, option, doc }) => doc === '' && !option.rows && !inEither.has(path))).to.deep.equal([])
  })

  it('say their default as it is, if it is a constant', () => {
    const constants = rows.filter(({ constant }) => constant !== null)
    expect(constants).to.have.length.above(15)
    expect(constants.map(({ path, saidDefault }) => [path, saidDefault])).to.deep.equal(
      constants.map(({ path, constant }) => [path, constant]),
    )
  })

  it('say a default if it is none, unless they are required or hooks', () => {
    const silent = namesWhere(
      ({ option, docstring, saidDefault }) =>
        docstring !== '' && saidDefault === '' && !option.required && !docstring.startsWith('Called '),
    )
    expect(silent).to.deep.equal([])
    expect(namesWhere(({ option, saidDefault }) => option.required && saidDefault !== '')).to.deep.equal([])
  })

  it('have milliseconds if their name ends in Ms', () => {
    expect(namesWhere(({ option }) => option.unit === 'ms')).to.deep.equal(namesWhere(({ path }) => path.endsWith('Ms')))
  })
})
