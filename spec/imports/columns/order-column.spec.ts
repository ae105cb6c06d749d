import { expect } from 'chai'
import { linkedNames, readPair } from '../../../plugin/imports/columns/order-column.js'

describe('a line with two names', () => {
  const names = linkedNames(
    new Map([
      [1, 'Ask'],
      [2, 'Do it'],
      [3, "Ann's task"],
      [4, 'Twice'],
      [5, 'TWICE'],
      [6, "'Quoted'"],
      [7, "a' => 'b"],
      [8, '15'],
      [15, 'Fifteen'],
    ]),
  )
  const read = (line: string) => readPair(line, names)

  for (const [line, pair] of [
    ["'Ask' => 'Do it'", [1, 2]],
    ["'ask'=>'DO   it'", [1, 2]],
    ["' Ask '   =>\t'Do it '", [1, 2]],
    ["'Ann's task' => ''Quoted''", [3, 6]],
    ["'a' => 'b' => 'Ask'", [7, 1]],
    ["'15' => 'Ask'", [8, 1]],
    ['15 => 8', [15, 8]],
    ['015=>8', [15, 8]],
  ] as const)
    it(`is read: ${line}`, () => expect(read(line)).to.deep.equal(pair))

  for (const [line, code, value] of [
    ['Ask => Do it', 'pair_malformed', 'Ask => Do it'],
    ["'Ask' -> 'Do it'", 'pair_malformed', "'Ask' -> 'Do it'"],
    ["'", 'pair_malformed', "'"],
    ["'Ask' => 2", 'pair_malformed', "'Ask' => 2"],
    ["'Ask' => 'Nothing'", 'pair_not_linked', 'Nothing'],
    ["'' => 'Ask'", 'pair_not_linked', ''],
    ["'Ask' => 'Twice'", 'ambiguous_name', 'Twice'],
    ['1 => 99', 'pair_not_linked', '99'],
    [`1 => ${'9'.repeat(16)}`, 'pair_malformed', `1 => ${'9'.repeat(16)}`],
  ] as const)
    it(`is refused: ${line}`, () => expect(read(line)).to.deep.equal({ code, value }))

  it('is refused at once if it is far too long', () => {
    const line = `'${"x' => '".repeat(300_000)}'`
    expect(read(line)).to.include({ code: 'pair_malformed' })
  })
})
