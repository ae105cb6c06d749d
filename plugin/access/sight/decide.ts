/** Decides if a call may do something, for records and for single fields, by the access part of the definitions. */
import { type Call, hasRole } from '../../core/call.js'
import { Forbidden, HookFailed } from '../../core/errors.js'
import { shown } from '../../core/text/shown.js'
import { type AskHost, createAskHost } from '../../core/waiting/ask-host.js'
import type { RecordField, RecordType } from '../../schema/catalog.js'
import { PERSON } from '../../schema/language/built-in-types.js'
import type { Row } from '../../schema/language/define-rule.js'
import { isLimited, type Who, whoOf } from '../../schema/language/who.js'
import { allowsAction, opensType } from '../tokens/token-limits.js'

/** What a call wants to do with a record. */
export type Action = 'read' | 'create' | 'update' | 'remove'

/** Argument of the host's `authorize` hook. */
export interface Question {
  /** Who asks, for which account, with which roles. */
  readonly call: Call
  /** For lists, and to find out if a type is open at all, `read`. */
  readonly action: Action
  /** Name of the record type. */
  readonly type: string
  /** The record as stored; for a new one its owner, and the people and teams that grants name; null for lists. */
  readonly row: Row | null
}

/**
 * The host's hook for decisions: returns true or false; `decide()` returns our decision. Not called for `asSystem`.
 *
 * ```ts
 * import type { Authorize } from 'koa-itsm'
 *
 * export const authorize: Authorize = async ({ action, call, type }, decide) =>
 *   type === 'webhook' && action !== 'read' ? call.roles.has('account_owner') : decide()
 * ```
 */
export type Authorize = (question: Question, decide: () => boolean) => boolean | Promise<boolean>

/** The fields that a caller may set. */
export type Fields = 'all' | ReadonlySet<string>

/** Ids of teams of the caller. */
export type Teams = ReadonlySet<number>

export interface Decisions {
  /** True if the host has an `authorize` hook. */
  readonly asksHost: boolean
  /**
   * Throws unless the call may do this. Rows need the columns of the people and teams that grants name, also those of fields
   * behind references.
   *
   * @throws Forbidden
   */
  decide(call: Call, action: Action, type: RecordType, row: Row | null): Promise<void>
  /**
   * True if the roles of the caller open the type, or as the host answers for `read` without a record. The host is asked once
   * per type and call. Limits of a token do not count: references show records that it does not open.
   */
  isOpen(call: Call, type: RecordType): Promise<boolean>
  /** The fields that the caller may set; call `decide` for the record before. */
  fields(call: Call, action: 'create' | 'update', type: RecordType, row: Row | null): Promise<Fields>
  /** The caller's teams, if the type has grants for members of teams; one query per call, and one for all passed records. */
  teams(call: Call, type: RecordType): Promise<Teams>
}

/**
 * @param loadTeams the ids of the teams that the caller is a member of
 * @param ask calls the host
 */
export function createDecisions(
  authorize?: Authorize,
  loadTeams: (call: Call) => Promise<readonly number[]> = async () => [],
  ask: AskHost = createAskHost(),
): Decisions {
  const known = new WeakMap<object, Promise<Teams>>()
  const asking = new WeakMap<RecordType, boolean>()
  const teams: Decisions['teams'] = (call, type) => {
    const isAsking = asking.get(type) ?? asksForTeams(type)
    asking.set(type, isAsking)
    if (!call.actor || !isAsking) return Promise.resolve(NO_TEAMS)
    // Many passed records that are only looked at have a call each, all with the roles of the one that led to them.
    const key = (!call.transaction && call.passed?.roles) || call
    const loaded = known.get(key) ?? loadTeams(call).then((ids) => new Set(ids))
    known.set(key, loaded)
    return loaded
  }

  const decide: Decisions['decide'] = async (call, action, type, row) => {
    // The host decides on calls of people, and on what rules do on their behalf; not on its own code or the plugin's.
    if (call.bypassesPermissions && call.acts !== 'caller') return
    // Not for the host to widen: a token is as limited as its owner wanted it.
    if (!allowsAction(call, action, type, row)) throw new Forbidden()
    // Reading is not granted to teams: the scope decides what they see.
    const mine = action === 'read' ? NO_TEAMS : await teams(call, type)
    const ours = () => isAllowed(call, action, type, row, mine)
    const answer = authorize ? await asked(ask, authorize, { call, action, type: type.name, row }, ours) : ours()
    if (!answer) throw new Forbidden()
  }

  // Keyed by the roles of the call, which stay the same inside of its transactions.
  const open = new WeakMap<Call['roles'], Map<RecordType, Promise<boolean>>>()
  const isOpen: Decisions['isOpen'] = (call, type) => {
    if (!authorize || call.bypassesPermissions) return Promise.resolve(mayKnow(call, type))
    const answers = open.get(call.roles) ?? new Map<RecordType, Promise<boolean>>()
    open.set(call.roles, answers)
    const question = { call, action: 'read', type: type.name, row: null } as const
    const ours = () => isSomebody(call) && mayKnow(call, type)
    const answer = answers.get(type) ?? asked(ask, authorize, question, ours).catch(falseIfForbidden)
    answers.set(type, answer)
    return answer
  }

  return {
    asksHost: authorize !== undefined,
    teams,
    decide,
    isOpen,
    async fields(call, action, type, row) {
      const mine = await teams(call, type)
      const grants = type.access[action].filter((grant) => applies(call, whoOf(grant), row, mine))
      if (call.bypassesPermissions || grants.some((grant) => !isLimited(grant))) return 'all'
      // No grant applies, so the host's `authorize` has allowed this. Allow all fields, otherwise the update could set none.
      if (authorize && grants.length === 0) return 'all'
      return new Set(grants.flatMap((grant) => (isLimited(grant) ? grant.fields : [])))
    },
  }
}

/** False if the caller, or the host for it, is refused. */
export function allows({ decide }: Pick<Decisions, 'decide'>, ...asked: Parameters<Decisions['decide']>): Promise<boolean> {
  return decide(...asked).then(() => true, falseIfForbidden)
}

/**
 * True if the acting person is meant. `row` is a record, or a sub-record, whose owner then counts. Roles apply in the account
 * of the call: they do not apply to records of another one, such as a person of the directory account.
 *
 * @param teams the teams of the person, from `Decisions.teams`
 */
export function applies(call: Call, who: Who, row: Row | null, teams: Teams = NO_TEAMS): boolean {
  if (call.bypassesPermissions) return true
  if (who === 'anyone') return isSomebody(call)
  if (who === 'self') return call.actor !== null && selfOf(row) === call.actor.id
  if (typeof who === 'object' && 'memberOf' in who) return teams.has(Number(row?.[`${who.memberOf}_id`]))
  if (typeof who === 'object') return call.actor !== null && row?.[`${who.person}_id`] === call.actor.id
  return hasRole(call, who) && (row?.['account_id'] ?? call.account.id) === call.account.id
}

/** True if the definition of the field lets the caller set it in this record. The system may set all. */
export function mayWrite(call: Call, field: RecordField, row: Row | null, teams: Teams = NO_TEAMS): boolean {
  return !field.write || call.bypassesPermissions || field.write.some((who) => applies(call, who, row, teams))
}

/** True if the caller may read the field in any record, so that lists may be filtered and sorted by it. */
export function mayReadEverywhere(call: Call, field: RecordField): boolean {
  return !field.read || field.read.some((who) => typeof who === 'string' && who !== 'self' && applies(call, who, null))
}

/** True if account administrators may read the field in any record of their account. What is told to others is up to them. */
export function administratorsMayRead({ read }: RecordField): boolean {
  return !read || read.some((who) => who === 'anyone' || who === 'account_administrator')
}

/** True if the type is open to the caller at all. */
export function mayUse(call: Call, type: RecordType): boolean {
  return mayKnow(call, type) && opensType(call, type)
}

/** True if the roles of the caller open the type. References show its records then, whatever the token is limited to. */
export function mayKnow(call: Call, type: RecordType): boolean {
  return !type.access.use || hasRole(call, ...type.access.use)
}

const NO_TEAMS: Teams = new Set()

/** All people, teams and roles that the definition names in grants and fields. */
export function everyoneNamed(type: RecordType): readonly Who[] {
  const { create, update, remove = [] } = type.access
  const granted = [...create, ...update, ...remove].map(whoOf)
  return [...granted, ...[...type.fields.values()].flatMap(({ read = [], write = [] }) => [...read, ...write])]
}

function asksForTeams(type: RecordType): boolean {
  return everyoneNamed(type).some((who) => typeof who === 'object' && 'memberOf' in who)
}

function isAllowed(call: Call, action: Action, type: RecordType, row: Row | null, teams: Teams): boolean {
  if (call.bypassesPermissions) return true
  if (!isSomebody(call) || !mayUse(call, type)) return false
  if (action === 'read') return true
  return (type.access[action] ?? []).some((grant) => applies(call, whoOf(grant), row, teams))
}

/** False for callers who have not signed in. The plugin acts without a person for all who have the roles of its call. */
function isSomebody({ acts, actor }: Call): boolean {
  return actor !== null || acts === 'plugin'
}

async function asked(ask: AskHost, authorize: Authorize, question: Question, ours: () => boolean): Promise<boolean> {
  const place = `authorize for ${question.type}.${question.action}`
  const answer: unknown = await ask(place, () => authorize(question, ours), isForbidden)
  if (typeof answer === 'boolean') return answer
  throw new HookFailed(place, new TypeError(`it must return true or false, not ${shown(answer)}`))
}

function falseIfForbidden(error: unknown): false {
  if (isForbidden(error)) return false
  throw error
}

function isForbidden(error: unknown): boolean {
  return error instanceof Forbidden
}

/** The person that a row describes, or the owner of a sub-record. */
function selfOf(row: Row | null): unknown {
  if (!row) return null
  return row['owner_type'] === undefined ? row['id'] : row['owner_type'] === PERSON ? row['owner_id'] : null
}
