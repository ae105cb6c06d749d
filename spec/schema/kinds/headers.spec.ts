import { expect } from 'chai'
import { createSeal } from '../../../plugin/core/seal.js'
import { columnOf, kindOf } from '../../../plugin/schema/kinds/kinds.js'
import { MASK, openHeaders, type SealedHeaders } from '../../../plugin/schema/kinds/values/delivery-headers.js'
import type { Json } from '../../../plugin/schema/language/field.js'

const FIELD = { kind: 'headers', name: 'headers', column: 'headers', via: null, enumeration: 'thing.headers' } as const
const fieldSeal = createSeal('a secret of the specs about headers', 'field seal')
const tools = { fieldSeal, randomBytes: Buffer.alloc }

const read = (value: unknown) => kindOf(FIELD).input?.read(value, 'UTC', FIELD)
function sealed(given: object, before: Json = null): SealedHeaders {
  const result = kindOf(FIELD).secret?.seal(given as Json, before, tools)
  if (!result || 'refused' in result) throw new Error(JSON.stringify(result))
  return result.value as SealedHeaders
}

describe('headers of deliveries', () => {
  it('are names and values, in any case, of other names than ours', () => {
    expect(read({ 'X-Env': 'test', authorization: 'Bearer a b=' })).to.deep.equal({
      value: { 'X-Env': 'test', authorization: 'Bearer a b=' },
    })
    expect(read({})).to.deep.equal({ value: null })
    for (const name of ['Host', 'webhook-signature', 'CONTENT-ENCODING', 'Link', 'te', 'x y', 'x:', '', 'ü', 'x'.repeat(101)])
      expect(read({ [name]: 'x' }), name).to.deep.equal({ refused: 'header_not_allowed', params: { name: name.slice(0, 100) } })
    for (const value of ['', ' ', ' x', 'x\n', 'x\0', 'ü', 'x'.repeat(1025), 5, null, ['x'], {}])
      expect(read({ x: value }), String(value)).to.deep.equal({ refused: 'header_value', params: { name: 'x', max: 1024 } })
    for (const value of [[], 'x', 5, true]) expect(read(value), String(value)).to.deep.equal({ refused: 'invalid' })
  })

  it('are sealed as a whole; their names alone can be read', () => {
    const row = sealed({ 'X-Env': 'hush' })
    expect(row.names).to.deep.equal(['X-Env'])
    expect(JSON.stringify(row)).to.not.contain('hush')
    expect(openHeaders(row, fieldSeal)).to.deep.equal({ 'X-Env': 'hush' })
    expect(openHeaders(row, createSeal('another secret, after a change of it', 'field seal'))).to.equal(null)
    expect(kindOf(FIELD).answer?.show?.(FIELD)?.(row, {} as never)).to.deep.equal({ 'X-Env': MASK })
  })

  it('keep the value that they have where a mask is sent back, and stay as they are without a change', () => {
    const before = sealed({ 'X-Env': 'hush', 'X-More': 'b' })
    expect(sealed({ 'X-Env': MASK, 'X-More': MASK }, before)).to.equal(before)
    expect(sealed({ 'X-Env': 'hush', 'X-More': 'b' }, before)).to.equal(before)
    expect(openHeaders(sealed({ 'x-env': MASK }, before), fieldSeal)).to.deep.equal({ 'x-env': 'hush' })
    const refused = { refused: 'header_value', params: { name: 'X-New', max: 1024 } }
    expect(kindOf(FIELD).secret?.seal({ 'X-New': MASK }, before, tools)).to.deep.equal(refused)
    expect(kindOf(FIELD).secret?.seal({ 'X-New': MASK }, null, tools)).to.deep.equal(refused)
  })

  it('are never put into a row by rules or hooks as they can be read', () => {
    const { refuse } = columnOf(FIELD)
    expect(refuse({ 'X-Env': 'hush' }, FIELD)).to.deep.equal({ refused: 'invalid' })
    expect(refuse({ names: ['X-Env'], sealed: 'AA==', 'X-Env': 'hush' }, FIELD)).to.deep.equal({ refused: 'invalid' })
    expect(refuse(sealed({ 'X-Env': 'hush' }), FIELD)).to.equal(null)
  })
})
