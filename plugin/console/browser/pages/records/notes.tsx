/** Notes of a record, and a form for another one, with files. */
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import type { Output } from '../../core/api.js'
import { recallInTab, rememberInTab } from '../../core/kept-in-browser.js'
import { uploadFile } from '../../core/upload-file.js'
import { useApp } from '../../core/use-app.js'
import { useKeys } from '../../core/use-key.js'
import { useMore } from '../../core/use-more.js'
import { useGuard, useOwnKey } from '../../core/use-unsaved.js'
import { explained, Loading, Problem } from '../../parts/basics.js'
import { Prose, Reference } from '../../parts/value.js'
import { Files } from './file-links.js'

/** Notes that are read before somebody asks for more. */
const AT_FIRST = 50

export function Notes({ path, mayWriteInternal }: { path: string; mayWriteInternal: boolean }) {
  const { t } = useApp()
  // The newest are read, and shown last: beside the form for another one.
  const list = useMore(`${path}/notes?sort=-id`, AT_FIRST)
  const { error, records, reload, total = 0 } = list
  return (
    <section>
      <h2>{t('notes')}</h2>
      {error !== undefined && <Problem error={error} retry={reload} />}
      {!records && error === undefined && <Loading />}
      {records?.length === 0 && <p class="help">{t('no_notes')}</p>}
      {records && records.length < total && (
        <button type="button" class="plain" onClick={list.more}>
          {t('earlier_notes', { count: total - records.length })}
        </button>
      )}
      <ol class="notes">
        {[...(records ?? [])].reverse().map((note) => (
          <Note key={String(note['id'])} note={note} />
        ))}
      </ol>
      <NewNote path={path} mayWriteInternal={mayWriteInternal} />
    </section>
  )
}

function Note({ note }: { note: Output }) {
  const { t, time } = useApp()
  const isInternal = note['internal'] === true
  return (
    <li class={isInternal ? 'internal' : ''}>
      <p class="by">
        {note['person'] ? <Reference record={note['person'] as Output} type="person" /> : t('system')}
        {' · '}
        <time dateTime={String(note['created_at'])}>{time(String(note['created_at']))}</time>
        {isInternal && <span class="chip waiting">{t('internal')}</span>}
      </p>
      <Prose text={String(note['text'] ?? '')} />
      <Files files={note['attachments']} />
    </li>
  )
}

function NewNote(props: { path: string; mayWriteInternal: boolean }) {
  const { api, say, t } = useApp()
  const { keyOf, renew } = useKeys()
  const kept = useOwnKey(`${props.path} note`)
  const [text, setText] = useState(() => recallInTab(kept) ?? '')
  const [error, setError] = useState<unknown>(null)
  const [isBusy, setBusy] = useState(false)
  // The files of an attempt whose answer may have been lost: the next one has them as well.
  const uploaded = useRef({ key: '', keys: [] as string[] })
  const id = useId()
  useEffect(() => rememberInTab(kept, text === '' ? null : text), [kept, text])
  useGuard(text !== '')
  const save = async (event: Event) => {
    event.preventDefault()
    const form = event.currentTarget as HTMLFormElement
    const given = new FormData(form)
    const internal = given.has('internal')
    const files = given.getAll('files').filter((file): file is File => file instanceof File && file.size > 0)
    const key = keyOf([text, internal, files.map(({ lastModified, name, size }) => [name, size, lastModified])])
    if (uploaded.current.key !== key) uploaded.current = { key, keys: [] }
    const { keys } = uploaded.current
    setBusy(true)
    setError(null)
    try {
      for (const file of files.slice(keys.length)) keys.push(await uploadFile(api, file))
      const attachments = files.map((file, index) => ({ key: keys[index], filesize: file.size }))
      await api.call('POST', `${props.path}/notes`, {
        body: { text, internal, ...(attachments.length > 0 ? { attachments } : {}) },
        headers: { 'Idempotency-Key': key },
      })
      renew()
      form.reset()
      setText('')
      say(t('note_added'))
    } catch (failure) {
      setError(failure)
    }
    setBusy(false)
  }
  return (
    <form class="new-note" onSubmit={save}>
      {error !== null && (
        <p class="problem" role="alert">
          {explained(error, t)}
        </p>
      )}
      <label for={`${id}-text`}>{t('new_note')}</label>
      <textarea
        id={`${id}-text`}
        name="text"
        rows={3}
        required
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <div class="form-actions">
        <label class="file">
          <span>{t('files')}</span>
          <input type="file" name="files" multiple />
        </label>
        {props.mayWriteInternal && (
          <label>
            <input type="checkbox" name="internal" /> {t('internal')}
          </label>
        )}
        <button type="submit" class="primary" disabled={isBusy}>
          {t('add_note')}
        </button>
      </div>
    </form>
  )
}
