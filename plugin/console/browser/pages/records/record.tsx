/** A record: its fields, its notes, the records around it, and its history. */
import { useState } from 'preact/hooks'
import type { Json, Output } from '../../core/api.js'
import { draftOf, isEditable } from '../../core/drafts.js'
import type { RecordType } from '../../core/read-catalog.js'
import { nameOf } from '../../core/record-name.js'
import { useTitle } from '../../core/title.js'
import { useApp, useLoaded } from '../../core/use-app.js'
import type { Version } from '../../core/use-form.js'
import type { RecordAllowance } from '../../core/what-is-allowed.js'
import { explained, Link, Loading, Problem } from '../../parts/basics.js'
import { Lazy } from '../../parts/lazy.js'
import { RecordForm } from '../../parts/record-form.js'
import { EnumValue } from '../../parts/value.js'
import { Details } from './details.js'
import { EXTRAS } from './extras.js'
import { History } from './history.js'
import { Lifecycle } from './lifecycle.js'
import { Notes } from './notes.js'
import { RelatedList } from './related-list.js'

interface Read {
  readonly record: Output
  readonly tag: string | null
  readonly may: RecordAllowance
}

/** Lists below a record that have parts of their own on the page. */
const SHOWN_ELSEWHERE: ReadonlySet<string> = new Set(['notes', 'attachments', 'audit', 'calendar_hours'])

export function RecordPage({ type, id }: { type: RecordType; id: number }) {
  const { allowances, api, catalog, places, say, t } = useApp()
  const path = `${type.path}/${id}`
  const read = async (signal?: AbortSignal): Promise<Read> => {
    const [{ data, headers }, may] = await Promise.all([
      api.call<Output>('GET', path, signal ? { signal } : {}),
      allowances.ofRecord(type.name, id),
    ])
    return { record: data, tag: headers.get('ETag'), may }
  }
  const { data, error, reload } = useLoaded(path, read)
  const { data: readable } = useLoaded('readable', () => allowances.readable())
  const [isEditing, setEditing] = useState(false)
  const title = data ? nameOf(data.record, type.title) : `${type.label} #${id}`
  useTitle(title)
  if (!data) return error === undefined ? <Loading /> : <Problem error={error} retry={reload} />
  const { record, tag, may } = data

  const fields = type.fields.filter((field) => isEditable(field, false) && may.fields?.includes(field.name))
  const save = async (body: Readonly<Record<string, Json>>, key: string, of: string | null) => {
    const headers = { 'Idempotency-Key': key, ...(of === null ? {} : { 'If-Match': of }) }
    await api.call('PATCH', path, { body, headers })
    say(t('saved'))
    setEditing(false)
  }
  const version = ({ record: one, tag: of }: Read): Version => ({ values: draftOf(fields, one), tag: of })
  const remove = async () => {
    if (!confirm(t('remove_sure', { name: title }))) return
    try {
      await api.call('DELETE', path, tag === null ? {} : { headers: { 'If-Match': tag } })
      say(t('removed', { name: title }))
      places.go(type.path ?? '')
    } catch (failure) {
      say(explained(failure, t))
    }
  }
  const status = type.fields.find(({ name }) => name === 'status')
  const lists = [
    ...type.children,
    ...type.links,
    ...type.parts.filter(
      ({ name, record: of }) => !SHOWN_ELSEWHERE.has(name) && catalog.typeNamed(of)?.operations_below.includes('list'),
    ),
    ...type.coverages,
  ]
  const has = (name: string) => type.parts.some((part) => part.name === name && readable?.has(part.record))
  return (
    <>
      <p class="crumbs">
        <Link to={type.path ?? ''}>{type.label_of_many}</Link>
      </p>
      <div class="title">
        <h1>{title}</h1>
        <span class="total">#{id}</span>
        {status && typeof record['status'] === 'string' && <EnumValue field={status} value={record['status']} />}
        {record['disabled'] === true && <span class="chip ended">{t('disabled')}</span>}
        <span class="actions">
          {may.update && fields.length > 0 && !isEditing && (
            <button type="button" class="primary" onClick={() => setEditing(true)}>
              {t('edit')}
            </button>
          )}
          {may.remove && !isEditing && (
            <button type="button" onClick={remove}>
              {t('remove')}
            </button>
          )}
        </span>
      </div>
      {Object.entries(type.moves).map(([name, moves]) => (
        <Lifecycle key={name} type={type} field={name} moves={moves} record={record} mine={may.moves?.[name] ?? []} />
      ))}
      {error !== undefined && <Problem error={error} retry={reload} />}
      {isEditing ? (
        <RecordForm
          name={path}
          fields={fields}
          isNew={false}
          version={version(data)}
          readVersion={async () => version(await read())}
          {...(may.moves ? { moves: may.moves } : {})}
          save={save}
          action={t('save')}
          cancel={() => setEditing(false)}
        />
      ) : (
        <Details type={type} record={record} />
      )}
      {EXTRAS[type.name]?.map((page, index) => (
        <Lazy key={index} page={page} props={{ type, path, record, tag, mayChange: may.update === true }} />
      ))}
      {has('notes') && <Notes path={path} mayWriteInternal={may.fields?.includes('internal_note') ?? false} />}
      {lists.map((list) => {
        const of = catalog.typeNamed(list.record)
        return (
          of && <RelatedList key={list.name} list={list} type={of} owner={type} path={path} mayChange={may.update === true} />
        )
      })}
      {has('audit') && <History type={type} path={path} />}
    </>
  )
}
