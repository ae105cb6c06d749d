import { Ajv } from 'ajv'
import { expect } from 'chai'
import { BadRequest } from '../../../plugin/core/errors.js'
import type { RecordField } from '../../../plugin/schema/catalog.js'
import { columnOf, kindOf } from '../../../plugin/schema/kinds/kinds.js'
import { isFormat } from '../../../plugin/schema/kinds/values/formats.js'
import { FIELD_KINDS, type Field, type FieldKind, type Json } from '../../../plugin/schema/language/field.js'

/** A field of the kind, as the catalog has it. */
function fieldOf(kind: FieldKind, options: Partial<Field> = {}): RecordField {
  return { kind, name: 'f', column: 'f', via: null, enumeration: 'thing.f', ...options }
}
/** What a value of a caller becomes; a refusal is told by its code, JSON in a text beyond the budget of bodies by its error. */
function become(field: RecordField, value: unknown): unknown {
  try {
    const read = kindOf(field).input?.read(value, 'Europe/Amsterdam', field)
    return read === undefined ? 'not written' : 'refused' in read ? read.refused : read.value
  } catch (error) {
    if (typeof value === 'string' && error instanceof BadRequest) return error
    throw error
  }
}
const filter = (field: RecordField, text: string) => kindOf(field).filter?.read(text, field, 'Europe/Amsterdam')
const cell = (field: RecordField, text: string) => kindOf(field).input?.cell?.(text, field)
/** True when a value that was read meets the JSON schema of the kind. */
function fits(field: RecordField, value: unknown): boolean {
  const ajv = new Ajv({ strict: true, allowUnionTypes: true })
  ajv.addKeyword({
    keyword: 'maxBytes',
    type: 'string',
    validate: (most: number, text: string) => Buffer.byteLength(text) <= most,
  })
  ajv.addFormat('email', (text: string) => isFormat('email', text))
  return ajv.validate(kindOf(field).input?.check?.(field) ?? {}, value)
}

/** Values that no caller of good will sends. */
const HOSTILE: readonly unknown[] = [
  ...[{}, [], [[]], [null], { id: {} }, { toString: 'x' }, Object.create(null), new Date(Number.NaN)],
  ...[Number.NaN, Number.POSITIVE_INFINITY, -0, 1e308, 2 ** 53, 1n, Symbol('x'), () => 1],
  ...['\0', '\ud800', 'a\0b', '9'.repeat(100_000), '('.repeat(100_000), '{"a":'.repeat(1000), '__proto__', 'constructor'],
  ...['1e999', '0x10', '2026-02-30', '24:01', '9999999999999999999999', '-', '.', '+', 'null', '٣'],
]
const OPTIONS: Partial<Record<FieldKind, Partial<Field>>> = {
  string: { max: 20 },
  strings: { max: 20 },
  enum: { values: ['red', 'blue'] },
  event: { values: ['thing.create'] },
  datetime: { keywords: ['never'] },
}

describe('each kind of field', () => {
  for (const kind of FIELD_KINDS) {
    const field = fieldOf(kind, OPTIONS[kind])

    it(`${kind} reads whatever is sent, in a moment, and keeps only what columns can hold`, () => {
      for (const value of HOSTILE) {
        const started = performance.now()
        const read = become(field, value)
        expect(performance.now() - started, String(typeof value)).to.be.lessThan(2000)
        expect(read, String(typeof value)).to.not.equal(undefined)
        if (!fits(field, read)) continue
        if (typeof read === 'number') expect(Number.isFinite(read)).to.equal(true)
        if (typeof read === 'string') expect(/[\0\ud800-\udfff]/.test(read), 'a text that no column keeps').to.equal(false)
      }
    })

    it(`${kind} compares with nothing but its own values`, () => {
      for (const text of HOSTILE.filter((value) => typeof value === 'string')) {
        const read = filter(field, text)
        expect(typeof read === 'number' ? Number.isFinite(read) : true, text.slice(0, 20)).to.equal(true)
        expect(typeof cell(field, text), text.slice(0, 20)).to.not.equal('function')
      }
      for (const value of HOSTILE.filter((one) => typeof one !== 'object'))
        expect(() => kindOf(field).mistakeInTest?.(value, field), typeof value).to.not.throw()
    })

    it(`${kind} has a schema in the document, and a column or none`, () => {
      expect(kindOf(field).column === null || columnOf(field).form(field).types.length > 0).to.equal(true)
      expect(Object.keys(kindOf(field).document)).to.include('shown')
    })
  }

  it('that is not known counts as a text, so that the rest of its definition can be checked', () => {
    for (const kind of ['colour', 'constructor', '__proto__', ''] as unknown as FieldKind[])
      expect(kindOf({ kind }), String(kind)).to.equal(kindOf({ kind: 'text' }))
  })
})

describe('values of fields', () => {
  const values: readonly (readonly [RecordField, sent: unknown, kept: Json, cell: unknown])[] = [
    [fieldOf('string', { max: 9 }), ' a\u200b', 'a', 'a'],
    [fieldOf('string', { max: 30, format: 'email' }), ' Ed@ACME.example ', 'ed@acme.example', 'ed@acme.example'],
    [fieldOf('text'), 'a\r\nb ', 'a\nb ', 'a\nb '],
    [fieldOf('integer'), '+7', 7, 7],
    [fieldOf('integer', { unit: 'minutes' }), '4:30', 270, 270],
    [fieldOf('integer', { unit: 'minutes' }), '-4:30', -270, -270],
    [fieldOf('integer', { unit: 'minutes' }), '-0:00', 0, 0],
    [fieldOf('float'), '.5', 0.5, 0.5],
    [fieldOf('decimal'), '007.505', '7.51', '7.51'],
    [fieldOf('boolean'), 'Yes', true, 1],
    [fieldOf('enum', { values: ['red'] }), 'red', 'red', 'red'],
    [fieldOf('event', { values: ['a.create'] }), 'a.create', 'a.create', 'a.create'],
    [fieldOf('date'), ' 2024-02-29 ', '2024-02-29', '2024-02-29'],
    [fieldOf('datetime'), '2026-11-22T10:00:00+01:00', '2026-11-22T09:00:00Z', '2026-11-22 09:00:00'],
    [fieldOf('datetime', { keywords: ['never'] }), 'never', 'never', 'never'],
    [fieldOf('timeOfDay', { end: true }), '00:00', '24:00', '24:00'],
    [fieldOf('json'), '{"a":[1]}', { a: [1] }, '{"a":[1]}'],
    [fieldOf('strings', { max: 9 }), ['b ', ' ', 7], ['b', '7'], '["b","7"]'],
    [fieldOf('ref'), { id: '12' }, 12, 12],
  ]

  for (const [field, sent, kept, stored] of values) {
    it(`of the kind ${field.kind} are kept as ${JSON.stringify(kept)} and come back from their column`, () => {
      expect(become(field, sent)).to.deep.equal(kept)
      expect(fits(field, kept)).to.equal(true)
      expect(columnOf(field).encode(kept as Exclude<Json, null>)).to.equal(stored)
      expect(columnOf(field).decode(stored)).to.deep.equal(kept)
    })
  }

  it('have bounds, which their schemas or their readers keep', () => {
    expect(fits(fieldOf('integer'), 2 ** 31)).to.equal(false)
    expect(fits(fieldOf('integer'), -(2 ** 31))).to.equal(true)
    expect(fits(fieldOf('integer', { minimum: 1 }), 0)).to.equal(false)
    expect(fits(fieldOf('string', { max: 3 }), 'abcd')).to.equal(false)
    expect(fits(fieldOf('string', { max: 3 }), '😀😀😀')).to.equal(true)
    expect(fits(fieldOf('text'), 'é'.repeat(32_769))).to.equal(false)
    expect(fits(fieldOf('strings', { max: 9 }), Array(101).fill('a'))).to.equal(false)
    expect(become(fieldOf('decimal'), '1'.repeat(13))).to.equal('not_a_number')
    expect(become(fieldOf('decimal', { maximum: 10 }), '10.01')).to.equal('greater_than')
    expect(become(fieldOf('json'), { a: 'x'.repeat(65_536) })).to.equal('too_big_text')
    expect(become(fieldOf('parts'), Array(1_001).fill({}))).to.equal('invalid')
    expect(become(fieldOf('ref'), 2 ** 53)).to.equal('cannot_be_found')
  })

  it('that filters name are values of the field, or nothing', () => {
    const nothing: readonly (readonly [FieldKind, string])[] = [
      ...(['integer', 'ref'] as const).flatMap((kind) => [
        [kind, '1.5'] as const,
        [kind, '9'.repeat(17)] as const,
        [kind, ''] as const,
      ]),
      ...[
        ['float', '1e5'] as const,
        ['decimal', 'NaN'] as const,
        ['date', '2026-02-30'] as const,
        ['timeOfDay', '25:00'] as const,
      ],
      ...[['datetime', 'soon'] as const, ['localDatetime', '2026-13-01T00:00'] as const, ['enum', 'RED'] as const],
    ]
    for (const [kind, text] of nothing) expect(filter(fieldOf(kind, OPTIONS[kind]), text), `${kind} ${text}`).to.equal(null)
    expect(filter(fieldOf('datetime'), '2026-11-22T10:00:00 0100')).to.equal('2026-11-22T09:00:00Z')
    expect(filter(fieldOf('json'), '{}')).to.equal(undefined)
  })
})
