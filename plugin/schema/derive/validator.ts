/**
 * Turns the body of a create or update into values of columns: accepted spellings become the form of rows (behaviour: Value
 * formats), then ajv checks a JSON schema of the definition. Reports all violations, in field order.
 */
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import type { Params, Violation } from '../../core/errors.js'
import type { Catalog, RecordType } from '../compile/compile.js'
import type { DraftRow } from '../define-rule.js'
import { kindOf } from '../kinds/index.js'
import { isFormat } from './formats.js'
import { type InputReader, inputReaderOf } from './input.js'

/** Reads and checks a body; all violations are in the order of the fields. */
export type Validator = InputReader

/**
 * Validators of all record types. Each is compiled when the first body arrives: compiling all of them takes half a second, and
 * a process that only reads or relays needs none.
 */
export function compileValidators(catalog: Catalog): ReadonlyMap<string, Validator> {
  const ajv = new Ajv({ allErrors: true, strict: true, allowUnionTypes: true })
  ajv.addKeyword({
    keyword: 'maxBytes',
    type: 'string',
    schemaType: 'number',
    validate: (most: number, text: string) => text.length <= most && Buffer.byteLength(text) <= most,
  })
  for (const format of ['email', 'emails', 'webhook_uri', 'locale'] as const) {
    ajv.addFormat(format, (text: string) => isFormat(format, text))
  }
  return new Map([...catalog.types.values()].map((type) => [type.name, compiledOnce(() => validatorOf(type, catalog, ajv))]))
}

function compiledOnce(compile: () => Validator): Validator {
  let compiled: Validator | null = null
  return (body, context) => {
    compiled ??= compile()
    return compiled(body, context)
  }
}

function validatorOf(type: RecordType, catalog: Catalog, ajv: Ajv): Validator {
  const check = ajv.compile(schemaOf(type))
  const read = inputReaderOf(type, catalog)
  const order = new Map([...type.fields.keys()].map((name, index) => [name, index]))
  const place = (field: string) => order.get(field) ?? order.size

  return (body, context) => {
    const input = read(body, context)
    const violations = [...input.violations, ...violationsOf(check, { ...input.values, ...Object.fromEntries(input.unstored) })]
    return { ...input, violations: violations.sort(([a], [b]) => place(a) - place(b)) }
  }
}

/** The schema includes read-only fields: values that the system sets must fit into the columns, too. */
function schemaOf(type: RecordType): object {
  const properties = [...type.fields.values()].flatMap((field) => {
    const schema = kindOf(field).input?.check?.(field)
    return schema ? [[field.name, schema]] : []
  })
  return { type: 'object', properties: Object.fromEntries(properties) }
}

function violationsOf(check: ValidateFunction, values: DraftRow): Violation[] {
  if (check(values)) return []
  const seen = new Set<string>()
  return (check.errors ?? []).flatMap((error) => {
    const [, field = ''] = error.instancePath.split('/')
    if (seen.has(field)) return []
    seen.add(field)
    const [code, params] = codeOf(error)
    return [params ? [field, code, params] : [field, code]]
  })
}

function codeOf(error: ErrorObject): readonly [code: string, params?: Params] {
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
