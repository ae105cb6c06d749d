/** Files for a text of a record. Each is uploaded when it is chosen; it is stored with the text. */
import { useId, useState } from 'preact/hooks'
import type { Json, Output } from '../core/api.js'
import { uploadFile } from '../core/upload-file.js'
import { useApp } from '../core/use-app.js'
import { explained } from './basics.js'

interface FilesInputProps {
  /** The label of the text. */
  readonly text: string
  /** `[{ key, filesize, name }]`; null for none. */
  readonly value: Json
  readonly isInvalid: boolean
  readonly onChange: (value: Json) => void
  /** Is told when an upload begins, and when it ends: a form must not be sent between. */
  readonly onBusy: (isBusy: boolean) => void
}

export function FilesInput({ text, value, isInvalid, onChange, onBusy }: FilesInputProps) {
  const { api, t } = useApp()
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const id = useId()
  const chosen = (Array.isArray(value) ? value : []) as readonly Output[]
  const set = (files: readonly Output[]) => onChange(files.length > 0 ? files : null)
  const busy = (is: boolean) => {
    setBusy(is)
    onBusy(is)
  }
  const add = async (input: HTMLInputElement) => {
    const files = [...chosen]
    busy(true)
    setError(null)
    try {
      for (const file of input.files ?? []) {
        files.push({ key: await uploadFile(api, file), filesize: file.size, name: file.name })
      }
    } catch (failure) {
      setError(failure)
    }
    input.value = ''
    set(files)
    busy(false)
  }
  return (
    <div class="files-input">
      {chosen.length > 0 && (
        <ul class="files">
          {chosen.map((file) => (
            <li key={String(file['key'])}>
              {file['name']}{' '}
              <button
                type="button"
                class="clear"
                disabled={isBusy}
                aria-label={t('remove_named', { name: String(file['name']) })}
                onClick={() => set(chosen.filter((other) => other !== file))}
              >
                <span aria-hidden="true">×</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      <label for={id}>{t('files_for', { name: text })}</label>
      <input
        id={id}
        type="file"
        multiple
        disabled={isBusy}
        aria-invalid={isInvalid}
        onChange={(event) => void add(event.currentTarget)}
      />
      {isBusy && <p role="status">{t('uploading')}</p>}
      {error !== null && (
        <p class="mistake" role="alert">
          {explained(error, t)}
        </p>
      )}
    </div>
  )
}
