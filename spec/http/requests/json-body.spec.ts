import { expect } from 'chai'
import { BadRequest, Invalid } from '../../../plugin/core/errors.js'
import { cleanObject, parseForm, parseJsonObject } from '../../../plugin/http/requests/json-body.js'

const nested = (levels: number) => `${'{"a":'.repeat(levels - 1)}{}${'}'.repeat(levels - 1)}`

describe('http/json-body: parsing', () => {
  it('takes objects and nothing else', () => {
    expect(parseJsonObject(' {"a":[1,{"b":null}]} ')).to.deep.equal({ a: [1, { b: null }] })
    for (const text of ['[]', '"a"', '1', 'null', 'true']) {
      expect(() => parseJsonObject(text), text).to.throw(BadRequest, 'Body should be a JSON object')
    }
    for (const text of ['{', "{'a':1}", '{"a":1}x', 'NaN']) {
      expect(() => parseJsonObject(text), text).to.throw(BadRequest, 'Invalid JSON string posted')
    }
  })

  it('bounds the depth', () => {
    expect(() => parseJsonObject(nested(32))).to.not.throw()
    expect(() => parseJsonObject(nested(33))).to.throw(BadRequest, '32 levels')
    expect(() => parseJsonObject(`{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`)).to.throw(BadRequest)
  })

  it('drops fields that reach for prototypes, and refuses values with such names', () => {
    const body = parseJsonObject('{"a":{"b":[{}]},"__proto__":{"x":1},"constructor":{"prototype":{"x":1}}}')
    expect(JSON.stringify(body)).to.equal('{"a":{"b":[{}]}}')
    expect(JSON.stringify({ ...body, ...Object.assign({}, body) })).to.equal('{"a":{"b":[{}]}}')
    for (const inner of ['{"__proto__":{"x":1}}', '{"b":[{"__proto__":1}]}', '[{"constructor":{"prototype":{}}}]'])
      expect(() => parseJsonObject(`{"a":${inner}}`), inner).to.throw(Invalid)
    expect(({} as Record<string, unknown>)['x']).to.equal(undefined)
  })

  it('keeps a harmless value called constructor', () => {
    expect(parseJsonObject('{"custom_data":{"constructor":"Otis"}}')).to.deep.equal({ custom_data: { constructor: 'Otis' } })
  })

  it('takes the last of a name that a form holds twice', () => {
    expect(parseForm('a=1&a=2&b=x+y%2C')).to.deep.equal({ a: '2', b: 'x y,' })
  })

  it('refuses what is no object, whoever parsed it', () => {
    for (const value of [undefined, null, 1, 'a', []]) expect(() => cleanObject(value)).to.throw(BadRequest)
  })
})
