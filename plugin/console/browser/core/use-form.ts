/** The state of a form: what is typed, what it began with, and what is done about changes that others made meanwhile. */
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Json } from './api.js'
import { CallFailed } from './call-failed.js'
import { bodyOf, type Draft } from './drafts.js'
import { recallInTab, rememberInTab } from './kept-in-browser.js'
import type { Field } from './read-catalog.js'
import { useKeys } from './use-key.js'
import { useGuard, useOwnKey } from './use-unsaved.js'

/** The stored values, and the tag of that version; null for a new record. */
export interface Version {
  readonly values: Draft
  readonly tag: string | null
}

export interface FormOptions {
  /** Keeps what is typed under this name, while the tab is open. */
  readonly name: string
  readonly fields: readonly Field[]
  readonly isNew: boolean
  readonly version: Version
  /** Saves what has changed. @param key the same for repeated attempts with the same body */
  readonly save: (body: Readonly<Record<string, Json>>, key: string, tag: string | null) => Promise<void>
  /** Reads the version that is stored now. */
  readonly readVersion?: () => Promise<Version>
}

export interface Form {
  readonly draft: Draft
  readonly set: (name: string, value: Json) => void
  /** True if the field has another value than at the beginning. */
  readonly isTyped: (name: string) => boolean
  readonly isChanged: boolean
  readonly isSaving: boolean
  readonly error: unknown
  /** A version that somebody else has stored meanwhile, and the names of the fields in which it differs. */
  readonly conflict: { readonly version: Version; readonly names: readonly string[] } | null
  readonly submit: () => Promise<void>
  /** Goes on with the newer version. @param keepsMine of fields that both have changed */
  readonly settle: (keepsMine: boolean) => void
  /** Drops what was typed. */
  readonly drop: () => void
}

const same = (one: Draft, other: Draft, name: string) =>
  JSON.stringify(one[name] ?? null) === JSON.stringify(other[name] ?? null)

export function useForm(options: FormOptions): Form {
  const { fields, isNew, name } = options
  const key = useOwnKey(name)
  const [kept] = useState(() => keptIn(key))
  const [base, setBase] = useState<Version>(kept?.base ?? options.version)
  const [draft, setDraft] = useState<Draft>(kept?.draft ?? options.version.values)
  const [error, setError] = useState<unknown>(null)
  const [conflict, setConflict] = useState<Form['conflict']>(null)
  const [isSaving, setSaving] = useState(false)
  const { keyOf } = useKeys()
  const isLeaving = useRef(false)
  const isTyped = (field: string) => !same(draft, base.values, field)
  const isChanged = fields.some((field) => isTyped(field.name))

  useEffect(() => rememberInTab(key, isChanged && !isLeaving.current ? JSON.stringify({ base, draft }) : null))
  useGuard(isChanged, () => isLeaving.current)
  const leave = () => {
    isLeaving.current = true
    rememberInTab(key, null)
  }
  const submit = async () => {
    setSaving(true)
    setError(null)
    leave()
    try {
      const body = bodyOf(fields, draft, isNew ? {} : base.values)
      await options.save(body, keyOf(body), base.tag)
    } catch (failure) {
      isLeaving.current = false
      setError(failure)
      if (failure instanceof CallFailed && failure.status === 412 && options.readVersion) {
        const version = await options.readVersion().catch(() => null)
        const names = fields.map((field) => field.name).filter((one) => version && !same(version.values, base.values, one))
        if (version) setConflict({ version, names })
      }
    } finally {
      setSaving(false)
    }
  }
  return {
    draft,
    set: (field, value) => setDraft((now) => ({ ...now, [field]: value })),
    isTyped,
    isChanged,
    isSaving,
    error,
    conflict,
    submit,
    settle(keepsMine) {
      if (!conflict) return
      const { names, version } = conflict
      const isMine = (one: string) => isTyped(one) && (keepsMine || !names.includes(one))
      setDraft(
        Object.fromEntries(
          fields.map((field) => [field.name, (isMine(field.name) ? draft : version.values)[field.name] ?? null]),
        ),
      )
      setBase(version)
      setConflict(null)
      setError(null)
    },
    drop: leave,
  }
}

function keptIn(key: string): { readonly base: Version; readonly draft: Draft } | null {
  const text = recallInTab(key)
  return text === null ? null : JSON.parse(text)
}
