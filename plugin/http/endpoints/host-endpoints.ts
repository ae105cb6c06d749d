import type { Callers } from '../../access/people/callers.js'
import type { Call, CallToken } from '../../core/call.js'
import { Invalid, NotFound } from '../../core/errors.js'
import type { Operations } from '../../operations/contract.js'
import type { LocalApi } from '../../operations/host/record-api.js'
import type { Catalog, RecordField } from '../../schema/catalog.js'
import { fieldsOfBody, type ReadFields, readFieldsOf, unfitFields } from '../../schema/derive/read-fields.js'
import { fieldChecks } from '../../schema/derive/validator.js'
import type { JsonSchema } from '../../schema/kinds/json-schema.js'
import type { Fields } from '../../schema/language/define-record.js'
import { FIELD_KINDS } from '../../schema/language/field.js'
import { sentSchema } from '../../schema/openapi/values.js'
import { answerJson } from '../answers/answer.js'
import type { Context, Endpoint, PostAnswer } from '../contract.js'
import type { HostPath } from '../endpoint-paths.js'
import type { CallerToken, EndpointContext, HostEndpoint } from './define-endpoint.js'
import { type NamedRecords, namedRecords } from './named-records.js'

/** Dependencies of the endpoints. */
export interface HostEndpointsDeps {
  readonly hostEndpoints: readonly HostEndpoint[]
  readonly catalog: Catalog
  readonly callers: Pick<Callers, 'hostCall'>
  readonly operations: Pick<Operations, 'atomically' | 'reachable'>
  readonly localApi: (callNow: () => Promise<Call>) => LocalApi
}

/** The endpoints of the host (behaviour: Endpoints of a host). */
export function hostEndpoints(deps: HostEndpointsDeps): readonly Endpoint[] {
  const checkOf = fieldChecks()
  return deps.hostEndpoints.map((given): Endpoint => {
    const { catalog } = deps
    const inBody = fieldsOfBody(given.path, given.body ?? {}, catalog)
    const inQuery = fieldsOfBody(given.path, given.query ?? {}, catalog)
    const named = given.references === 'unchecked' ? null : namedRecords(deps, given, [...inBody, ...inQuery])
    const work = workOf(deps, given, readFieldsOf(inBody, checkOf), readFieldsOf(inQuery, checkOf), named)
    const facts = {
      path: given.path as HostPath,
      ...(given.type === undefined ? {} : { type: given.type }),
      ofHost: given.tokens === 'any' ? ('anyToken' as const) : ('limited' as const),
      ...(inBody.length > 0 ? { body: 'form' as const } : {}),
      parameters: new Set(inQuery.flatMap(({ column, name }) => [name, column ?? name])),
      description: descriptionOf(given, inBody, inQuery, catalog),
    }
    if (given.method === 'POST')
      return { ...facts, method: 'POST', post: { act: async (ctx, call) => answerOf(await work(ctx, call)) } }
    return {
      ...facts,
      method: given.method,
      async run(ctx, call) {
        const value = await work(ctx, call)
        if (value === undefined) ctx.status = 204
        else answerJson(ctx, 200, value)
      },
    }
  })
}

function answerOf(value: unknown): PostAnswer {
  return value === undefined ? { status: 204 } : { status: 200, value }
}

function workOf(
  deps: HostEndpointsDeps,
  { as, path, run }: HostEndpoint,
  readBody: ReadFields,
  readQuery: ReadFields,
  records: NamedRecords | null,
) {
  const reason = typeof as === 'object' ? as.system : null
  return async (ctx: Context, call: Call): Promise<unknown> => {
    const { actor, token } = call
    if (!actor) throw new NotFound()
    const { body, handling, named, parameters } = ctx.state.itsm
    const [sent, asked] = [readBody(body, call.zone), readQuery(Object.fromEntries(parameters.toReversed()), call.zone)]
    const surplus = handling === 'strict' ? sent.unknown.map((name) => [name, 'unknown_field'] as const) : []
    const params = Object.fromEntries(Object.entries(named).map(([name, text]) => [name, isId(name) ? Number(text) : text]))
    const unknown = (await records?.unknown(call, params, { ...asked.values, ...sent.values })) ?? []
    const violations = [...sent.violations, ...asked.violations, ...unknown, ...surplus]
    if (violations.length > 0) throw new Invalid(violations)
    return deps.operations.atomically(call, async (inside) => {
      const acting = reason === null ? inside : { ...(await deps.callers.hostCall(reason, call.account.id)), ...within(inside) }
      const context = {
        api: deps.localApi(async () => acting),
        ...{ body: sent.values, query: asked.values, params },
        person: { id: actor.id, name: actor.name, email: actor.email },
        token: token ? tokenOf(token) : null,
        ...{ accountId: call.account.id, language: call.language, requestId: call.requestId },
      }
      const value: unknown = await run(context as unknown as EndpointContext)
      // What JSON cannot hold would fail while the response is written.
      if (value === undefined) return undefined
      const text = JSON.stringify(value)
      if (text === undefined) throw new TypeError(`The endpoint ${path} has returned something that is not JSON`)
      return JSON.parse(text) as unknown
    })
  }
}

/** What a call of the system has of the call of the person. */
function within({ actor, requestId, signal, transaction }: Call): Partial<Call> {
  return { requestId, ...(actor && { setOffBy: actor.id }), ...(signal && { signal }), ...(transaction && { transaction }) }
}

function tokenOf({ id, kind, name, readOnly, recordTypes }: CallToken): CallerToken {
  return { id, kind, name, readOnly, recordTypes: recordTypes && [...recordTypes] }
}

function isId(name: string): boolean {
  return name === 'id' || name.endsWith('_number')
}

function descriptionOf(
  { description, method, path, response, summary }: HostEndpoint,
  body: readonly RecordField[],
  query: readonly RecordField[],
  catalog: Catalog,
): Endpoint['description'] {
  const words = path.split('/').filter((word) => word !== '' && !word.startsWith(':'))
  const schema = schemaOf(body, catalog)
  return {
    operation: `${method.toLowerCase()}_${words.join('_')}`,
    summary,
    description: description ?? summary,
    parameters: [
      ...[...path.matchAll(/:(\w+)/g)].map(([, name = '']) => ({ name, schema: { type: isId(name) ? 'integer' : 'string' } })),
      ...query.map((field) => ({
        name: field.column ?? field.name,
        schema: sentSchema(field, catalog, true),
        ...(field.required && { required: true as const }),
      })),
    ],
    ...(body.length > 0 && { body: { 'application/json': schema, 'application/x-www-form-urlencoded': schema } }),
    answers: {
      200: { description: 'Done.', schema: (response as JsonSchema | undefined) ?? {} },
      204: { description: 'Done, without a body.' },
    },
  }
}

function schemaOf(fields: readonly RecordField[], catalog: Catalog): JsonSchema {
  const required = fields.filter((field) => field.required).map(({ column, name }) => column ?? name)
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map((field) => [field.column ?? field.name, sentSchema(field, catalog, true)])),
    ...(required.length > 0 && { required }),
  }
}

/** Mistakes in the option `endpoints` that show with the definitions. @param taken paths of the plugin */
export function mistakesInEndpoints(
  endpoints: readonly HostEndpoint[],
  catalog: Catalog,
  taken: readonly string[],
): readonly string[] {
  const forms = new Set(taken.map(formOf))
  const seen = new Set<string>()
  return endpoints.flatMap(
    ({ as, body = {}, method, path, query = {}, references = 'checked', run, summary, tokens = 'limited', type }, index) => {
      const at = `endpoints[${index}]`
      if (typeof path !== 'string' || !PATH.test(path)) return [`${at}.path: must look like '/vehicles/:id/handover'`]
      const form = `${method} ${formOf(path)}`
      const isTaken = forms.has(formOf(path)) || hidesRecords(path, catalog)
      const isTwice = seen.has(form)
      seen.add(form)
      return [
        ...(isTaken ? [`${at}.path: '${path}' is a path of the plugin`] : []),
        ...(isTwice ? [`${at}.path: ${method} ${path} is there twice`] : []),
        ...(METHODS.includes(method) ? [] : [`${at}.method: must be one of ${METHODS.join(', ')}`]),
        ...(typeof summary === 'string' && summary.trim() !== '' ? [] : [`${at}.summary: must be a text`]),
        ...(typeof run === 'function' ? [] : [`${at}.run: must be a function`]),
        ...(type === undefined || catalog.types.has(type) ? [] : [`${at}.type: there is no record type '${type}'`]),
        ...(isActing(as) ? [] : [`${at}.as: must be 'caller' or { system: 'the reason' }`]),
        ...(['limited', 'any'].includes(tokens) ? [] : [`${at}.tokens: must be 'limited' or 'any'`]),
        ...(['checked', 'unchecked'].includes(references) ? [] : [`${at}.references: must be 'checked' or 'unchecked'`]),
        ...(method === 'GET' && Object.keys(body).length > 0 ? [`${at}.body: a GET has none`] : []),
        ...mistakesInFields(`${at}.body`, path, body, catalog),
        ...mistakesInFields(`${at}.query`, path, query, catalog),
      ]
    },
  )
}

const METHODS = ['GET', 'POST', 'PATCH', 'DELETE']
const PATH = /^(\/([a-z][a-z0-9_-]*|:[a-z][a-z0-9_]*))+$/

function isActing(as: unknown): boolean {
  if (as === undefined || as === 'caller') return true
  const { system } = Object(as) as { readonly system?: unknown }
  return typeof system === 'string' && system.trim() !== ''
}

function mistakesInFields(at: string, path: string, fields: Fields, catalog: Catalog): readonly string[] {
  const wrong = Object.entries(fields).filter(([, field]) => !isField(field))
  if (wrong.length > 0) return wrong.map(([name]) => `${at}.${name}: must be a field, such as string() or ref('person')`)
  return unfitFields(fieldsOfBody(path, fields, catalog)).map((name) => `${at}.${name}: only records can have such a field`)
}

function isField(given: unknown): boolean {
  return FIELD_KINDS.some((kind) => kind === (Object(given) as { readonly kind?: unknown }).kind)
}

/** Two paths of the same form match the same requests. */
function formOf(path: string): string {
  return path.replace(/:\w+/g, ':')
}

/** True for paths of records: `/vehicles`, `/vehicles/:id`, a predefined list, or what is below a record. */
function hidesRecords(path: string, catalog: Catalog): boolean {
  const [first = '', second, third] = path.slice(1).split('/')
  const type = catalog.byPath.get(first)
  if (!type) return first.startsWith(':')
  if (second === undefined) return true
  if (!second.startsWith(':')) return type.lists.has(second)
  return third === undefined || [type.children, type.coverages, type.links, type.parts].some((below) => below.has(third))
}
