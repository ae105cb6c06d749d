import type { Json, Output } from '../../core/api.js'
import { useApp } from '../../core/use-app.js'

/** Files of a text, as links. */
export function Files({ files }: { files: Json | undefined }) {
  const { number } = useApp()
  if (!Array.isArray(files) || files.length === 0) return null
  return (
    <ul class="files">
      {(files as readonly Output[]).map((file) => (
        <li key={String(file['id'])}>
          <a href={String(file['uri'])} target="_blank" rel="noopener noreferrer">
            {String(file['name'])}
          </a>{' '}
          <small>{number(Math.ceil(Number(file['size'] ?? 0) / 1024))} KB</small>
        </li>
      ))}
    </ul>
  )
}
