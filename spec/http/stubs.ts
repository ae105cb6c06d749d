/** A small catalog, operations in memory and an authenticator that knows two people: all that the interface needs. */
import { type Actor, AS_CALLER, type Call } from '../../plugin/core/call.js'
import { Forbidden, Invalid, NotFound, Unauthenticated, Unavailable, type Violation } from '../../plugin/core/errors.js'
import type { HttpDeps } from '../../plugin/http/deps.js'
import type { ListRequest, Operations, Output, Owner, SaveItem, SaveOutcome } from '../../plugin/operations/contract.js'
import { compile } from '../../plugin/schema/compile/compile.js'
import { identity, times } from '../../plugin/schema/kinds/common-fields.js'
import { oneOf, parts, ref, string, text } from '../../plugin/schema/kinds/fields.js'
import { defineRecord } from '../../plugin/schema/language/define-record.js'
import { settingsWith } from '../support/settings.js'

const collection = { fields: 'id', sort: 'id', filterable: 'id' } as const
const lasting = { create: ['anyone'], update: ['anyone'] } as const
const everyone = { create: ['anyone'], update: ['anyone'], remove: ['anyone'] } as const

const DEFINITIONS = [
  defineRecord('person', {
    path: 'people',
    fields: { ...identity, name: string(80), contacts: parts('contact'), ...times },
    collection,
    lists: { enabled: { name: 'x' } },
    parts: ['contact'],
    access: lasting,
  }),
  defineRecord('contact', {
    path: 'contacts',
    title: null,
    partOf: ['person'],
    fields: { ...identity, uri: string(80, { required: true }) },
    collection,
    access: everyone,
  }),
  defineRecord('note', {
    path: 'notes',
    title: null,
    partOf: ['request'],
    operations: ['list', 'single'],
    nested: ['list', 'create'],
    fields: { ...identity, text: text({ required: true }) },
    collection,
    lists: { internal: { text: 'x' } },
    access: everyone,
  }),
  defineRecord('request', {
    path: 'requests',
    title: 'subject',
    fields: {
      ...identity,
      subject: string(80, { required: true }),
      status: oneOf(['open', 'completed']),
      member: ref('person'),
    },
    collection,
    lists: { open: { status: 'open' } },
    links: {
      watchers: { record: 'person', table: 'requests_watchers', from: 'request_id', to: 'person_id' },
      readers: { record: 'person', table: 'requests_readers', from: 'request_id', to: 'person_id', write: 'none' },
    },
    parts: ['note'],
    access: lasting,
  }),
  defineRecord('task', {
    path: 'tasks',
    title: 'subject',
    operations: ['list', 'single', 'update', 'remove'],
    fields: { ...identity, subject: string(80), change: ref('change', { required: true }), helps: ref('change') },
    collection,
    access: everyone,
  }),
  defineRecord('change', {
    path: 'changes',
    fields: { ...identity, name: string(80) },
    collection,
    operations: ['list', 'single'],
    children: {
      tasks: { record: 'task', by: 'change' },
      jobs: { record: 'task', by: 'change' },
      helpers: { record: 'task', by: 'helps' },
      guests: { record: 'task', by: 'helps', link: true },
    },
    access: lasting,
  }),
]

const catalog = compile(
  DEFINITIONS,
  [],
  new Map([
    ['language', ['en-US', 'fr']],
    ['time_zone', ['UTC']],
  ]),
)

/** What operations were asked, in order. */
export type Asked = [operation: string, ...details: unknown[]][]

export interface StubOptions {
  /** Records of every type by id. */
  records?: Record<number, Output>
  total?: number
  refuse?: readonly Violation[]
  /** Thrown by every operation. */
  fail?: unknown
}

export function stubOperations(asked: Asked, options: StubOptions = {}): Operations {
  const records = options.records ?? { 1: { id: 1, name: 'one' } }
  const note = (...entry: Asked[number]) => {
    asked.push(entry)
    if (options.fail !== undefined) throw options.fail
  }
  const unused = () => {
    throw new Error('not part of the interface')
  }
  return {
    async list(_: Call, type: string, request: ListRequest) {
      note('list', type, request)
      const parameters = new Map(request.parameters)
      const perPage = Number(parameters.get('per_page') ?? 20)
      const totalEntries = options.total ?? Object.keys(records).length
      return {
        items: Object.values(records),
        page: Number(parameters.get('page') ?? 1),
        perPage,
        totalEntries,
        totalPages: Math.ceil(totalEntries / perPage),
        throttled: totalEntries >= 100_000,
      }
    },
    async read(_: Call, type: string, id: number, owner?: Owner) {
      note('read', type, id, ...(owner ? [owner] : []))
      const record = records[id]
      if (!record) throw new NotFound()
      return record
    },
    beforeSubmit: async (call: Call) => call,
    async submit(call: Call, type: string, { id, body, owner, handling, precondition }: SaveItem) {
      await precondition?.(call, id === null ? null : { id, updated_at: '2026-11-20T08:00:00Z' })
      note('save', type, id, body, ...(owner ? [owner] : []), ...(handling === 'strict' ? [handling] : []))
      if (options.refuse) throw new Invalid(options.refuse)
      return { row: { id: id ?? 1 }, ignored: [], call }
    },
    placesOf: async (call, _, items) => items.map(() => call),
    async submitEach(_: Call, type, items) {
      return items.map(({ item: { body, id } }): SaveOutcome => {
        note('save', type, id, body)
        if (options.refuse) return { outcome: 'refused', violations: options.refuse }
        return { outcome: id === null ? 'created' : 'updated', row: { id: id ?? 1 }, ignored: [] }
      })
    },
    async remove(_: Call, ...rest) {
      note('remove', ...rest.filter(isGiven))
    },

    atomically: (call, work) => work(call),
    together: (call, work) => work(call),
    async retractEach(_: Call, ...rest) {
      note('retractEach', ...rest)
    },
    async removeEach(_: Call, ...rest) {
      note('removeEach', ...rest)
    },
    async removeAll(_: Call, ...rest) {
      note('removeAll', ...rest.filter(isGiven))
    },
    async link(_: Call, ...rest) {
      note('link', ...rest)
    },
    async unlink(_: Call, ...rest) {
      note('unlink', ...rest.filter(isGiven))
    },
    async unlinkAll(_: Call, ...rest) {
      note('unlinkAll', ...rest.filter(isGiven))
    },
    find: unused,
    duration: unused,
    refer: unused,
    save: unused,
    saveAll: unused,
    findIds: unused,
    reachable: unused,
  }
}

export const ines: Actor = {
  id: 1,
  name: 'Ines',
  email: 'ines@wdc.example',
  accountId: 'wdc',
  locale: null,
  timeZone: null,
  organizationId: null,
}

/** `ines@wdc.example` with the password `secret`, or the token `TOKEN`. */
export const PASSWORD = { Authorization: `Basic ${Buffer.from('ines@wdc.example:secret').toString('base64')}` }
export const TOKEN = { Authorization: 'Bearer TOKEN' }

export const authenticator: HttpDeps['authenticator'] = {
  async identify({ basic, token, bearer }) {
    if (basic?.name === ines.email && basic.password === 'secret') return { actor: ines, signedInWith: 'password' }
    if ([basic?.name, token, bearer].includes('TOKEN')) return { actor: ines, signedInWith: 'token' }
    throw new Unauthenticated()
  },
}

export function callers(calls: Call[]): HttpDeps['callers'] {
  return {
    async callFor(known, { accountId, language, source, requestId = 'none' }) {
      const id = accountId ?? known?.actor.accountId ?? 'wdc'
      if (!['wdc', 'trusted'].includes(id)) throw new Forbidden()
      const call: Call = {
        actor: known?.actor ?? null,
        roles: new Set(),
        account: {
          id,
          name: id.toUpperCase(),
          locale: 'en-US',
          timeZone: 'UTC',
          organizationId: null,
          directoryAccountId: null,
        },
        ...AS_CALLER,
        trusted: [],
        language: language ?? 'en-US',
        zone: 'UTC',
        origin: 'api',
        source,
        now: '2026-11-21T09:30:00Z',
        requestId,
      }
      calls.push(call)
      return call
    },
    callIn: async (call) => call,
  }
}

const words: HttpDeps['words'] = {
  sentence: (language, code, label, params) =>
    `${language} ${label} ${code}${params ? ` ${JSON.stringify(params)}` : ''}`.replace(/ +/g, ' '),
  fieldLabel: (_, type, field) => `${type}.${field}`,
  valueLabel: (language, enumeration, value) => `${language} ${enumeration} ${value}`,
  languageOf: (language) => language,
}

export interface Stubs {
  deps: HttpDeps
  asked: Asked
  calls: Call[]
  /** Entries of the log: level, details, message. */
  logged: [string, Record<string, unknown>, string][]
}

/** Parts for an interface without HTTPS and with generous limits. */
export function stubs(overrides: Partial<HttpDeps> = {}, options: StubOptions = {}): Stubs {
  const asked: Asked = []
  const calls: Call[] = []
  const logged: Stubs['logged'] = []
  const entry = (level: string) => (details: object, message: string) =>
    void logged.push([level, details as Record<string, unknown>, message])
  const { baseUrl, http } = settingsWith({ allowInsecure: true, headerPrefixes: ['X-SVC-', 'X-Old-'] })
  const deps: HttpDeps = {
    catalog,
    operations: stubOperations(asked, options),
    authenticator,
    callers: callers(calls),
    once: async (call, _, work) => ({ result: (await work(call)).result }),
    words,
    rateLimits: { count: async () => ({ limit: 3600, remaining: 3599, resetAt: 1_800_000_000, retryAfter: null }) },
    apiTokens: { show: async (id) => `token of ${id}`, resetApiToken: async (call) => `new token of ${call.actor?.id}` },
    counting: { countBy: async () => ({ total: 0, groups: [] }) },
    allowances: {
      inGeneral: async (_, { name }) => ({
        type: name,
        read: 'all',
        create: 'none',
        update: 'some',
        remove: 'none',
        fields: {},
      }),
      ofRecords: async (_call, _type, ids) => ids.map((id) => ({ id, read: false })),
    },
    permissions: {
      list: async () => [{ account: { id: 'wdc', name: 'WDC' }, roles: ['specialist'] }],
      add: async (_, ...rest) => permissionAnswer(asked, 'add', rest),
      replace: async (_, ...rest) => permissionAnswer(asked, 'replace', rest),
      revoke: async (_, ...rest) => void asked.push(['revoke', ...rest.filter(isGiven)]),
      revokeAll: async (_, ...rest) => void asked.push(['revokeAll', ...rest.filter(isGiven)]),
    },
    personalTokens: {
      list: async () => [],
      read: async () => Promise.reject(new NotFound()),
      create: async () => Promise.reject(new Invalid([['name', 'blank']])),
      createFor: async () => Promise.reject(new NotFound()),
      revoke: async () => Promise.reject(new NotFound()),
    },
    ...{ baseUrl, ...http },
    log: { debug: entry('debug'), info: entry('info'), warn: entry('warn'), error: entry('error') },
    databaseFault: (error) => ((error as { code?: string })?.code === 'ECONNREFUSED' ? new Unavailable(error) : null),
    ...overrides,
  }
  return { deps, asked, calls, logged }
}

function permissionAnswer(asked: Asked, verb: string, rest: readonly [number, string, readonly string[], unknown?]) {
  asked.push([verb, ...rest.filter(isGiven)])
  return { account: { id: rest[1], name: rest[1].toUpperCase() }, roles: rest[2] }
}

/** Leaves out the arguments that were not given, such as preconditions. */
function isGiven(argument: unknown): boolean {
  return argument !== undefined && typeof argument !== 'function'
}
