/** The first page: what waits for the person, what fails, and the last days. */
import type { Output } from '../../core/api.js'
import type { Labelled, RecordType } from '../../core/read-catalog.js'
import { useTitle } from '../../core/title.js'
import { useApp, useIsAdministrator, useLoaded } from '../../core/use-app.js'
import { Empty, Link, Loading, Problem } from '../../parts/basics.js'
import { RecordTable } from '../../parts/record-table.js'
import { LastDays } from './last-days.js'
import { WhatFails } from './what-fails.js'

/** Lists of what concerns the person, in the order in which they are shown. */
const MINE: readonly string[] = ['waiting_for_me', 'approval_by_me', 'assigned_to_me']
const PER_LIST = 5
const COLUMNS: readonly (string | null)[] = ['status', 'impact', 'next_target_at', 'team', 'updated_at']

interface Waiting {
  readonly type: RecordType
  readonly list: Labelled
  readonly records: readonly Output[]
  readonly total: number
}

export function HomePage() {
  const { api, catalog, me, t } = useApp()
  useTitle('')
  const isAdministrator = useIsAdministrator()
  const lists = MINE.flatMap((name) =>
    catalog.types.flatMap((type) =>
      type.lists.filter((list) => list.name === name && type.path).map((list) => ({ type, list })),
    ),
  )
  const { data, error, reload } = useLoaded('home', (signal) =>
    Promise.all(
      lists.map(async ({ type, list }): Promise<Waiting> => {
        const names = columnsOf(type).map(({ name }) => name)
        const query = `state=${list.name}&fields=${names.join(',')}&per_page=${PER_LIST}`
        const { data: records, headers } = await api.call<readonly Output[]>('GET', `${type.path}?${query}`, { signal })
        return { type, list, records, total: Number(headers.get('X-Pagination-Total-Entries') ?? 0) }
      }),
    ),
  )
  const empty = data?.filter(({ total }) => total === 0) ?? []
  return (
    <>
      <h1>{t('hello', { name: me.name })}</h1>
      {error !== undefined && <Problem error={error} retry={reload} />}
      {!data && error === undefined && <Loading />}
      {data && empty.length === data.length && <Empty>{t('nothing_waits')}</Empty>}
      {data
        ?.filter(({ total }) => total > 0)
        .map((waiting) => (
          <WaitingList key={`${waiting.type.name} ${waiting.list.name}`} {...waiting} />
        ))}
      {empty.length > 0 && empty.length < (data?.length ?? 0) && (
        <p class="help">{t('nothing_in', { lists: empty.map(({ list, type }) => titleOf(type, list)).join(' · ') })}</p>
      )}
      {isAdministrator && <WhatFails />}
      <LastDays />
    </>
  )
}

function WaitingList({ type, list, records, total }: Waiting) {
  const { number, t } = useApp()
  return (
    <section>
      <div class="title">
        <h2>{titleOf(type, list)}</h2>
        <span class="total">{number(total)}</span>
        {total > PER_LIST && <Link to={`${type.path}?state=${list.name}`}>{t('all')}</Link>}
      </div>
      <RecordTable type={type} columns={columnsOf(type)} records={records} />
    </section>
  )
}

function titleOf(type: RecordType, list: Labelled): string {
  return `${type.label_of_many}: ${list.label}`
}

function columnsOf(type: RecordType) {
  const names = type.list_fields.filter((name) => name === type.title || COLUMNS.includes(name))
  return names.flatMap((name) => type.fields.filter((field) => field.name === name))
}
