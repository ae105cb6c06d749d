/** What the person may do, as `GET /me/permissions` tells (behaviour: What callers may do). */
import type { Api } from './api.js'
import { CallFailed } from './call-failed.js'

export type Reach = 'all' | 'some' | 'none'

export interface RecordAllowance {
  readonly id: number
  readonly read: boolean
  readonly update?: boolean
  readonly remove?: boolean
  readonly fields?: readonly string[]
  readonly unreadable?: readonly string[]
  readonly moves?: { readonly [field: string]: readonly string[] }
}

export interface Allowance {
  readonly read: Reach
  readonly create: Reach
  readonly update: Reach
  readonly remove: Reach
  readonly fields: { readonly [name: string]: { readonly read: Reach; readonly create: Reach; readonly update: Reach } }
  readonly records?: readonly RecordAllowance[]
}

/** The roles of a person in one account. */
export interface AccountRoles {
  readonly account: { readonly id: string; readonly name: string }
  readonly roles: readonly string[]
}

export interface Allowances {
  /** The names of the types whose records the person may read. */
  readable(): Promise<ReadonlySet<string>>
  /** Names of the types of which the person may create or change records. */
  writable(): Promise<ReadonlySet<string>>
  /** In general, asked once for each type. */
  inGeneral(type: string): Promise<Allowance>
  ofRecord(type: string, id: number): Promise<RecordAllowance>
  /** Forgets what was asked once: the roles of the person may be others. */
  forget(): void
  /** The roles of the person in an account. Asked once. */
  roles(personId: number, accountId: string): Promise<ReadonlySet<string>>
  /** The roles of the person in all accounts; none, if the person may not read them in this one. */
  rolesByAccount(personId: number): Promise<readonly AccountRoles[]>
}

/** What the person may do with a type in general. */
interface TypeAllowance extends Pick<Allowance, 'create' | 'read' | 'update'> {
  readonly type: string
}

export function createAllowances(api: Api): Allowances {
  const known = new Map<string, Promise<Allowance>>()
  let asked: Promise<readonly TypeAllowance[]> | null = null
  const ask = () => {
    asked ??= api.get<{ readonly types: readonly TypeAllowance[] }>('/me/permissions/types').then(
      ({ types }) => types,
      (error: unknown) => {
        asked = null
        throw error
      },
    )
    return asked
  }
  let roles: Promise<readonly AccountRoles[]> | null = null
  const rolesByAccount = (personId: number) => {
    roles ??= api.get<readonly AccountRoles[]>(`/people/${personId}/permissions`).catch((error: unknown) => {
      roles = null
      // Who may not read the own roles in this account has none.
      if (error instanceof CallFailed && (error.status === 403 || error.status === 404)) return []
      throw error
    })
    return roles
  }
  return {
    readable: async () => new Set((await ask()).filter(({ read }) => read !== 'none').map(({ type }) => type)),
    async writable() {
      const types = await ask()
      return new Set(types.filter(({ create, update }) => create !== 'none' || update !== 'none').map(({ type }) => type))
    },
    rolesByAccount,
    async roles(personId, accountId) {
      const all = await rolesByAccount(personId)
      return new Set(all.filter(({ account }) => account.id === accountId).flatMap((one) => one.roles))
    },
    inGeneral(type) {
      const asked = known.get(type) ?? api.get<Allowance>(`/me/permissions?type=${encodeURIComponent(type)}`)
      known.set(type, asked)
      asked.catch(() => known.delete(type))
      return asked
    },
    async ofRecord(type, id) {
      const asked = await api.get<Allowance>(`/me/permissions?type=${encodeURIComponent(type)}&id=${id}`)
      known.set(type, Promise.resolve(asked))
      return asked.records?.[0] ?? { id, read: false }
    },
    forget() {
      known.clear()
      asked = null
      roles = null
    },
  }
}
