/**
 * Every record type: values outside of the bounds of a field, of its own and of its parts, with every other field as it is. Rules,
 * settlings and hooks run for such records, too, as callers are told all mistakes at once; they compute with what is right.
 */
import { expect } from 'chai'
import type { RecordField, RecordType } from '../../plugin/schema/catalog.js'
import { describePlaces, withContract } from '../support/contract.js'
import { inputName, isWritable, type Made } from '../support/contract-place.js'
import { type Reply, withMounted } from '../support/mounted.js'
import { valuesOutside } from '../support/outside.js'

/** What a caller would send, and the fields one of which it is refused at: that of the record, or that of its part. */
interface Try {
  readonly body: Readonly<Record<string, unknown>>
  readonly at: readonly string[]
}

/** When the records of the world are new, and when all that they plan is long past. */
const TIMES = ['2026-11-21T09:00:00Z', '2031-11-21T09:00:00Z']

for (const time of TIMES)
  describe(`every record type, with values out of bounds, at ${time}`, function () {
    this.timeout(120_000)
    const contract = withContract({ clock: { now: () => new Date(time) } })

    describePlaces(contract, ({ deps, maker, place, canBeMade }) => {
      if (!canBeMade) return
      const { mounted } = deps
      const { type } = place
      const ofPart = (part: RecordType) => (deps.fixtures.get(part.name)?.bodies['full'] ? maker.body(part, 'full') : {})
      const partOf = (field: RecordField) => deps.catalog.type(field.record ?? '')

      it('is refused at that field, and nowhere else, when it is created and when it is changed', async () => {
        const address = await place.address()
        const full = () => maker.body(type, 'full')
        const made = await maker.create(type, address, full())
        const path = place.single(address, made['id'])
        const stored = place.operations.has('single') ? (await mounted.ask(maker.maker(type), 'GET', path)).json : null
        const wrong: string[] = []
        const judge = (how: string, one: Try, answer: Reply) => {
          const { errors = [] } = (answer.json ?? {}) as { errors?: readonly (readonly [string, string])[] }
          const isRight = answer.status === 422 && errors.some(([field]) => one.at.includes(field))
          // Some can only be set when the record is created, or by few.
          const isShut = (how === 'update' && answer.status === 403) || isIgnored(answer, Object.keys(one.body))
          if (!isRight && !isShut)
            wrong.push(`${how} ${JSON.stringify(one.body).slice(0, 100)}: ${answer.status} ${answer.text.slice(0, 200)}`)
        }
        for (const one of triesOf(type, partOf, full(), ofPart)) {
          judge('create', one, await maker.post(type, await place.address(), { ...full(), ...one.body }))
          if (place.operations.has('update'))
            judge('update', one, await mounted.ask(maker.maker(type), 'PATCH', path, one.body))
        }
        expect(wrong).to.deep.equal([])
        if (stored) expect((await mounted.ask(maker.maker(type), 'GET', path)).json as Made).to.deep.equal(stored)
      })
    })
  })

function isIgnored({ headers, status }: Reply, names: readonly string[]): boolean {
  const ignored = String(headers['x-ignored-fields'] ?? '').split(', ')
  return status < 300 && names.every((name) => ignored.includes(name))
}

function triesOf(
  type: RecordType,
  partOf: (field: RecordField) => RecordType,
  full: Readonly<Record<string, unknown>>,
  ofPart: (part: RecordType) => object,
): readonly Try[] {
  return [...type.fields.values()].filter(isWritable).flatMap((field): Try[] => {
    const name = inputName(type, field)
    if (field.kind !== 'part' && field.kind !== 'parts')
      return valuesOutside(field).map((value) => ({ body: { [name]: value }, at: [field.name] }))
    const given: unknown = full[name] ?? ofPart(partOf(field))
    const own = Object(Array.isArray(given) ? given[0] : given)
    return [...partOf(field).fields.values()].filter(isWritable).flatMap((inner) =>
      valuesOutside(inner).map((value) => {
        const part = { ...own, [inner.name]: value }
        return { body: { [name]: field.kind === 'part' ? part : [part] }, at: [field.name, inner.name] }
      }),
    )
  })
}

describe('a rule that computes', () => {
  const mounted = withMounted()

  it('has no value that is out of bounds, whatever is stored beside it', async () => {
    const others = { start_date: '2020-01-01', time_of_day: '08:00', time_zone: 'Amsterdam' }
    const lists = { day: '1', day_of_month: '1', month_of_year: '1' }
    for (const frequency of ['daily', 'weekly', 'monthly', 'yearly', 'no_repeat']) {
      const recurrence = { frequency, interval: 1, ...others, ...lists }
      const made = await mounted.ask('@owen', 'POST', '/change_templates', {
        ...{ subject: `Every ${frequency}`, service_id: mounted.world.id('@email'), recurrence },
      })
      expect(made.status, made.text).to.equal(201)
      for (const interval of [0, -1, 1.5, 2_147_483_648]) {
        const path = `/change_templates/${Object(made.json).id}`
        const { status, json } = await mounted.ask('@owen', 'PATCH', path, { recurrence: { interval } })
        const errors = Object(json).errors?.map(([field]: readonly [string]) => field)
        expect([status, errors], `${frequency} ${interval}`).to.deep.equal([422, ['interval']])
      }
    }
  })
})
