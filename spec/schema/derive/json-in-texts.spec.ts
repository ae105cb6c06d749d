import { expect } from 'chai'
import { BadRequest } from '../../../plugin/core/errors.js'
import { readAttachments } from '../../../plugin/schema/derive/attachment-inputs.js'
import { parseJson } from '../../../plugin/schema/kinds/values/json-values.js'
import { readPairs } from '../../../plugin/schema/kinds/values/pair-list.js'

const NAMES = JSON.stringify(Object.fromEntries(Array.from({ length: 1_001 }, (_, n) => [`name ${n}`, n])))
const BEYOND = [`[${NAMES}]`, JSON.stringify(Array(10_001).fill(1)), '['.repeat(33) + ']'.repeat(33), '['.repeat(100_000)]

describe('JSON within a text of a body', () => {
  it('is refused like the body itself if it is over the budget', () => {
    for (const text of BEYOND) {
      for (const read of [parseJson, readPairs, readAttachments])
        expect(() => read(text), text.slice(0, 20)).to.throw(BadRequest, /^Body should not/)
    }
  })

  it('is a mistake in its field if it is no JSON', () => {
    expect([parseJson('{"a":'), readPairs('[1'), readAttachments('[1')]).to.deep.equal([
      null,
      { refused: 'invalid' },
      { refused: 'invalid' },
    ])
  })
})
