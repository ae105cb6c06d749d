/** A table of records. On a narrow screen each row becomes a card. */
import type { ComponentChildren } from 'preact'
import type { Output } from '../core/api.js'
import type { Field, RecordType } from '../core/read-catalog.js'
import { nameOf, pageOf } from '../core/record-name.js'
import { useApp } from '../core/use-app.js'
import { Link } from './basics.js'
import { FieldValue } from './value.js'

interface RecordTableProps {
  readonly type: RecordType
  readonly columns: readonly Field[]
  readonly records: readonly Output[]
  /** Of the list; without it, there is no choice of an order. */
  readonly query?: URLSearchParams
  readonly onSort?: (query: URLSearchParams) => void
  readonly isBusy?: boolean
  /** What can be done with a record, at the end of its row. */
  readonly actionOf?: (record: Output) => ComponentChildren
}

export function RecordTable({ type, columns, records, query, onSort, isBusy = false, actionOf }: RecordTableProps) {
  const first = columns.find(({ name }) => name === type.title) ?? columns[0]
  return (
    <div class="table" aria-busy={isBusy}>
      <table>
        <thead>
          <tr>
            <th scope="col" class="number">
              #
            </th>
            {columns
              .filter(({ name }) => name !== 'id')
              .map((field) => (
                <Heading
                  key={field.name}
                  field={field}
                  sort={query?.get('sort') ?? type.sort.join(',')}
                  query={query}
                  onSort={onSort}
                />
              ))}
            {actionOf && <td />}
          </tr>
        </thead>
        <tbody>
          {records.map((record) => {
            const page = pageOf(type, record['id'])
            return (
              <tr key={String(record['id'])}>
                <td class="number">{page === null ? record['id'] : <Link to={page}>{record['id']}</Link>}</td>
                {columns
                  .filter(({ name }) => name !== 'id')
                  .map((field) => (
                    <td key={field.name} data-label={field.label} class={classOf(field, first)}>
                      {field === first && field.name === type.title && page !== null ? (
                        <Link to={page}>{nameOf(record, type.title)}</Link>
                      ) : (
                        <FieldValue field={field} record={record} type={type} isShort />
                      )}
                    </td>
                  ))}
                {actionOf && <td class="action">{actionOf(record)}</td>}
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}

function classOf(field: Field, first: Field | undefined): string {
  if (field === first) return 'first'
  return ['datetime', 'date', 'localDatetime', 'boolean'].includes(field.kind) || field.name === 'status' ? 'short' : ''
}

interface HeadingProps {
  readonly field: Field
  readonly sort: string
  readonly query: URLSearchParams | undefined
  readonly onSort: ((query: URLSearchParams) => void) | undefined
}

/** A column whose heading is a button if the list can be in its order. */
function Heading({ field, sort, query, onSort }: HeadingProps) {
  const { t } = useApp()
  if (!query || !onSort || !field.sortable) return <th scope="col">{field.label}</th>
  const [by = ''] = sort.split(',')
  const isSorted = by.replace(/^-/, '') === field.name
  const isDescending = by.startsWith('-')
  const next = new URLSearchParams(query)
  next.set('sort', isSorted && !isDescending ? `-${field.name}` : field.name)
  next.delete('page')
  const order = isSorted ? (isDescending ? 'descending' : 'ascending') : 'none'
  return (
    <th scope="col" aria-sort={order}>
      <button type="button" class="sort" title={t('sort_by', { name: field.label })} onClick={() => onSort(next)}>
        {field.label}
        <span aria-hidden="true">{isSorted ? (isDescending ? ' ↓' : ' ↑') : ''}</span>
      </button>
    </th>
  )
}
