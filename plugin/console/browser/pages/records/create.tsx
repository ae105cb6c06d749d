/** The form of a new record. */
import { useMemo, useState } from 'preact/hooks'
import type { Json, Output } from '../../core/api.js'
import { type Draft, isEditable } from '../../core/drafts.js'
import type { RecordType } from '../../core/read-catalog.js'
import { useTitle } from '../../core/title.js'
import { useApp, useLoaded } from '../../core/use-app.js'
import { Empty, Link, Loading, Problem } from '../../parts/basics.js'
import { RecordForm } from '../../parts/record-form.js'
import { ShownOnce } from '../../parts/shown-once.js'

export function CreatePage({ type }: { type: RecordType }) {
  const { allowances, api, me, places, say, t } = useApp()
  const title = t('new_record', { type: type.label })
  useTitle(title)
  const [shown, setShown] = useState<{ readonly id: unknown; readonly secret: string } | null>(null)
  const allowed = useLoaded(`may ${type.name}`, () => allowances.inGeneral(type.name))
  const may = allowed.data
  const fields = useMemo(
    () => type.fields.filter((field) => isEditable(field, true) && may?.fields[field.name]?.create !== 'none'),
    [type, may],
  )
  const values = useMemo(() => startOf(type, { id: me.id, name: me.name }), [type, me])
  if (allowed.error !== undefined) return <Problem error={allowed.error} retry={allowed.reload} />
  if (!may) return <Loading />
  if (may.create === 'none') return <Empty>{t('forbidden', { message: '' })}</Empty>
  const go = (id: unknown) => places.go(`${type.path}/${id}`)
  const save = async (body: Readonly<Record<string, Json>>, key: string) => {
    const made = await api.call<Output>('POST', type.path ?? '', { body, headers: { 'Idempotency-Key': key } })
    say(t('created', { type: type.label, id: String(made.data['id']) }))
    const secrets = type.fields.filter(({ kind }) => kind === 'secret').map(({ name }) => made.data[name])
    const secret = secrets.find((one): one is string => typeof one === 'string')
    if (secret === undefined) go(made.data['id'])
    else setShown({ id: made.data['id'], secret })
  }
  return (
    <>
      <p class="crumbs">
        <Link to={type.path ?? ''}>{type.label_of_many}</Link>
      </p>
      <h1>{title}</h1>
      {shown && <ShownOnce secret={shown.secret} onClose={() => go(shown.id)} />}
      <RecordForm
        name={`${type.name} new`}
        fields={fields}
        isNew
        version={{ values, tag: null }}
        save={save}
        action={t('create')}
        cancel={() => places.go(type.path ?? '')}
      />
    </>
  )
}

/** The values that a new record begins with: defaults, and the person as the one who asks. */
function startOf(type: RecordType, me: Output): Draft {
  return Object.fromEntries(
    type.fields
      .filter((field) => isEditable(field, true))
      .map((field): [string, Json] => {
        if (field.name === 'requested_by' || field.name === 'requested_for') return [field.name, me]
        const value = (field.default ?? null) as Json
        return [field.name, typeof value === 'number' ? String(value) : value]
      }),
  )
}
