/** The OpenAPI document: valid, and true of the router. That it is true of requests and answers, spec/requests and spec/contract check. */
import { readdirSync, readFileSync } from 'node:fs'
import { Validator } from '@seriousme/openapi-schema-validator'
import { expect } from 'chai'
import type { HttpState } from '../plugin/http/contract.js'
import { createRouter } from '../plugin/http/router.js'
import { createPlugin, extendRecord, type PluginOptions, rule, string } from '../plugin/index.js'
import type { Catalog, RecordType } from '../plugin/schema/catalog.js'
import { componentName, SHARED_NAMES } from '../plugin/schema/kinds/json-schema.js'
import { LABELS_BY_RULE } from '../plugin/schema/openapi/describe-field.js'
import { openapiDocument } from '../plugin/schema/openapi/document.js'
import type { ExampleSources } from '../plugin/schema/openapi/examples.js'
import { schemasOf } from '../plugin/schema/openapi/schemas.js'
import { SHARED_RESPONSES, SHARED_SCHEMAS } from '../plugin/schema/openapi/shared-components.js'
import { stubs } from './http/stubs.js'
import { fixtures, withMounted } from './support/mounted.js'
import { checkAgainst, type OpenapiDocument, operationsOf, type Response, responseOf } from './support/openapi.js'
import { TEST_SECRET } from './support/settings.js'
import { vehicle } from './support/vehicle.js'

interface Head {
  readonly openapi: string
  readonly servers: unknown
  readonly externalDocs: { readonly url: string }
  readonly info: { readonly description: string; readonly license: unknown }
  readonly tags: readonly { readonly name: string; readonly description: string }[]
}

interface SchemaParts {
  readonly type?: unknown
  readonly anyOf?: readonly { readonly type?: string }[]
  readonly oneOf?: unknown
  readonly properties?: { readonly [name: string]: object }
}

/** Names that are the same without underscores as another one, unless a name for generators tells them apart. */
function alike(parts: readonly (readonly [name: string, part: object])[]): readonly string[] {
  const plain = parts.map(([name, part]) =>
    String(Object(part)['x-go-name'] ?? name)
      .replaceAll('_', '')
      .toLowerCase(),
  )
  return parts.flatMap(([name], index) => (plain.indexOf(plain[index] ?? '') === index ? [] : [name]))
}

const VERBS = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE']

/** Examples of a body, by name. */
interface Bodies {
  readonly [type: string]: {
    readonly schema: object
    readonly examples?: { readonly [name: string]: { readonly value: unknown } }
  }
}
/** Where the schema of bodies in JSON is. */
const JSON_BODY = '/webhooks/delivery/post/requestBody/content/application~1json/schema'

describe('GET /openapi.json', () => {
  // With everything that a host can switch on.
  const mounted = withMounted('mounted under a prefix', { console: true })
  const read = async () => (await mounted.ask(null, 'GET', '/openapi.json')).json as OpenapiDocument & Head

  it('is a valid OpenAPI 3.1 document, and needs no credentials', async () => {
    const document = await read()
    expect(document.openapi).to.equal('3.1.0')
    const { valid, errors } = await new Validator().validate(structuredClone(document) as unknown as Record<string, unknown>)
    expect(errors ?? [], JSON.stringify(errors)?.slice(0, 2_000)).to.deep.equal([])
    expect(valid).to.equal(true)
  })

  it('refers only to what it contains', async () => {
    const document = await read()
    const text = JSON.stringify(document)
    const missing = [
      ...new Set([...text.matchAll(/"\$ref":"#\/components\/(\w+)\/([^"]+)"/g)].map(([, kind, name]) => `${kind} ${name}`)),
    ].filter((one) => {
      const [kind = '', name = ''] = one.split(' ')
      return document.components[kind]?.[name] === undefined
    })
    expect(missing).to.deep.equal([])
  })

  it('reserves the names of the schemas and responses that belong to no type', () => {
    const shared = [...Object.keys(SHARED_SCHEMAS), ...Object.keys(SHARED_RESPONSES)]
    const names = SHARED_NAMES.map(componentName)
    expect(names).to.include.members(shared)
    expect(names.filter((name, index) => names.indexOf(name) !== index)).to.deep.equal([])
  })

  it('reserves the names of the schemas of endpoints', async () => {
    const { schemas = {} } = (await read()).components
    const types = [...mounted.itsm.catalog.types.keys()]
    const ofTypes = new Set([
      ...types.flatMap((type) => Object.keys(schemasOf(mounted.itsm.catalog.type(type), mounted.itsm.catalog, LABELS_BY_RULE))),
    ])
    const others = Object.keys(schemas).filter((name) => !ofTypes.has(name))
    expect(SHARED_NAMES.map(componentName)).to.include.members(others)
    expect(others).to.include.members(['AccountDetails', 'ImportProgress', 'Dissatisfaction'])
  })

  it('gives each operation an id of its own', async () => {
    const document = await read()
    const paths = Object.keys(document.paths).filter((path) => !('$ref' in (document.paths[path] ?? {})))
    const ids = paths.flatMap((path) => Object.values(operationsOf(document, path)).map(({ operationId }) => operationId))
    const style =
      /^(add|begin|count|create|download|end|explain|find|link|list|rate|read|remove|replace|replay|reset|retry|revoke|rotate|stop|submit|test|undo|unlink|update|upload)_[a-z_0-9]+$/
    expect(ids.filter((id) => !style.test(id ?? ''))).to.deep.equal([])
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).to.deep.equal([])
  })

  it('tells how parts are sent: as a whole list where that takes the place of all, else one by one', async () => {
    const { schemas = {} } = (await read()).components
    const inputsOf = (type: string) => Object.keys((schemas[`${type}Update`] as { properties: object }).properties)
    expect(inputsOf('Person')).to.include('contacts_attributes').and.not.include('contacts')
    expect(inputsOf('Calendar')).to.include.members(['calendar_hours', 'calendar_hours_attributes'])
  })

  it('says of each value one type, as answers have it, and how long texts may be', async () => {
    const { schemas = {}, parameters = {} } = (await read()).components
    const wrong: string[] = []
    const look = (part: unknown, place: string): void => {
      if (typeof part !== 'object' || part === null) return
      const { type, enum: values, maxLength, pattern, format } = part as { readonly [keyword: string]: unknown }
      const types = [type].flat().filter((one) => one !== undefined && one !== 'null')
      if (types.length > 1) wrong.push(`${place} has the types ${types}`)
      if (Array.isArray(values) && values.some((one) => one === '' || one === null)) wrong.push(`${place} has an empty value`)
      const isBounded = [maxLength, pattern, format, values, (part as { const?: unknown }).const].some(
        (one) => one !== undefined,
      )
      if (types.includes('string') && !isBounded) wrong.push(`${place} has any length`)
      for (const [key, inner] of Object.entries(part)) look(inner, `${place}/${key}`)
    }
    look(schemas, '')
    for (const one of Object.values(parameters)) look((one as { schema: unknown }).schema, (one as { name: string }).name)
    // Links, images, sentences, ids that clients choose, and lists of names are as long as they are.
    const free =
      /picture_uri|\/uri\b|\/(message|detail|errors\/items\/prefixItems\/\d|upload_\w+)( |$)|^\/(AccountReference|CustomField)\/|^\/ProblemError\/properties\/field/
    const ofEndpoints =
      /^\/(AccountDetails|Allowance|Catalog\w+|EnumerationValue|FileUpload|ImportProgress|ImportToken|Myself|RecordAllowance|TypeAllowance|RolesGivenForm|StorageForm\w*|UploadedFile)\//
    expect(wrong.filter((one) => !free.test(one) && !ofEndpoints.test(one) && one.startsWith('/'))).to.deep.equal([])
    expect(wrong.filter((one) => !one.startsWith('/') && one.includes('types'))).to.deep.equal([])
  })

  it('answers saves with the record, as a GET does, and says in words who gets its id alone', async () => {
    const document = await read()
    const { responses = {} } = document.components
    const schemaOf = (response: Response = { content: {} }) => {
      const name = response.$ref?.split('/').at(-1) ?? ''
      return JSON.stringify((responses[name] as Response | undefined)?.content?.['application/json']?.schema)
    }
    const wrong = Object.keys(document.paths).flatMap((path) => {
      const { get, patch } = operationsOf(document, path)
      const isRecord = patch?.operationId?.startsWith('update_')
      return !isRecord || !patch || !get || schemaOf(patch.responses[200]) === schemaOf(get.responses[200]) ? [] : [path]
    })
    expect(wrong).to.deep.equal([])
    expect(schemaOf(operationsOf(document, '/requests')['post']?.responses[201])).to.equal(
      '{"$ref":"#/components/schemas/Request"}',
    )
    expect((document as unknown as { info: { description: string } }).info.description).to.include('its id alone')
  })

  it('describes the callback once, in words', async () => {
    const document = await read()
    expect(JSON.stringify(document.components['parameters'])).not.to.include('"callback"')
    expect(document.info.description).to.match(/Every GET that answers with JSON also takes the parameter `callback`/)
  })

  it('names each object, has no choices but null, and no names that differ only by underscores', async () => {
    const document = await read()
    const { schemas = {}, parameters = {}, responses = {}, requestBodies = {} } = document.components
    const wrong: string[] = []
    const look = (part: unknown, place: string): void => {
      if (typeof part !== 'object' || part === null) return
      const { type, anyOf, oneOf, properties = {} } = part as SchemaParts
      // The parts of `allOf` belong to the object around them.
      const isNamed = place.split('/').length === 2 || /^\/\w+\/allOf\/\d$/.test(place)
      if (!isNamed && [type].flat().includes('object')) wrong.push(`${place} is an object without a name`)
      if (oneOf || (anyOf && anyOf.filter((one) => one.type !== 'null').length > 1)) wrong.push(`${place} has a choice`)
      wrong.push(...alike(Object.entries(properties)).map((name) => `${place}.${name}`))
      for (const [key, inner] of Object.entries(part)) look(inner, `${place}/${key}`)
    }
    for (const [name, schema] of Object.entries(schemas)) look(schema, `/${name}`)
    const inline = Object.keys(document.paths).flatMap((path) =>
      Object.entries(operationsOf(document, path)).flatMap(([verb, { requestBody, responses: answers }]) =>
        /"type":(\[[^\]]*)?"object"/.test(JSON.stringify([requestBody, answers])) ? [`${verb} ${path}`] : [],
      ),
    )
    expect([...wrong, ...inline]).to.deep.equal([])
    const all = [schemas, parameters, responses, requestBodies].flatMap((kind) => Object.entries(kind))
    expect(alike(all)).to.deep.equal([])
  })

  it('has the headers of pages and limits, and 429 and 503 with the time to wait', async () => {
    const document = await read()
    const list = responseOf(document, '/requests', 'get', 200)
    const pagination = ['Current-Page', 'Per-Page', 'Total-Pages', 'Total-Entries'].map((name) => `X-Pagination-${name}`)
    const always = ['X-Request-Id', 'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset']
    expect(list?.headers).to.include.keys('Link', ...pagination, ...always)
    const lacking = Object.keys(document.paths).flatMap((path) =>
      Object.keys(operationsOf(document, path)).filter((verb) =>
        [429, 503].some((status) => !Object.hasOwn(responseOf(document, path, verb, status)?.headers ?? {}, 'Retry-After')),
      ),
    )
    expect(lacking).to.deep.equal([])
    const without = Object.values(document.components['responses'] ?? {}).filter(
      (one) => !always.every((name) => Object.hasOwn((one as Response).headers ?? {}, name)),
    )
    expect(without).to.deep.equal([])
  })

  it('describes filters by kind, with the values of enumerations', async () => {
    const document = await read()
    const { parameters = {} } = document.components
    const filterOf = (path: string, name: string) => {
      const refs = (operationsOf(document, path)['get']?.parameters ?? []).map(({ $ref }) => $ref?.split('/').at(-1) ?? '')
      const all = refs.map((ref) => parameters[ref] as { readonly name: string; readonly description: string })
      return all.find((one) => one?.name === name)?.description
    }
    expect(filterOf('/requests', 'status')).to.match(/^Values, with commas; .*: declined, .*completed\.$/)
    expect(filterOf('/tasks', 'status')).to.not.equal(filterOf('/requests', 'status'))
    expect(filterOf('/requests', 'team')).to.match(/^Ids, with commas/)
    expect(filterOf('/requests', 'subject')).to.match(/^A text, exactly; .* A backslash escapes a comma/)
    expect(filterOf('/requests', 'created_at')).to.match(/^A time; with <, <=/)
    expect(filterOf('/requests', 'next_target_at')).to.match(/^A time, or one of best_effort, clock_stopped, no_target;/)
    expect(filterOf('/people', 'disabled')).to.equal('true or false.')
    expect(filterOf('/people', 'primary_email')).to.match(/whatever the case/)
  })

  it('says in words what a new record needs only sometimes', async () => {
    const { schemas = {} } = (await read()).components
    const aboutOf = (name: string) => (schemas[name] as { readonly description: string }).description
    expect(aboutOf('RequestCreate')).to.match(/^A new record needs, unless the service fills them in .*: subject, category,/)
    expect(aboutOf('CalendarCreate')).to.equal('A new record needs name.')
    expect(aboutOf('ContactAttributes')).to.match(
      /^With an id, that one is changed; without, one is added\. A new record needs/,
    )
  })

  it('introduces itself, with its licence, where to read on, and what each tag contains', async () => {
    const { externalDocs, info, paths, tags, ...document } = await read()
    expect(info.license).to.deep.equal({ name: 'MIT', identifier: 'MIT' })
    expect(externalDocs.url).to.match(/^https:/)
    for (const topic of ['Sign-in', 'Errors', 'Pages', 'Filters', 'Limits', 'Retries', 'Short forms']) {
      expect(info.description).to.include(`**${topic}`)
    }
    const used = Object.keys(paths).flatMap((path) =>
      Object.values(operationsOf({ paths, ...document }, path)).flatMap((one) => one.tags ?? []),
    )
    expect(tags.map(({ name }) => name)).to.have.members([...new Set(used)])
    expect(tags.filter(({ description }) => !/^[A-Z].*\.$/.test(description))).to.deep.equal([])
  })

  it('tells that every POST but the sign-in, and nothing else, takes a key', async () => {
    const document = await read()
    const paths = Object.keys(document.paths).filter((path) => !('$ref' in (document.paths[path] ?? {})))
    const all = paths.flatMap((path) => Object.entries(operationsOf(document, path)).map(([verb, one]) => ({ verb, one })))
    const wrong = all.filter(({ verb, one: { operationId, parameters = [] } }) => {
      const takesKey = parameters.some(({ $ref }) => $ref?.endsWith('/in_key'))
      return takesKey !== (verb === 'post' && operationId !== 'begin_session')
    })
    expect(wrong.map(({ one }) => one.operationId)).to.deep.equal([])
  })

  it('says of every operation, parameter and field what it is', async () => {
    const document = await read()
    const { schemas = {}, parameters = {} } = document.components
    const isText = (text: unknown) => typeof text === 'string' && /^[A-Z`\d][^\n]+$/i.test(text)
    const operations = Object.keys(document.paths).flatMap((path) =>
      Object.entries(operationsOf(document, path)).flatMap(([verb, { summary, description }]) =>
        isText(summary) && isText(description) ? [] : [`${verb} ${path}`],
      ),
    )
    const isDescribed = (schema: { readonly description?: string; readonly $ref?: string }): boolean => {
      const shared = schemas[schema.$ref?.split('/').at(-1) ?? ''] as { readonly description?: string } | undefined
      return isText(schema.description ?? shared?.description)
    }
    const fields = Object.entries(schemas).flatMap(([name, schema]) => {
      const { properties = {} } = schema as { readonly properties?: { readonly [name: string]: object } }
      if (!/(Listed|ListedBelow|Create|Update)$|Inside/.test(name)) return []
      return Object.entries(properties).flatMap(([field, one]) => (isDescribed(one) ? [] : [`${name}.${field}`]))
    })
    const undescribed = Object.entries(parameters).filter(([, one]) => !isText((one as { description?: string }).description))
    expect(operations).to.deep.equal([])
    expect(fields).to.deep.equal([])
    expect(undescribed).to.deep.equal([])
  })

  it('has examples that fit: a body for all that can be saved, and most records', async () => {
    const document = await read()
    const check = checkAgainst(document)
    const { requestBodies = {}, responses = {} } = document.components
    const examplesIn = (components: object) =>
      Object.entries(components as { readonly [name: string]: Response }).flatMap(([name, { content }]) => {
        const { schema = {}, example } = content?.['application/json'] ?? {}
        const of = String((schema as { readonly $ref?: string }).$ref).replace('#/components/schemas/', '')
        return example === undefined ? [] : [{ name, of, example }]
      })
    const bodies = examplesIn(requestBodies)
    const records = examplesIn(responses)
    expect([...bodies, ...records].flatMap(({ of, example }) => check.schemaDifferences(of, example))).to.deep.equal([])
    // These have no body in the fixtures, because callers do not make such records.
    const named = bodies.map(({ name }) => name)
    expect(Object.keys(requestBodies).filter((name) => !named.includes(name))).to.deep.equal([
      'AffectedSlaCreateBody',
      'AffectedSlaUpdateBody',
    ])
    expect(records.map(({ name }) => name)).to.include.members([
      'RequestResponse',
      'TaskResponse',
      'PersonResponse',
      'ContactBelowResponse',
    ])
    expect(records.length).to.be.above(40)
  })

  it('lists every event, with the bodies of the fixtures, of which some are forms, too', async () => {
    const document = (await mounted.ask(null, 'GET', '/openapi.json')).json as OpenapiDocument & {
      readonly webhooks: { readonly delivery: { readonly post: { readonly requestBody: { readonly content: Bodies } } } }
    }
    const { content } = document.webhooks.delivery.post.requestBody
    const schema = content['application/json']?.schema
    const webhook = mounted.itsm.catalog.type('webhook')
    expect(schema)
      .to.have.nested.property('properties.data.properties.event.enum')
      .that.deep.equals(webhook.fields.get('event')?.values)
    const [forms, bodies] = ['application/x-www-form-urlencoded', 'application/json'].map(
      (type) => content[type]?.examples ?? {},
    )
    for (const [name, { value }] of Object.entries(bodies ?? {})) {
      const { form, json } = JSON.parse(readFileSync(`fixtures/webhooks/${name}.json`, 'utf8'))
      expect(value, name).to.deep.equal(json)
      expect(checkAgainst(document).schemaDifferences(JSON_BODY, value), name).to.deep.equal([])
      if (forms?.[name]) expect([...new URLSearchParams(String(forms[name].value))], name).to.deep.equal(form)
    }
    expect(Object.keys(bodies ?? {})).to.have.members(
      readdirSync('fixtures/webhooks')
        .map((file) => file.replace(/\.json$/, ''))
        .sort(),
    )
    expect(Object.keys(forms ?? {})).to.have.length(7)
  })

  it('is smaller than 1.1 megabytes', async () => {
    const { text } = await mounted.ask(null, 'GET', '/openapi.json')
    expect(Buffer.byteLength(text)).to.be.below(1_100_000)
  })

  it('names the address of this instance', async () => {
    expect((await read()).servers).to.deep.equal([{ url: mounted.baseUrl }])
  })

  it('has the operations that the router has, and no others', async () => {
    const check = checkAgainst(await read())
    const { catalog } = mounted.itsm
    const router = createRouter({ ...stubs().deps, catalog, endpoints: [] })
    const differing = addressesOf(catalog).flatMap((path) =>
      VERBS.flatMap((verb) => {
        const routed = isRouted(router, verb, path)
        const described = check.operation(verb, path) !== null
        return routed === described ? [] : [`${verb} ${path}: ${routed ? 'not described' : 'not routed'}`]
      }),
    )
    expect(differing).to.deep.equal([])
  })
})

/** The document of a plugin that is never started. */
function documentOf(options: Partial<PluginOptions>, exampleSources?: ExampleSources): OpenapiDocument {
  const baseUrl = 'https://desk.example/v1'
  const { catalog } = createPlugin({
    baseUrl,
    secret: TEST_SECRET,
    database: { url: 'mysql://nobody@nowhere.example/none' },
    ...options,
  })
  const parts = { catalog, endpoints: [], baseUrl, version: '1', ...(exampleSources && { exampleSources }) }
  return openapiDocument(parts) as OpenapiDocument
}

describe('the OpenAPI document of a host', () => {
  it('has the record types of the host, too', () => {
    const document = documentOf({ records: [vehicle] })
    expect(document.paths).to.include.keys(`/${vehicle.path}`, `/${vehicle.path}/{id}`)
    const schema = document.components['schemas']?.['VehicleListed'] as { properties: object }
    expect(schema.properties).to.include.keys(...Object.keys(vehicle.fields))
    const described = schema.properties as { readonly [field: string]: { readonly description?: string } }
    // In the words of the host, of all types, or those of its name.
    expect(described['seats']?.description).to.equal('Places to sit, the driver included.')
    expect(described['name']?.description).to.equal('What it is called.')
    expect(described['license_plate']?.description).to.equal('License plate.')
  })

  it('has one name each for generators, whatever the types of the host are called', () => {
    // As short as the parameters and headers that all operations share.
    const names = ['account', 'key', 'lang', 'page', 'source', 'upload', 'limit', 'location', 'tag']
    const { import: _, ...unlisted } = vehicle
    const types = names.map((name) => ({ ...unlisted, name, path: `x_${name}`, table: `x_${name}` }))
    const { schemas, parameters, responses, requestBodies } = documentOf({ records: types }).components
    const all = [schemas, parameters, responses, requestBodies].flatMap((kind) => Object.entries(kind ?? {}))
    expect(alike(all as [string, object][])).to.deep.equal([])
  })

  it('requires what its extensions require, and neither what they relax nor what its rules may fill in', () => {
    const requiredIn = (options: Partial<PluginOptions>) => {
      const schema = documentOf(options).components['schemas']?.['ChangeCreate'] as { readonly required: readonly string[] }
      return schema.required
    }
    expect(requiredIn({})).to.have.members(['release_id', 'subject', 'template_id'])
    const fillDesk = rule('fillDesk', (field: string) => ({
      fills: [field],
      fill({ next }) {
        next[field] ??= 'A1'
      },
    }))
    const relaxed = extendRecord('change', {
      relax: ['release'],
      fields: { board: string(20, { required: true }), desk: string(20, { required: true }) },
      rules: [fillDesk('desk')],
    })
    expect(requiredIn({ extend: [relaxed] })).to.have.members(['board', 'subject', 'template_id'])
  })
})

describe('the examples of the OpenAPI document', () => {
  const sources = { records: new Map([['task', fixtures.records.get('task')]]), topics: [] }
  const bodyOf = (extend: PluginOptions['extend'], exampleSources?: ExampleSources) => {
    const document = documentOf(extend ? { extend } : {}, exampleSources)
    const body = document.components['requestBodies']?.['TaskCreateBody'] as Response
    return body.content?.['application/json']?.example
  }

  it('are left out where an extension requires more than they have', () => {
    expect(bodyOf(undefined, sources)).to.have.keys('template_id', 'team_id')
    expect(bodyOf([extendRecord('task', { fields: { site_code: string(20, { required: true }) } })], sources)).to.equal(
      undefined,
    )
  })

  it('are not needed: files may be missing, or contain anything', () => {
    const odd = [null, 7, 'text', [], {}, { bodies: 7 }, { bodies: { minimal: [] }, changes: null }]
    const steps = [
      null,
      {},
      { request: null },
      { request: { path: 7 } },
      { request: { path: '/v1/tasks/@x' }, response: { status: 200, body: [] } },
    ]
    const topics = [...odd, ...odd.map((cases) => ({ cases })), { cases: [...steps, { steps }, { steps: 7 }] }]
    expect(bodyOf(undefined)).to.equal(undefined)
    for (const one of odd) expect(bodyOf(undefined, { records: new Map([['task', one]]), topics })).to.equal(undefined)
  })
})

/** Every address that could follow from the catalog, with ids in their places. */
function addressesOf(catalog: Catalog): readonly string[] {
  return [...catalog.byPath.values()].flatMap((type) => {
    const below = [...type.children.keys(), ...type.links.keys(), ...type.parts.keys(), ...type.lists.keys(), 'nonsense']
    const own = [
      `/${type.path}`,
      `/${type.path}/new`,
      `/${type.path}/1`,
      ...[...type.lists.keys()].map((list) => `/${type.path}/${list}`),
    ]
    const nested = below.flatMap((name) => {
      const lists = listedBelow(type, name, catalog)
      return [
        `/${type.path}/1/${name}`,
        `/${type.path}/1/${name}/new`,
        `/${type.path}/1/${name}/2`,
        ...lists.map((list) => `/${type.path}/1/${name}/${list}`),
      ]
    })
    return [...own, ...nested]
  })
}

function listedBelow(type: RecordType, name: string, catalog: Catalog): readonly string[] {
  const record = type.children.get(name)?.record ?? type.links.get(name)?.record ?? type.parts.get(name)
  return record === undefined ? [] : [...catalog.type(record).lists.keys(), 'nonsense']
}

function isRouted(router: ReturnType<typeof createRouter>, verb: string, path: string): boolean {
  const state = {
    method: verb === 'PUT' ? 'PATCH' : verb,
    segments: path.slice(1).split('/'),
    route: null,
    named: {},
    id: 0,
    subId: 0,
  } as unknown as HttpState
  router.find(state)
  // PATCH of a collection takes arrays only, which the introduction describes.
  const isForArrays = state.method === 'PATCH' && state.route !== null && 'post' in state.route
  return state.route !== null && !isForArrays
}
