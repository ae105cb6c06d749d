/** A place to drop a file, or to choose one. */
import { useEffect, useId, useState } from 'preact/hooks'
import { useApp } from '../../core/use-app.js'
import { ENCODINGS, type ImportFile, isConverted } from './import-file.js'

interface ImportFileInputProps {
  readonly file: ImportFile | null
  readonly onFile: (file: File) => void
  readonly onEncoding: (encoding: string) => void
}

export function ImportFileInput({ file, onFile, onEncoding }: ImportFileInputProps) {
  const { number, say, t } = useApp()
  const [isOver, setOver] = useState(false)
  const id = useId()
  useEffect(() => {
    // A file that misses the place would replace the whole page.
    const hold = (event: DragEvent) => event.preventDefault()
    addEventListener('dragover', hold)
    addEventListener('drop', hold)
    return () => {
      removeEventListener('dragover', hold)
      removeEventListener('drop', hold)
    }
  }, [])
  const take = (files: FileList | null | undefined) => {
    const [first] = files ?? []
    if (files && files.length > 1) return say(t('file_one_only'))
    if (first) onFile(first)
  }
  return (
    <>
      <fieldset
        class={`drop ${isOver ? 'over' : ''}`}
        onDragOver={() => setOver(true)}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          setOver(false)
          take(event.dataTransfer?.files)
        }}
      >
        <input
          id={id}
          class="hidden"
          type="file"
          accept=".csv,.tsv,.txt,text/csv,text/tab-separated-values"
          onChange={(event) => {
            take(event.currentTarget.files)
            // The same file, repaired meanwhile, can be chosen once more.
            event.currentTarget.value = ''
          }}
        />
        {file && (
          <p>
            <strong>{file.name}</strong>{' '}
            <span class="help">{t('file_rows', { rows: number(file.rows), size: sizeOf(file.size, number) })}</span>
          </p>
        )}
        <p>
          <label for={id} class="button">
            {t(file ? 'file_choose_other' : 'file_choose')}
          </label>{' '}
          <span class="help">{t(file ? 'file_drop_other' : 'file_drop')}</span>
        </p>
      </fieldset>
      {file?.isGuess && (
        <div class="hint">
          <label for={`${id}-encoding`}>{t('file_encoding_help')}</label>
          <select id={`${id}-encoding`} value={file.encoding} onChange={(event) => onEncoding(event.currentTarget.value)}>
            {ENCODINGS.map((encoding) => (
              <option key={encoding} value={encoding}>
                {t(`file_encoding_${encoding.replace('-', '_')}` as 'file_encoding_utf_8')}
              </option>
            ))}
          </select>
        </div>
      )}
      {file && !file.isGuess && isConverted(file) && <p class="help">{t('file_converted')}</p>}
    </>
  )
}

function sizeOf(bytes: number, number: (value: number) => string): string {
  const kilobytes = Math.ceil(bytes / 1024)
  return kilobytes < 1024 ? `${number(kilobytes)} KB` : `${number(Math.round(kilobytes / 102.4) / 10)} MB`
}
