/** The part of the generated suite about creating and changing records. */
import { expect } from 'chai'
import { it } from 'mocha'
import type { RecordField } from '../../plugin/schema/catalog.js'
import type { RecordFixture } from '../../plugin/testing/index.js'
import { withNames } from '../../plugin/testing/names.js'
import {
  type ContractDeps,
  fieldShownAs,
  inputName,
  isShownAt,
  isWritable,
  type Made,
  type Maker,
  type Place,
  shownValue,
  tried,
} from './contract-place.js'
import type { Reply } from './mounted.js'

/** Of longer enumerations, only the ends and the middle are tried. */
const MAX_VALUES = 20
/** Spec, Limits: 64 KB. */
const TEXT_BYTES = 65_536

/** Texts that not any letters can be. */
const HAS_A_GRAMMAR = new Set(['webhook.filter', 'view.query', 'view.record_type'])

export function describeCreating(deps: ContractDeps, maker: Maker, place: Place, fixture: RecordFixture): void {
  const { mounted } = deps
  const { type } = place
  const fields = [...type.fields.values()]
  const minimal = fixture.bodies['minimal'] ?? {}
  const full = fixture.bodies['full'] ?? {}

  it('is created with its required fields only, and answered in full and in order', async () => {
    const address = await place.address()
    const answer = await maker.post(type, address, maker.body(type, 'minimal'))
    expect(answer.status, answer.text).to.equal(201)
    const made = answer.json as Made
    const shown = fields
      .filter((field) => isShownAt(place, field) && !field.onRequest && !(field.onlyWhenSet && !(field.name in made)))
      .map((field) => field.name)
    expect(Object.keys(made).map((name) => fieldShownAs(type, name))).to.deep.equal(shown)
    expect(answer.headers['location']).to.equal(`${mounted.baseUrl}${place.single(address, made['id'])}`)
    for (const field of fields) {
      if (field.default === undefined || field.derived || !isShownAt(place, field) || inputName(type, field) in minimal)
        continue
      if (type.rules.some(({ behavior }) => behavior.fields?.includes(field.name))) continue
      expect(shownValue(type, field, made), field.name).to.deep.equal(field.default)
    }
    if (!place.operations.has('single')) return
    const read = await mounted.ask(maker.maker(type), 'GET', place.single(address, made['id']))
    expect(read.json).to.deep.equal(made)
  })

  for (const { name, pairsOf } of fields) {
    if (pairsOf === undefined) continue
    it(`takes ${pairsOf} as a list of id and value as well, and shows the list on request`, async () => {
      const address = await place.address()
      const list = [
        { id: 'floor', value: 3 },
        { id: 'tags', value: ['a', { b: null }] },
      ]
      const made = await maker.create(type, `${address}?fields=${name}`, { ...maker.body(type, 'minimal'), [name]: list })
      expect(made[name]).to.deep.equal(list)
      expect(made[pairsOf]).to.deep.equal({ floor: 3, tags: ['a', { b: null }] })
      const single = place.single(address, made['id'])
      const change = { [name]: [{ id: 'floor', value: null }] }
      const changed = await mounted.ask(maker.maker(type), 'PATCH', single, change)
      expect((changed.json as Made)[pairsOf], changed.text).to.deep.equal({ floor: null, tags: ['a', { b: null }] })
      expect(changed.json).not.to.have.property(name)
      const read = await mounted.ask(maker.maker(type), 'GET', `${single}?fields=id,${name}`)
      expect((read.json as Made)[name]).to.deep.include.members([{ id: 'floor', value: null }])
      expect(Object.keys(read.json as Made)).to.include.members(Object.keys(changed.json as Made))
      for (const wrong of [
        [{ id: 'floor' }],
        [{ value: 3 }],
        { floor: 3 },
        'floor',
        [[]],
        [list[0], { id: 'floor', value: 4 }],
      ]) {
        refused(await maker.post(type, address, { ...maker.body(type, 'minimal'), [name]: wrong }), name, /^Custom fields /)
      }
    })
  }

  for (const field of fields.filter((one) => one.required && isWritable(one))) {
    const given = [field.name, inputName(type, field)].find((name) => name in minimal)
    if (given === undefined) continue
    it(`is refused without ${field.name}`, async () => {
      const address = await place.address()
      const { [given]: _, ...without } = maker.body(type, 'minimal')
      for (const body of [without, { ...without, [given]: null }, { ...without, [given]: ' ' }]) {
        refused(await maker.post(type, address, body), field.name, /can't be blank$/)
      }
    })
  }

  // A text that names an account is refused unless there is one.
  const isFree = (field: RecordField) => isWritable(field) && field.name !== type.registeredIn
  const texts = fields.filter((field) => isFree(field) && (field.kind === 'string' || field.kind === 'text'))
  for (const field of tried(texts)) {
    const most = field.max ?? (field.kind === 'string' ? 255 : TEXT_BYTES)
    it(`takes ${most} characters of ${field.name} and not one more`, async () => {
      const address = await place.address()
      const companion = companionOf(deps, fixture, field, '*') ?? {}
      const tooLong = { ...maker.body(type, 'minimal'), ...companion, [field.name]: 'x'.repeat(most + 1) }
      const sentence = field.format ? /is too long|is invalid|not included/ : /is too long \(maximum is \d+ (characters|KB)\)$/
      refused(await maker.post(type, address, tooLong), field.name, sentence)
      if (field.format || HAS_A_GRAMMAR.has(`${type.name}.${field.name}`)) return
      // A type may have several places, but a unique value can be used only once.
      const isUnique = type.unique.some((group) => group.includes(field.column ?? ''))
      const longest = isUnique ? place.title.padEnd(most, 'x').slice(0, most) : 'x'.repeat(most)
      const just = { ...maker.body(type, 'minimal'), ...companion, [field.name]: longest }
      const answer = await maker.post(type, address, just)
      expect(answer.status, answer.text.slice(0, 500)).to.equal(201)
      if (isShownAt(place, field)) expect(String(shownValue(type, field, answer.json as Made)).length).to.equal(most)
    })
  }

  for (const field of tried(fields.filter((one) => isWritable(one) && one.kind === 'enum'))) {
    it(`takes the values of ${field.name} and no others`, async () => {
      for (const value of sampleOf(field.values ?? [])) {
        const companion = companionOf(deps, fixture, field, value)
        if (companion === null) continue
        const address = await place.address()
        const body = { ...maker.body(type, 'minimal'), ...companion, [field.name]: value }
        const answer = await maker.post(type, address, body)
        expect(answer.status, `${value}: ${answer.text}`).to.equal(201)
        if (isShownAt(place, field)) expect(shownValue(type, field, answer.json as Made)).to.equal(value)
      }
      const wrong = { ...maker.body(type, 'minimal'), [field.name]: 'neither of them' }
      refused(await maker.post(type, await place.address(), wrong), field.name, /is not included in the list$/)
    })
  }

  const references = fields.filter((field) => field.kind === 'ref' && isWritable(field) && !field.write)
  if (references.length > 0) {
    it('passes over no reference that cannot be read', async () => {
      for (const junk of ['nobody at all', {}, 1.5, true]) {
        const given = references.filter(({ shownAs }) => !shownAs || typeof junk === 'object').map(({ name }) => [name, junk])
        const { [`${place.by}_id`]: _, ...body } = { ...maker.body(type, 'minimal'), ...Object.fromEntries(given) }
        for (const [name] of given) delete body[`${name}_id`]
        const answer = await maker.post(type, await place.address(), body)
        expect(answer.status, answer.text).to.equal(422)
        const found = new Map((answer.json as { errors: [string, string][] }).errors)
        for (const [name] of given) expect(found.get(String(name)), `${name}: ${answer.text}`).to.match(/cannot be found$/)
      }
    })
  }

  it('ignores what callers send for fields that are read-only, and for fields that do not exist', async () => {
    const control = await maker.create(type, await place.address(), maker.body(type, 'minimal'))
    const strange = Object.fromEntries(
      fields.filter((field) => field.readOnly && field.column).map((field) => [inputName(type, field), strangeValue(field)]),
    )
    const body = { ...maker.body(type, 'minimal'), ...strange, no_such_field: 'x' }
    const made = await maker.create(type, await place.address(), body)
    for (const field of fields.filter((one) => one.readOnly && isShownAt(place, one))) {
      const value = shownValue(type, field, made)
      const isUnique = field.name === 'id' || type.unique.some((group) => group.includes(field.name))
      if (isUnique) expect(value).not.to.equal(strange[field.name])
      else if (field.kind === 'datetime' && value) expect(String(value)).not.to.contain('2001-02-03')
      else if (field.kind !== 'datetime' && field.derived?.as !== 'translation' && !(typeof value === 'object' && value))
        expect(value, field.name).to.deep.equal(shownValue(type, field, control))
    }
    expect(made).not.to.have.property('no_such_field')
  })

  it('keeps every field that it is given', async () => {
    const left = fields.filter((field) => isWritable(field) && field.column !== null && !(inputName(type, field) in full))
    const excused = new Set(Object.keys(fixture.notInFull ?? {}))
    expect(
      left.map((field) => field.name).filter((name) => !excused.has(name)),
      'fixtures: fields missing in full',
    ).to.deep.equal([])
    const body = maker.body(type, 'full')
    const made = await maker.create(type, await place.address(), body)
    for (const field of fields) {
      const given = body[inputName(type, field)]
      if (given === undefined || !isShownAt(place, field)) continue
      const shown = shownValue(type, field, made)
      // The text of the record, not the id that was sent.
      if (field.shownAs) expect(shown, field.name).to.be.a('string')
      else if (field.kind === 'part') expect(shown, field.name).to.include(given)
      // Only names are shown.
      else if (field.kind === 'headers') expect(shown, field.name).to.have.all.keys(Object.keys(Object(given)))
      else expect(comparable(shown), field.name).to.deep.equal(comparable(given))
    }
  })

  for (const { name, body, errors } of fixture.invalid ?? []) {
    it(`is refused ${name}`, async () => {
      const { $like, ...rest } = withNames(body, mounted.world.id) as Record<string, unknown>
      const start = $like === undefined ? {} : maker.body(type, String($like).split('.')[1] ?? '')
      const answer = await maker.post(type, await place.address(), { ...start, ...rest })
      expect(answer.status, answer.text).to.equal(422)
      const found = (answer.json as { errors: [string, string][] }).errors
      const wanted = errors.map(([field, sentence], index) => [field, sentence === '@text' ? found[index]?.[1] : sentence])
      expect(found).to.deep.equal(wanted)
    })
  }
}

export function describeUpdating(deps: ContractDeps, maker: Maker, place: Place, fixture: RecordFixture): void {
  const { mounted } = deps
  const { type } = place
  const change = () => withNames(fixture.changes?.['update'] ?? {}, mounted.world.id) as Record<string, unknown>

  it('is changed by what is sent and keeps the rest, with PATCH and with PUT', async () => {
    expect(Object.keys(change()), 'fixtures: changes.update').not.to.deep.equal([])
    for (const verb of ['PATCH', 'PUT']) {
      const address = await place.address()
      const before = await maker.create(type, address, maker.body(type, 'minimal'))
      const answer = await mounted.ask(maker.maker(type), verb, place.single(address, before['id']), change())
      expect(answer.status, answer.text).to.equal(200)
      const after = answer.json as Made
      for (const field of type.fields.values()) {
        if (!isShownAt(place, field) || field.name === 'updated_at' || field.derived?.as === 'translation') continue
        const given = change()[inputName(type, field)]
        const wanted = given === undefined ? shownValue(type, field, before) : given
        if (given !== undefined && (field.shownAs || field.kind === 'part')) continue
        expect(comparable(shownValue(type, field, after)), field.name).to.deep.equal(comparable(wanted))
      }
    }
  })

  it('takes its own answer back, and stays as it is', async () => {
    const address = await place.address()
    const made = await maker.create(type, address, maker.body(type, 'full'))
    const path = place.single(address, made['id'])
    const before = (await mounted.ask(maker.maker(type), 'GET', path)).json as Made
    const answer = await mounted.ask(maker.maker(type), 'PUT', path, before)
    expect(answer.status, answer.text).to.equal(200)
    const unchanged = (record: Made) => ({ ...record, updated_at: null })
    expect(unchanged(answer.json as Made)).to.deep.equal(unchanged(before))
    expect(answer.headers['x-ignored-fields']).to.match(/^id(, |$)/)
  })

  it('is changed by nobody who may not', async () => {
    const address = await place.address()
    const made = await maker.create(type, address, maker.body(type, 'minimal'))
    const body = change()
    const known = await mounted.ask('@ines', 'PATCH', place.single(address, made['id']), body)
    expect([403, 404]).to.contain(known.status)
    const stranger = await mounted.ask('@stan', 'PATCH', place.single(address, made['id']), body)
    expect(stranger.status).to.equal(404)
    const nobody = await mounted.ask(null, 'PATCH', place.single(address, made['id']), body)
    expect(nobody.status).to.equal(401)
  })
}

/** Fields that a value needs; null if callers cannot set the value. */
function companionOf(
  { mounted }: ContractDeps,
  fixture: RecordFixture,
  field: RecordField,
  value: string,
): Record<string, unknown> | null {
  const companions = fixture.with?.[field.name]
  const found = companions?.[value] === undefined ? companions?.['*'] : companions[value]
  return found === null ? null : (withNames(found ?? {}, mounted.world.id) as Record<string, unknown>)
}

function refused(answer: Reply, field: string, sentence: RegExp): void {
  expect(answer.status, answer.text).to.equal(422)
  const { message, errors } = answer.json as { message: string; errors: [string, string][] }
  expect(message).to.equal('Validation Failed')
  const found = errors.filter(([name]) => name === field).map(([, text]) => text)
  expect(
    found.some((text) => sentence.test(text)),
    answer.text,
  ).to.equal(true)
}

function sampleOf(values: readonly string[]): readonly string[] {
  if (values.length <= MAX_VALUES) return values
  return [values[0], values[Math.floor(values.length / 2)], values.at(-1)].filter((value) => value !== undefined)
}

function strangeValue(field: RecordField): unknown {
  switch (field.kind) {
    case 'boolean':
      return field.default !== true
    case 'integer':
    case 'float':
    case 'ref':
      return 987_654_321
    case 'datetime':
      return '2001-02-03T04:05:06Z'
    case 'enum':
      return field.values?.find((value) => value !== field.default) ?? 'x'
    case 'json':
      return { strange: true }
    default:
      return 'strange'
  }
}

/** References by their id, timestamps regardless of their time zone. */
function comparable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(comparable)
  if (typeof value === 'object' && value !== null && 'id' in value) return value.id
  if (typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.test(value)) return new Date(value).getTime()
  return value
}
