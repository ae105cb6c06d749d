/** Small parts of all pages: links, menus, dialogs, and what is shown while data is on its way or does not come. */
import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { CallFailed } from '../core/call-failed.js'
import type { Texts } from '../core/texts.js'
import { useApp } from '../core/use-app.js'

export function Link({
  to,
  children,
  ...more
}: {
  to: string
  class?: string
  current?: boolean
  children: ComponentChildren
}) {
  const { places } = useApp()
  const { current, class: name } = more
  return (
    <a href={places.url(to)} class={name} aria-current={current ? 'page' : undefined}>
      {children}
    </a>
  )
}

/** A button that opens a panel below it. Escape, a click elsewhere, and a link within it that is followed, close it. */
export function Menu(props: { label: ComponentChildren; name?: string; class?: string; children: ComponentChildren }) {
  const root = useRef<HTMLDetailsElement>(null)
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    const close = (event: Event) => {
      const menu = root.current
      if (!menu?.open) return
      const isEscape = event instanceof KeyboardEvent && event.key === 'Escape'
      const isElsewhere = !(event instanceof KeyboardEvent) && !menu.contains(event.target as Node)
      if (!isEscape && !isElsewhere) return
      menu.open = false
      if (isEscape) menu.querySelector('summary')?.focus()
    }
    const follow = (event: Event) => {
      const menu = root.current
      const link = (event.target as Element | null)?.closest?.('a')
      if (menu && link && menu.contains(link)) menu.open = false
    }
    document.addEventListener('pointerdown', close)
    document.addEventListener('keydown', close)
    document.addEventListener('click', follow)
    return () => {
      document.removeEventListener('click', follow)
      document.removeEventListener('pointerdown', close)
      document.removeEventListener('keydown', close)
    }
  }, [])
  return (
    <details class={`menu ${props.class ?? ''}`} ref={root} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary class="button" aria-label={props.name}>
        {props.label}
      </summary>
      {isOpen && <div class="panel">{props.children}</div>}
    </details>
  )
}

/** Closes the menu around an element. */
export function closeMenu(element: EventTarget | null): void {
  const menu = (element as Element | null)?.closest('details')
  if (menu) menu.open = false
}

/** A dialog that keeps the focus until it is closed. */
export function Dialog(props: { title: string; onClose?: () => void; children: ComponentChildren }) {
  const root = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const dialog = root.current
    if (dialog && !dialog.open) dialog.showModal()
  }, [])
  const cancel = (event: Event) => {
    event.preventDefault()
    props.onClose?.()
  }
  return (
    <dialog ref={root} onCancel={cancel} aria-labelledby="dialog-title">
      <h2 id="dialog-title">{props.title}</h2>
      {props.children}
    </dialog>
  )
}

export function Loading() {
  const { t } = useApp()
  return (
    <p class="loading" role="status">
      {t('loading')}
    </p>
  )
}

/** Explains what failed, and offers another attempt. */
export function Problem({ error, retry }: { error: unknown; retry?: () => void }) {
  const { t } = useApp()
  return (
    <div class="problem" role="alert">
      <p>{explained(error, t)}</p>
      {retry && (
        <button type="button" onClick={retry}>
          {t('try_again')}
        </button>
      )}
    </div>
  )
}

/** A sentence about an error, for people. */
export function explained(error: unknown, t: Texts['t']): string {
  if (!(error instanceof CallFailed)) return t('failed_here', { message: String(error) })
  const { status, message, mistakes, retryAfter } = error
  if (mistakes.length > 0) return mistakes.map(({ detail }) => detail).join(' ')
  if (status === 0) return t('no_network')
  if (status === 403) return t('forbidden', { message })
  if (status === 404) return t('not_found')
  if (status === 412) return t('changed_meanwhile')
  if (status === 429) return t('too_many', { seconds: retryAfter ?? 1 })
  if (status === 503 || status === 504) return t('not_now')
  return status >= 500 ? t('failed_there') : message
}

/** What an empty page says: what would be here, and what to do. */
export function Empty({ children }: { children: ComponentChildren }) {
  return <div class="empty">{children}</div>
}

/** The headings of a table whose first column is a number. */
export function Headings({ first, labels }: { first: string; labels: readonly string[] }) {
  return (
    <thead>
      <tr>
        <th scope="col" class="number">
          {first}
        </th>
        {labels.map((label) => (
          <th key={label} scope="col">
            {label}
          </th>
        ))}
      </tr>
    </thead>
  )
}
