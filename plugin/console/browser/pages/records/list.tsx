/** The list of a record type: predefined and saved views, filters, columns, order, pages. Its URL says all of it. */
import { useEffect } from 'preact/hooks'
import type { Output } from '../../core/api.js'
import type { RecordType } from '../../core/read-catalog.js'
import type { TextKey } from '../../core/texts.js'
import { useTitle } from '../../core/title.js'
import { useApp, useLoaded, usePlace } from '../../core/use-app.js'
import { Empty, Link, Loading, Problem } from '../../parts/basics.js'
import { ImportLinks } from '../../parts/import-links.js'
import { Pager } from '../../parts/pager.js'
import { RecordTable } from '../../parts/record-table.js'
import { ColumnChoice } from './column-choice.js'
import { FilterBar } from './filter-bar.js'
import { Views } from './views.js'

const PER_PAGE = 25
/** Columns of a list that nobody has chosen columns for. */
const MOST_COLUMNS = 7
/** Fields of lists that say little to people. */
const RARELY_READ: ReadonlySet<string> = new Set(['source', 'sourceID', 'grouped_into', 'created_at', 'completed_at'])

/** Columns of lists whose first fields do not tell one record from another. */
const TELLING: Readonly<Record<string, readonly string[]>> = {
  webhook: ['name', 'event', 'uri', 'disabled', 'last_error', 'updated_at'],
}
/** Types whose records are made on other pages, with what their list says about that. */
const MADE_ELSEWHERE: Readonly<Record<string, TextKey>> = { view: 'views_help' }

export function ListPage({ type }: { type: RecordType }) {
  const { allowances, api, places, t, number } = useApp()
  const { query } = usePlace()
  useTitle(type.label_of_many)
  const go = (next: URLSearchParams) => places.go(`${type.path}${next.size > 0 ? `?${next}` : ''}`)
  const columns = columnsOf(type, query.get('fields'))
  const asked = new URLSearchParams(query)
  asked.set('fields', columns.map(({ name }) => name).join(','))
  if (!asked.has('per_page')) asked.set('per_page', String(PER_PAGE))
  const found = useLoaded(`${type.path}?${asked}`, (signal) =>
    api.call<readonly Output[]>('GET', `${type.path}?${asked}`, { signal }),
  )
  const allowed = useLoaded(`may ${type.name}`, () => allowances.inGeneral(type.name))
  const records = found.data?.data ?? []
  const total = Number(found.data?.headers.get('X-Pagination-Total-Entries') ?? 0)
  const madeElsewhere = MADE_ELSEWHERE[type.name]
  const mayCreate =
    type.operations.includes('create') && !madeElsewhere && allowed.data !== undefined && allowed.data.create !== 'none'
  // A page that has gone, because records have: the first one is never empty in vain.
  const isBeyond = found.data !== undefined && records.length === 0 && total > 0
  useEffect(() => {
    if (!isBeyond) return
    const first = new URLSearchParams(location.search)
    first.delete('page')
    places.go(`${type.path}?${first}`, true)
  }, [isBeyond, places, type])
  return (
    <>
      <div class="title">
        <h1>{type.label_of_many}</h1>
        {found.data && <span class="total">{number(total)}</span>}
        <span class="actions">
          {allowed.data && (
            <ImportLinks type={type} mayWrite={allowed.data.create !== 'none' || allowed.data.update !== 'none'} />
          )}
          {mayCreate && (
            <Link to={`${type.path}/new`} class="button primary">
              {t('new_record', { type: type.label })}
            </Link>
          )}
        </span>
      </div>
      {madeElsewhere && <p class="help">{t(madeElsewhere)}</p>}
      <Views type={type} query={query} onChange={go} />
      <div class="tools">
        <FilterBar type={type} query={query} onChange={go} />
        <ColumnChoice type={type} chosen={columns} query={query} onChange={go} />
      </div>
      {found.error !== undefined ? (
        <Problem error={found.error} retry={found.reload} />
      ) : !found.data ? (
        <Loading />
      ) : records.length === 0 ? (
        <Empty>
          <p>{t(query.size > 0 ? 'nothing_matches' : 'no_records')}</p>
          {query.size > 0 && <Link to={type.path ?? ''}>{t('all')}</Link>}
          {query.size === 0 && mayCreate && <Link to={`${type.path}/new`}>{t('new_record', { type: type.label })}</Link>}
        </Empty>
      ) : (
        <>
          <RecordTable type={type} columns={columns} records={records} query={query} onSort={go} isBusy={found.isLoading} />
          <Pager query={query} total={total} perPage={Number(asked.get('per_page'))} path={type.path ?? ''} />
        </>
      )}
    </>
  )
}

/** The fields of the columns: those in the URL, or the most telling ones of the list. */
function columnsOf(type: RecordType, fields: string | null) {
  const named = (name: string) => type.fields.filter((field) => field.name === name && !field.write_only)
  if (fields !== null && fields !== '') return fields.split(',').flatMap(named)
  const telling = TELLING[type.name]
  if (telling) return telling.flatMap(named)
  const listed = type.list_fields.filter((name) => name !== 'id' && !RARELY_READ.has(name))
  // Lists of some types show little by themselves: then what each record must have.
  const isTelling = listed.some((name) => name !== type.title && name !== 'updated_at')
  const names = isTelling ? listed : [...type.fields.filter(({ required }) => required).map(({ name }) => name), ...listed]
  const title = type.title === null ? [] : [type.title]
  const rest = names.filter((name) => name !== type.title)
  const updated = rest.includes('updated_at') ? ['updated_at'] : []
  const chosen = [...title, ...rest.filter((name) => name !== 'updated_at').slice(0, MOST_COLUMNS - 2), ...updated]
  return (chosen.length > 0 ? chosen : ['id']).flatMap(named)
}
