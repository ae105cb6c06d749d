/** The state of an import before it is one: the file, its columns, how it is imported, its trial, and sending it. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { recall, remember } from '../../core/kept-in-browser.js'
import { useApp } from '../../core/use-app.js'
import { useKeys } from '../../core/use-key.js'
import { type Choices, type Match, mappingOf, matchesOf, nameOf } from './import-columns.js'
import { hasChanged, type ImportFile, readBytes, readFile, sentFile, UnusableFile } from './import-file.js'
import { type FileType, type ImportWay, submitImport } from './import-jobs.js'

type Extra = Pick<ImportWay, 'absentLimit' | 'history'>

export interface NewImport {
  readonly file: ImportFile | null
  /** What is wrong with the file, or with sending it. */
  readonly error: unknown
  readonly matches: readonly Match[]
  readonly extra: Extra
  /** The dry run of just this; null if there is none. */
  readonly trialId: number | null
  readonly sending: 'trial' | 'import' | null
  readonly choose: (file: File) => Promise<void>
  readonly readAs: (encoding: string) => void
  readonly chooseColumn: (header: string, column: string) => void
  readonly setExtra: (extra: Extra) => void
  readonly send: (isTrial: boolean) => Promise<void>
  readonly cancel: () => void
  /** Says that the dry run has ended, so that nobody needs to stop it. */
  readonly endTrial: (id: number) => void
}

export function useNewImport(type: FileType | undefined, columns: readonly string[]): NewImport {
  const { api, places, say, t } = useApp()
  const [source, setSource] = useState<File | null>(null)
  const [file, setFile] = useState<ImportFile | null>(null)
  const [error, setError] = useState<unknown>(null)
  const [choices, setChoices] = useState<Choices>({})
  const [extra, setExtra] = useState<Extra>({ absentLimit: null, history: false })
  const [trialId, setTrialId] = useState<number | null>(null)
  const [sending, setSending] = useState<NewImport['sending']>(null)
  const { keyOf, renew } = useKeys()
  const control = useRef<AbortController | null>(null)
  const turn = useRef(0)
  const isSubmitted = useRef(false)
  const endedTrial = useRef<number | null>(null)
  const keptAs = `columns of ${type?.name}`

  useEffect(() => {
    setChoices(JSON.parse(recall(keptAs) ?? '{}') as Choices)
    setTrialId(null)
    setError(null)
  }, [keptAs])
  useEffect(() => () => control.current?.abort(), [])
  // Who leaves while the file is on its way loses it.
  useEffect(() => {
    if (file === null) return
    const text = () => t(control.current === null ? 'import_leave_file' : 'import_leave')
    return places.guard(() => isSubmitted.current || confirm(text()))
  }, [file, places, t])
  useEffect(() => {
    if (sending === null) return
    const warn = (event: Event) => event.preventDefault()
    addEventListener('beforeunload', warn)
    return () => removeEventListener('beforeunload', warn)
  }, [sending])

  const matches = file && type ? matchesOf(file.headers, columns, choices, type.record) : []
  /** What was tried was something else: an import must not be taken for tried. */
  const change = () => {
    turn.current++
    // It would only keep the next one waiting; nothing was stored.
    if (trialId !== null && endedTrial.current !== trialId) api.call('DELETE', `/imports/${trialId}`).catch(() => undefined)
    setTrialId(null)
    setError(null)
  }
  const choose = async (chosen: File) => {
    change()
    const mine = turn.current
    setSource(chosen)
    try {
      const read = await readFile(chosen)
      if (mine === turn.current) setFile(read)
    } catch (failure) {
      if (mine !== turn.current) return
      setFile(null)
      setError(failure)
    }
  }
  const send = async (isTrial: boolean) => {
    if (!type || !file || sending !== null) return
    setError(null)
    setSending(isTrial ? 'trial' : 'import')
    const current = new AbortController()
    control.current = current
    try {
      if (source && (await hasChanged(source))) throw new UnusableFile('file_has_changed')
      const mapping = mappingOf(matches, columns)
      const key = keyOf([type.name, isTrial, mapping, extra, turn.current])
      const id = await submitImport(
        api,
        type.name,
        sentFile(file),
        { ...extra, isTrial, mapping },
        { key, signal: current.signal },
      )
      renew()
      remember(keptAs, Object.keys(choices).length > 0 ? JSON.stringify(choices) : null)
      control.current = null
      if (isTrial) setTrialId(id)
      else {
        isSubmitted.current = true
        places.go(`/imports/${id}`)
      }
    } catch (failure) {
      if (!current.signal.aborted) setError(failure)
    } finally {
      control.current = null
      setSending(null)
    }
  }
  return {
    file,
    error,
    matches,
    extra,
    trialId,
    sending,
    choose,
    readAs(encoding) {
      if (!file) return
      change()
      try {
        setFile({ ...readBytes(file.name, file.bytes, encoding), isGuess: true })
      } catch (failure) {
        setError(failure)
      }
    },
    chooseColumn(header, column) {
      change()
      setChoices((now) => ({ ...now, [nameOf(header)]: column }))
    },
    setExtra(wanted) {
      change()
      setExtra(wanted)
    },
    send,
    endTrial: (id) => {
      endedTrial.current = id
    },
    cancel() {
      control.current?.abort()
      say(t('import_canceled'))
    },
  }
}
