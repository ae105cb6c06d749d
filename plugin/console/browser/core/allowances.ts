/** What the person may do, as `GET /me/permissions` tells (behaviour: What callers may do). */
import type { Api } from './api.js'

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

export interface Allowances {
  /** The names of the types whose records the person may read. */
  readable(): Promise<ReadonlySet<string>>
  /** In general, asked once for each type. */
  inGeneral(type: string): Promise<Allowance>
  ofRecord(type: string, id: number): Promise<RecordAllowance>
}

export function createAllowances(api: Api): Allowances {
  const known = new Map<string, Promise<Allowance>>()
  let readable: Promise<ReadonlySet<string>> | null = null
  const askReadable = async () => {
    const { types } = await api.get<{ readonly types: readonly { readonly type: string; readonly read: Reach }[] }>(
      '/me/permissions/types',
    )
    return new Set(types.filter(({ read }) => read !== 'none').map(({ type }) => type))
  }
  return {
    readable() {
      readable ??= askReadable().catch((error: unknown) => {
        readable = null
        throw error
      })
      return readable
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
  }
}
