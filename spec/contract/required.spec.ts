/** What the OpenAPI document calls required in a create body is what creating a record is refused without, type by type. */
import { expect } from 'chai'
import type { RecordType } from '../../plugin/schema/catalog.js'
import { describePlaces, withContract } from '../support/contract.js'
import { fieldSentAs } from '../support/contract-place.js'
import { checkAgainst, type OpenapiCheck, type OpenapiDocument } from '../support/openapi.js'

describe('the create bodies of the OpenAPI document', () => {
  const contract = withContract()
  const { mounted } = contract.deps
  let document: OpenapiDocument | null = null
  let check: OpenapiCheck | null = null

  before('reads the document', async () => {
    document = (await mounted.ask(null, 'GET', '/openapi.json')).json as OpenapiDocument
    check = checkAgainst(document)
  })

  describePlaces(contract, ({ place, maker, canBeMade, fixture }) => {
    if (!canBeMade) return
    const { type } = place
    const schema = type.name.replace(/(^|_)([a-z])/g, (_, _before, letter: string) => letter.toUpperCase())

    it('describe the bodies of the fixtures to the letter', () => {
      const bodies = Object.keys(fixture.bodies)
      const differing = bodies.flatMap(
        (name) => check?.schemaDifferences(`${schema}Create`, maker.body(type, name)) ?? ['none'],
      )
      const changes = Object.values(fixture.changes ?? {})
      expect(differing).to.deep.equal([])
      expect(
        changes.flatMap((body) => check?.schemaDifferences(`${schema}Update`, maker.named(body)) ?? ['none']),
      ).to.deep.equal([])
    })

    it('require what a record cannot be created without', async () => {
      const required = requiredIn(document, `${schema}Create`)
      const address = await place.address()
      for (const name of required) {
        const { [name]: left, ...body } = maker.body(type, 'minimal')
        expect(left, `${name} is not in the minimal body`).to.not.equal(undefined)
        const answer = await maker.post(type, address, body)
        expect(answer.status, `without ${name}: ${answer.text}`).to.equal(422)
        const { errors } = answer.json as { readonly errors: readonly (readonly [string, string])[] }
        expect(errors.map(([field]) => field)).to.include(fieldSentAs(type, name))
      }
    })

    it('do not require what can be left out', async () => {
      const required = requiredIn(document, `${schema}Create`)
      const whole = maker.body(type, 'minimal')
      const body = Object.fromEntries(required.map((name) => [name, whole[name]]))
      const answer = await maker.post(type, await place.address(), body)
      if (answer.status === 201) return
      // What else is missing depends on other records and fields: it can be filled in from a template, or has two names.
      expect(answer.status, answer.text).to.equal(422)
      const { errors } = answer.json as { readonly errors: readonly (readonly [string, string])[] }
      const fixed = errors.map(([field]) => field).filter((field) => !isConditional(type, field))
      expect(fixed, answer.text).to.deep.equal([])
    })
  })
})

function requiredIn(document: OpenapiDocument | null, schema: string): readonly string[] {
  const found = document?.components['schemas']?.[schema] as { readonly required?: readonly string[] } | undefined
  expect(found, schema).to.not.equal(undefined)
  return found?.required ?? []
}

/** True when a rule of the type may fill the field or asks for it, or when its value has several names. */
function isConditional(type: RecordType, field: string): boolean {
  const { keyedBy, required } = type.fields.get(field) ?? {}
  const isKey = [...type.fields.values()].some((one) => one.keyedBy === field)
  return !required || keyedBy !== undefined || isKey || type.rules.some(({ behavior }) => behavior.fills?.includes(field))
}
