import { useState } from 'preact/hooks'
import { useApp } from '../core/use-app.js'
import { Dialog } from './basics.js'

interface ShownOnceProps {
  readonly secret: string
  /** What to do with it; by default: to store it with the receiver. */
  readonly help?: string
  readonly title?: string
  readonly onClose: () => void
}

/** A secret that no answer will show again. */
export function ShownOnce({ help, secret, title, onClose }: ShownOnceProps) {
  const { t } = useApp()
  const [isCopied, setCopied] = useState(false)
  return (
    <Dialog title={title ?? t('secret_title')} onClose={onClose}>
      <p>{help ?? t('secret_once')}</p>
      <p>
        <output class="secret code">{secret}</output>
      </p>
      <div class="form-actions">
        <button
          type="button"
          onClick={() => {
            navigator.clipboard?.writeText(secret).then(
              () => setCopied(true),
              () => setCopied(false),
            )
          }}
        >
          {t(isCopied ? 'copied' : 'copy')}
        </button>
        <button type="button" class="primary" onClick={onClose}>
          {t('secret_kept')}
        </button>
      </div>
    </Dialog>
  )
}
