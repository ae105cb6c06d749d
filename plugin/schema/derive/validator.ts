/**
 * Turns the body of a create or update into values of columns: accepted spellings become the form of rows (behaviour: Value
 * formats), then ajv checks each value by the JSON schema of its field. Reports all violations, in field order.
 */
import type { Ajv, ErrorObject, ValidateFunction } from 'ajv'
import type { Params, Violation } from '../../core/errors.js'
import { loadPackage } from '../../core/load-package.js'
import type { Catalog, RecordField, RecordType } from '../catalog.js'
import { kindOf } from '../kinds/kinds.js'
import { isFormat } from '../kinds/values/formats.js'
import { type Input, type InputReader, inputReaderOf } from './input.js'

/** Reads and checks a body; all violations are in the order of the fields. */
export type Validator = InputReader

/** Returns the mistake in the value of a field; null if there is none. */
export type Check = (value: unknown) => Fault | null
/** A code of the messages, and the values that the message needs. */
export type Fault = readonly [code: string, params?: Params]
/** Finds the check of a field; null for fields of which every value is right. */
export type CheckOf = (field: RecordField) => Check | null

/**
 * Validators of all record types. Each is created when the first body arrives, and the check of a field when its first value
 * does: a process that only reads or relays needs none.
 */
export function compileValidators(catalog: Catalog, checkOf = fieldChecks()): ReadonlyMap<string, Validator> {
  return new Map([...catalog.types.values()].map((type) => [type.name, madeOnce(() => validatorOf(type, catalog, checkOf))]))
}

function madeOnce(make: () => Validator): Validator {
  let made: Validator | null = null
  return (body, context) => {
    made ??= make()
    return made(body, context)
  }
}

function validatorOf(type: RecordType, catalog: Catalog, checkOf: CheckOf): Validator {
  const read = inputReaderOf(type, catalog)
  const order = new Map([...type.fields.keys()].map((name, index) => [name, index]))
  const place = (field: string) => order.get(field) ?? order.size

  function violationOf(name: string, value: unknown): readonly Violation[] {
    // Includes read-only fields: values that the system sets must fit into the columns, too.
    const field = type.fields.get(name)
    const fault = field && value !== undefined && checkOf(field)?.(value)
    return fault ? [[name, ...fault]] : []
  }
  return (body, context) => {
    const input = read(body, context)
    const values = Object.entries({ ...input.values, ...Object.fromEntries(input.unstored) })
    const refused = values.flatMap(([name, value]) => violationOf(name, value))
    const violations = [...input.violations, ...refused].sort(([one], [other]) => place(one) - place(other))
    return { ...(refused.length > 0 ? without(input, new Set(refused.map(([name]) => name))) : input), violations }
  }
}

/** The input without refused values, like those that cannot be read: rules and hooks compute with what is right only. */
function without(input: Input, refused: ReadonlySet<string>): Input {
  const isLeft = ([name]: readonly [name: string, value: unknown]) => !refused.has(name)
  return {
    ...input,
    values: Object.fromEntries(Object.entries(input.values).filter(isLeft)),
    unstored: new Map([...input.unstored].filter(isLeft)),
    given: new Set([...input.given].filter((name) => !refused.has(name))),
  }
}

/**
 * Returns the check of a field. Most fields of all record types have one of a few dozen schemas. Each of these is compiled
 * once, which takes a fraction of the time for one schema per record type.
 */
export function fieldChecks(): CheckOf {
  let ajv: Ajv | undefined
  const bySchema = new Map<string, Check>()
  const byField = new Map<RecordField, Check | null>()
  function make(field: RecordField): Check | null {
    const schema = kindOf(field).input?.check?.(field)
    if (!schema) return null
    const key = JSON.stringify(schema)
    ajv ??= newAjv()
    const check = bySchema.get(key) ?? checkBy(ajv.compile(schema))
    bySchema.set(key, check)
    return check
  }
  return (field) => {
    const known = byField.get(field)
    if (known !== undefined) return known
    const check = make(field)
    byField.set(field, check)
    return check
  }
}

function newAjv(): Ajv {
  const { Ajv } = loadPackage('ajv')
  // These are the plugin's own schemas: `spec/schema/kinds` checks that they are valid, so that processes need not.
  const ajv = new Ajv({ strict: true, allowUnionTypes: true, meta: false, validateSchema: false })
  ajv.addKeyword({
    keyword: 'maxBytes',
    type: 'string',
    schemaType: 'number',
    validate: (most: number, text: string) => text.length <= most && Buffer.byteLength(text) <= most,
  })
  for (const format of ['email', 'emails', 'webhook_uri', 'locale'] as const) {
    ajv.addFormat(format, (text: string) => isFormat(format, text))
  }
  return ajv
}

function checkBy(validate: ValidateFunction): Check {
  return (value) => {
    if (validate(value)) return null
    const [error] = validate.errors ?? []
    return error ? faultOf(error) : ['invalid']
  }
}

function faultOf(error: ErrorObject): Fault {
  const limit = Number((error.params as { limit?: unknown }).limit)
  switch (error.keyword) {
    case 'maxLength':
      return ['too_long', { max: limit }]
    case 'maxBytes':
      return ['too_big_text']
    case 'enum':
      return ['inclusion']
    case 'minimum':
      return ['less_than', { min: limit }]
    case 'maximum':
      return ['greater_than', { max: limit }]
    case 'format':
      return [(error.params as { format?: unknown }).format === 'locale' ? 'inclusion' : 'invalid']
    default:
      return ['invalid']
  }
}
