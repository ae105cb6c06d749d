/** A list below a record: sub-records are edited in place, links are made and removed. Read when it is opened. */
import { useState } from 'preact/hooks'
import type { Json, Output } from '../../core/api.js'
import { draftOf, isEditable, withKeyed } from '../../core/drafts.js'
import type { Below, RecordType } from '../../core/read-catalog.js'
import { nameOf } from '../../core/record-name.js'
import { useApp } from '../../core/use-app.js'
import { useMore } from '../../core/use-more.js'
import { explained, Loading, Problem } from '../../parts/basics.js'
import { MoreButton } from '../../parts/more-button.js'
import { RecordForm } from '../../parts/record-form.js'
import { RecordTable } from '../../parts/record-table.js'
import { ReferenceInput } from '../../parts/reference-input.js'
import { Value } from '../../parts/value.js'

interface RelatedListProps {
  readonly list: Below
  /** Of the records in the list. */
  readonly type: RecordType
  readonly owner: RecordType
  /** Of the record that has the list. */
  readonly path: string
  readonly mayChange: boolean
}

const COLUMNS = 5
const AT_FIRST = 20

export function RelatedList(props: RelatedListProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details class="section" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <h2>{props.list.label}</h2>
      </summary>
      {isOpen && <Content {...props} />}
    </details>
  )
}

function Content({ list, type, owner, path, mayChange }: RelatedListProps) {
  const { api, catalog, say, t } = useApp()
  const url = `${path}/${list.name}`
  const read = useMore(url, AT_FIRST)
  const { error, reload, total = 0 } = read
  if (!read.records) return error === undefined ? <Loading /> : <Problem error={error} retry={reload} />
  const records = read.records.map((record) => withKeyed(type, catalog, record))
  const isPart = type.path === null
  const columns = type.list_fields
    .filter((name) => name !== 'id')
    .flatMap((name) => type.fields.filter((field) => field.name === name))
    .slice(0, COLUMNS)
  const isLink = owner.links.some(({ name, input }) => name === list.name && input !== undefined)
  const mayLink = mayChange && (isLink || list.links === true)
  const attempt = async (work: () => Promise<unknown>) => {
    try {
      await work()
    } catch (failure) {
      say(explained(failure, t))
    }
  }
  const unlink = (record: Output) => (
    <button
      type="button"
      class="clear"
      aria-label={t('unlink', { name: nameOf(record, type.title) })}
      onClick={() => void attempt(() => api.call('DELETE', `${url}/${record['id']}`))}
    >
      <span aria-hidden="true">×</span>
    </button>
  )
  return (
    <div class="related">
      {records.length === 0 ? (
        <p class="help">{t('none')}</p>
      ) : isPart ? (
        <Parts type={type} url={url} records={records} mayChange={mayChange} />
      ) : (
        <RecordTable type={type} columns={columns} records={records} {...(mayLink ? { actionOf: unlink } : {})} />
      )}
      {error !== undefined && <Problem error={error} retry={reload} />}
      <MoreButton {...read} records={records} total={total} />
      {mayLink && (
        <div class="link-form">
          <ReferenceInput
            type={type.name}
            label={t('link_record', { type: type.label })}
            value={null}
            onChange={(record) => record && void attempt(() => api.call('POST', `${url}/${record['id']}`))}
          />
        </div>
      )}
      {isPart && mayChange && type.operations_below.includes('create') && <NewPart type={type} url={url} />}
    </div>
  )
}

/** Sub-records as rows; one of them may be a form. */
function Parts(props: { type: RecordType; url: string; records: readonly Output[]; mayChange: boolean }) {
  const { api, say, t } = useApp()
  const { type, url, records, mayChange } = props
  const [edited, setEdited] = useState<Json>(null)
  const fields = type.fields.filter(({ name, on_request, write_only }) => !write_only && !on_request && name !== 'id')
  const remove = async (record: Output) => {
    if (!confirm(t('remove_sure', { name: nameOf(record, type.title) }))) return
    try {
      await api.call('DELETE', `${url}/${record['id']}`)
    } catch (failure) {
      say(explained(failure, t))
    }
  }
  return (
    <ul class="parts">
      {records.map((record) =>
        record['id'] === edited ? (
          <li key={String(record['id'])}>
            <PartForm
              type={type}
              record={record}
              save={async (body) => {
                await api.call('PATCH', `${url}/${record['id']}`, { body })
                setEdited(null)
              }}
              name={`${url}/${record['id']}`}
              cancel={() => setEdited(null)}
            />
          </li>
        ) : (
          <li key={String(record['id'])}>
            <dl class="pairs">
              {fields
                .filter(({ name }) => record[name] !== null && record[name] !== undefined && record[name] !== '')
                .map((field) => (
                  <div key={field.name}>
                    <dt>{field.label}</dt>
                    <dd>
                      <Value field={field} value={record[field.name]} />
                    </dd>
                  </div>
                ))}
            </dl>
            {mayChange && type.operations_below.includes('update') && (
              <button type="button" onClick={() => setEdited(record['id'] ?? null)}>
                {t('edit')}
              </button>
            )}
            {mayChange && type.operations_below.includes('remove') && (
              <button type="button" onClick={() => void remove(record)}>
                {t('remove')}
              </button>
            )}
          </li>
        ),
      )}
    </ul>
  )
}

function NewPart({ type, url }: { type: RecordType; url: string }) {
  const { api, t } = useApp()
  const [isOpen, setOpen] = useState(false)
  if (!isOpen) {
    return (
      <button type="button" onClick={() => setOpen(true)}>
        {t('new_record', { type: type.label })}
      </button>
    )
  }
  return (
    <PartForm
      type={type}
      record={null}
      name={`${url} new`}
      save={async (body, key) => {
        await api.call('POST', url, { body, headers: { 'Idempotency-Key': key } })
        setOpen(false)
      }}
      cancel={() => setOpen(false)}
    />
  )
}

interface PartFormProps {
  readonly type: RecordType
  /** Null for a new one. */
  readonly record: Output | null
  readonly name: string
  readonly save: (body: Readonly<Record<string, Json>>, key: string) => Promise<void>
  readonly cancel: () => void
}

function PartForm({ type, record, name, save, cancel }: PartFormProps) {
  const { t } = useApp()
  const fields = type.fields.filter((field) => isEditable(field, record === null))
  return (
    <RecordForm
      name={name}
      fields={fields}
      isNew={record === null}
      version={{ values: draftOf(fields, record ?? {}), tag: null }}
      save={save}
      action={t('save')}
      cancel={cancel}
    />
  )
}
