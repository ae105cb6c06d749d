import { CallFailed } from '../../core/call-failed.js'
import type { Texts } from '../../core/texts.js'
import { useApp } from '../../core/use-app.js'
import { explained } from '../../parts/basics.js'
import { UnusableFile } from './import-file.js'

/** Explains what failed with a file or an import, and offers another attempt. */
export function ImportProblem({ error, retry }: { error: unknown; retry?: (() => void) | undefined }) {
  const { t } = useApp()
  // Another attempt with the same file helps only if the server, or the way to it, was at fault.
  const mayHelp = error instanceof CallFailed && ![413, 422].includes(error.status)
  return (
    <div class="problem" role="alert">
      <p>{explainedImport(error, t)}</p>
      {retry && mayHelp && (
        <button type="button" onClick={retry}>
          {t('try_again')}
        </button>
      )}
    </div>
  )
}

export function explainedImport(error: unknown, t: Texts['t']): string {
  if (error instanceof UnusableFile) return t(error.text)
  if (!(error instanceof CallFailed)) return explained(error, t)
  if (error.status === 0) return t('import_no_network')
  if (error.status === 409) return t('import_busy')
  // A server in front of the desk may accept less than the desk does.
  if (error.status === 413) return t('file_is_refused')
  return explained(error, t)
}
