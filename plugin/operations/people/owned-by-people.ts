/**
 * Personal tokens and OAuth clients: what people make for programs that act as them, and what administrators of their account list
 * and revoke. Every change locks the person, and leaves an audit line and a line in the log.
 */
import type { StoredLimited } from '../../access/tokens/limited-rows.js'
import { mustAllow, mustBeUnlimited } from '../../access/tokens/token-limits.js'
import { type Call, hasRole } from '../../core/call.js'
import { type Instant, instantOf } from '../../core/clock.js'
import { Forbidden, NotFound } from '../../core/errors.js'
import type { Log } from '../../core/log.js'
import type { RecordType } from '../../schema/catalog.js'
import type { Row } from '../../schema/language/define-rule.js'
import { afterCommit, inTransaction } from '../../storage/database/transaction.js'
import { reachableRow } from '../read/visible.js'
import { addLinesOf } from '../save/audit.js'
import type { WriteDeps } from '../save/related/write-deps.js'

/** What people see of a token or client: `id`, `name`, its limits, `last_used_at` (to the minute) and `created_at`. */
export interface ShownLimited {
  readonly id: number
  readonly name: string
  /** True if it may only read. */
  readonly read_only: boolean
  /** Null for all. */
  readonly record_types: readonly string[] | null
  readonly last_used_at: string | null
  readonly created_at: string
}

/**
 * Credentials of the caller; with `personId` those of another person, for administrators of that person's account.
 *
 * All functions throw Forbidden for callers who may not do this, and NotFound for a person, or one of these, that they do not see.
 */
export interface OwnedByPeople<Made, Shown> {
  /** Latest first. */
  list(call: Call, personId?: number): Promise<readonly Shown[]>
  read(call: Call, id: number): Promise<Shown>
  /** @throws Invalid for a wrong body, and above the maximum number */
  create(call: Call, body: Body): Promise<Made>
  /** Creates it for a person on behalf of the host. @throws NotFound for an unknown person, Invalid as `create` does */
  createFor(call: Call, personId: number, body: Body): Promise<Made>
  /** Revokes it for good. */
  revoke(call: Call, id: number, personId?: number): Promise<void>
}

type Body = Readonly<Record<string, unknown>>

/** A token or client that was made, with its secret in the form of the response. */
interface Added<Stored> {
  readonly stored: Stored
  readonly secret: Readonly<Record<string, string>>
}

/** What differs between tokens and clients. */
interface Kind<Input, Stored, Shown> {
  /** The name in the audit trail of the person. */
  readonly field: string
  /** Subject of the line in the log. */
  readonly noun: string
  list(call: Call, personId: number): Promise<readonly Stored[]>
  shown(call: Call, stored: Stored): Shown
  readInput(call: Call, body: Body): Input
  /** @param person the locked row. @throws Invalid above the maximum number */
  add(inside: Call, person: Row, input: Input): Promise<Added<Stored>>
  remove(inside: Call, stored: Stored): Promise<void>
  /** The text in the audit trail, and the id in the log. */
  named(stored: Stored): { readonly text: string; readonly details: object }
}

/** @param type the record type of people */
export function ownedByPeople<Input, Stored extends StoredLimited, Shown extends object, Made extends Shown>(
  deps: WriteDeps,
  { type, log }: { readonly type: RecordType; readonly log: Log },
  kind: Kind<Input, Stored, Shown>,
): OwnedByPeople<Made, Shown> {
  /** The person who is meant; default: the caller. */
  const personOf = async (call: Call, personId: number | undefined, action: 'read' | 'update'): Promise<number> => {
    if (personId === undefined) {
      mustBeUnlimited(call)
      if (!call.actor) throw new Forbidden()
      return call.actor.id
    }
    mustAllow(call, action, type)
    const row = await reachableRow(deps, call, type, personId)
    if (row['account_id'] !== call.account.id || !hasRole(call, 'account_administrator')) throw new Forbidden()
    return personId
  }
  const oneOf = async (call: Call, personId: number, id: number): Promise<Stored> => {
    const found = (await kind.list(call, personId)).find((one) => one.id === id)
    if (!found) throw new NotFound()
    return found
  }
  /** Makes changes of one person wait for each other: concurrent calls must not exceed a maximum together. */
  const change = <T extends { readonly stored: Stored }>(
    call: Call,
    personId: number,
    isNew: boolean,
    work: (inside: Call, person: Row) => Promise<T>,
  ): Promise<T> =>
    inTransaction(deps.storage, call, async (inside) => {
      const where = { path: ['id'], op: 'in', values: [personId] } as const
      const [person] = await deps.queries.rows(inside, { type, where }, { lock: true })
      if (!person) throw new NotFound()
      const changed = await work(inside, person)
      const { details, text } = kind.named(changed.stored)
      await addLinesOf(deps, inside, type, [person], 'update', { [kind.field]: isNew ? [null, text] : [text, null] })
      const who = { personId, ...details, byPersonId: call.actor?.id ?? null, requestId: call.requestId }
      // The transaction may be rolled back, or repeated.
      afterCommit(inside, () => log.info(who, `${kind.noun} was ${isNew ? 'made' : 'revoked'}`))
      return changed
    })
  const make = async (call: Call, personId: number, body: Body): Promise<Made> => {
    const input = kind.readInput(call, body)
    const { secret, stored } = await change(call, personId, true, (inside, person) => kind.add(inside, person, input))
    return { ...kind.shown(call, stored), ...secret } as Made
  }

  return {
    async list(call, personId) {
      const found = await kind.list(call, await personOf(call, personId, 'read'))
      return found.map((one) => kind.shown(call, one))
    },
    read: async (call, id) => kind.shown(call, await oneOf(call, await personOf(call, undefined, 'read'), id)),
    create: async (call, body) => make(call, await personOf(call, undefined, 'update'), body),
    createFor: make,
    async revoke(call, id, personId) {
      const owner = await personOf(call, personId, 'update')
      await change(call, owner, false, async (inside) => {
        const stored = await oneOf(inside, owner, id)
        await kind.remove(inside, stored)
        return { stored }
      })
    },
  }
}

/** What responses show of all of them. */
export function shownLimited(
  { formatInstant }: { formatInstant(instant: Instant, zone: string): string },
  call: Call,
  { createdAt, id, lastUsedAt, name, readOnly, recordTypes }: StoredLimited,
): ShownLimited {
  const format = (date: Date) => formatInstant(instantOf(date), call.zone)
  return {
    id,
    name,
    read_only: readOnly,
    record_types: recordTypes,
    last_used_at: lastUsedAt && format(lastUsedAt),
    created_at: format(createdAt),
  }
}
