/** Chooses a record by its name: a text field with a list of what it may mean. */
import { useEffect, useId, useState } from 'preact/hooks'
import type { Output } from '../core/api.js'
import { findRecords } from '../core/find-records.js'
import { nameOf } from '../core/record-name.js'
import { useApp, useLoaded } from '../core/use-app.js'

interface ReferenceInputProps {
  readonly id?: string
  /** Label for screen readers, if no `<label>` names the field. */
  readonly label?: string
  readonly type: string
  readonly value: Output | null
  readonly isInvalid?: boolean
  readonly describedBy?: string | undefined
  readonly onChange: (value: Output | null) => void
}

/** Milliseconds of rest before the list is read. */
const REST = 200

export function ReferenceInput(props: ReferenceInputProps) {
  const { api, catalog, t } = useApp()
  const type = catalog.typeNamed(props.type)
  const shown = props.value ? nameOf(props.value, type?.title ?? null) : ''
  const [text, setText] = useState<string | null>(null)
  const [asked, setAsked] = useState('')
  const [at, setAt] = useState(0)
  const list = useId()
  const isOpen = text !== null
  const wanted = text === null || text === shown ? '' : text
  useEffect(() => {
    if (text === null) return
    const timer = setTimeout(() => setAsked(wanted), REST)
    return () => clearTimeout(timer)
  }, [text, wanted])
  const {
    data = [],
    isLoading,
    error,
  } = useLoaded(isOpen && type ? `${type.name} ${asked}` : null, (signal) =>
    type ? findRecords(api, type, asked, signal) : Promise.resolve([]),
  )
  const choose = (record: Output | null) => {
    props.onChange(record)
    setText(null)
  }
  const onKey = (event: KeyboardEvent) => {
    const moves: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 }
    const move = moves[event.key]
    if (move !== undefined) {
      event.preventDefault()
      if (text === null) setText(shown)
      else setAt(Math.max(0, Math.min(data.length - 1, at + move)))
    } else if (event.key === 'Enter' && isOpen) {
      event.preventDefault()
      const record = data[at]
      // Until the list is that of the text, the first record is somebody else.
      if (record && !isLoading && asked === wanted) choose(record)
    } else if (event.key === 'Escape' && isOpen) {
      event.stopPropagation()
      setText(null)
    }
  }
  const onLeave = () => {
    if (text?.trim() === '') props.onChange(null)
    setText(null)
  }
  return (
    <div class="reference-input">
      <input
        id={props.id}
        type="text"
        role="combobox"
        autocomplete="off"
        spellcheck={false}
        aria-label={props.label}
        aria-expanded={isOpen}
        aria-controls={list}
        aria-autocomplete="list"
        aria-activedescendant={isOpen && data[at] ? `${list}-${at}` : undefined}
        aria-invalid={props.isInvalid}
        aria-describedby={props.describedBy}
        placeholder={t('choose')}
        value={text ?? shown}
        onFocus={(event) => event.currentTarget.select()}
        onClick={() => text === null && setText(shown)}
        onInput={(event) => {
          setText(event.currentTarget.value)
          setAt(0)
        }}
        onKeyDown={onKey}
        onBlur={onLeave}
      />
      {props.value && (
        <button type="button" class="clear" aria-label={t('clear')} onClick={() => choose(null)}>
          <span aria-hidden="true">×</span>
        </button>
      )}
      <div id={list} role="listbox" class="options" hidden={!isOpen} aria-label={props.label ?? t('choose')}>
        {data.map((record, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the text field has the focus and takes the keys
          <div
            key={String(record['id'])}
            id={`${list}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => choose(record)}
          >
            {nameOf(record, type?.title ?? null)} <small>#{record['id']}</small>
          </div>
        ))}
        {isOpen && isLoading && data.length === 0 && <p>{t('loading')}</p>}
        {isOpen && !isLoading && data.length === 0 && <p>{t(error === undefined ? 'nothing_found' : 'not_now')}</p>}
      </div>
    </div>
  )
}
