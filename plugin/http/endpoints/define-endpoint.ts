/** Endpoints of hosts: option `endpoints`. */
import type { LocalApi } from '../../operations/host/record-api.js'
import type { Fields, RowOf } from '../../schema/language/define-record.js'

/** The person who calls an endpoint. */
export interface Caller {
  /** Id of the person record. */
  readonly id: number
  /** The name of the person. */
  readonly name: string
  /** The e-mail address of the person. */
  readonly email: string
}

/** What a token allows. */
export interface TokenLimits {
  /** True if it only reads. */
  readonly readOnly: boolean
  /** The record types that it opens; null for all. */
  readonly recordTypes: readonly string[] | null
}

/** The token of a caller, which may be limited. */
export interface CallerToken extends TokenLimits {
  /** Id of the token. */
  readonly id: number
  /** `personal`: made by the person; `oauth`: got by an OAuth client. */
  readonly kind: 'personal' | 'oauth'
  /** Name of the token, or of the OAuth client. */
  readonly name: string
}

/** The system, and why it acts. */
export interface ActingSystem {
  /** The reason, for readers of the code and of the audit trail. */
  readonly system: string
}

/** What the function of an endpoint gets. */
export interface EndpointContext<Body extends Fields = Fields, Query extends Fields = Fields> {
  /**
   * Records, as the caller works with them, or as the system. Everything that is done with it is one transaction: if the function
   * throws, nothing of it is stored.
   */
  readonly api: LocalApi
  /**
   * The values of the body in the form of rows: references as `<field>_id`, times in UTC. What was not sent and has no default is
   * absent; null is an empty value.
   */
  readonly body: Partial<RowOf<Body>>
  /** The values of the query, in the same form. */
  readonly query: Partial<RowOf<Query>>
  /** The values in the path: `id` and names that end in `_number` are numbers, all others texts. */
  readonly params: { readonly [name: string]: string | number } & { readonly id: number }
  /** The person who calls. */
  readonly person: Caller
  /** The token that the person calls with; null for the API token, a password, a session, and sign-ins of your own. */
  readonly token: CallerToken | null
  /** The account that the call operates on. */
  readonly accountId: string
  /** The language of the caller: `en`, `nl` … */
  readonly language: string
  /** As in the header `X-Request-Id` of the response. */
  readonly requestId: string
}

/** What a host says of an endpoint. */
export interface EndpointOf<Body extends Fields, Query extends Fields> {
  /** Default: POST. */
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /**
   * The path below `/v1`, in lower-case words, with `:name` segments: `/vehicles/:id/handover`. `:id` and names that end in
   * `_number` match ids of records. A path of the plugin is a mistake of the options.
   */
  readonly path: string
  /** A line about it, for the OpenAPI document. */
  readonly summary: string
  /** More about it, for the OpenAPI document. */
  readonly description?: string
  /**
   * The record type that it is about: its labels are used in messages. A token that is limited to record types opens the endpoint
   * if this is one of them.
   */
  readonly type?: string
  /** Fields of the body, as definitions have them: `{ driver: ref('person', { required: true }), remarks: string(200) }`. */
  readonly body?: Body
  /** Fields of the query. */
  readonly query?: Query
  /** The JSON schema of the response, for the OpenAPI document. */
  readonly response?: { readonly [keyword: string]: unknown }
  /**
   * Whose permissions `api` has: those of the caller (default), or of the system, which may do everything. The reason documents that
   * for readers, and stands in the audit trail.
   */
  readonly as?: 'caller' | ActingSystem
  /**
   * `any`: also tokens that are limited to other record types open it, or to the feed. Then limit what it does by `token` of the context. Tokens that
   * only read never open it, unless it is a GET. Default: `limited`.
   */
  readonly tokens?: 'limited' | 'any'
  /**
   * `unchecked`: records that the body, the query and `:id` in a path such as `/requests/:id/close` name are not
   * looked up. Then check what the caller may know of them. Default: `checked`: as unknown as other ids, if the caller does not see
   * the record.
   */
  readonly references?: 'checked' | 'unchecked'
  /**
   * Does the work, and returns the body of the response (200); without one, the response is 204. Throw `new Invalid([['driver',
   * 'blank']])`, `new NotFound()` or `new Forbidden()` to refuse. It may run again after a deadlock, and a repeated call with the same
   * `Idempotency-Key` gets the stored response. It works in a transaction, so it should not wait for others.
   */
  run(context: EndpointContext<Body, Query>): unknown
}

/** An endpoint of the host, made by `defineEndpoint()`. */
export interface HostEndpoint extends EndpointOf<Fields, Fields> {
  /** The verb; HEAD and PUT are those of GET and PATCH. */
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
}

/**
 * Defines an endpoint below `/v1`. Sign-in, tokens, limits, errors, idempotency and the OpenAPI document come with it:
 *
 *     defineEndpoint({
 *       path: '/vehicles/:id/handover',
 *       summary: 'Hand a vehicle over',
 *       body: { driver: ref('person', { required: true }), remarks: string(200) },
 *       async run({ api, body, params }) {
 *         return api.update('vehicle', params.id, { driver_id: body.driver_id, remarks: body.remarks })
 *       },
 *     })
 */
export function defineEndpoint<Body extends Fields, Query extends Fields>(of: EndpointOf<Body, Query>): HostEndpoint {
  return { method: 'POST', ...of } as unknown as HostEndpoint
}
