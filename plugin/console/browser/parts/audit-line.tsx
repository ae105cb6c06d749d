/** A line of the audit trail: who, when, from where, and what has changed. */
import type { ComponentChildren } from 'preact'
import type { Output } from '../core/api.js'
import { changesIn } from '../core/named-changes.js'
import type { RecordType } from '../core/read-catalog.js'
import { useApp } from '../core/use-app.js'
import { ChangeList } from './change-list.js'
import { Reference } from './value.js'

interface AuditLineProps {
  /** Of the record that has changed; undefined if it has no pages. */
  readonly type: RecordType | undefined
  readonly line: Output
  /** The record, where lines of several are shown. */
  readonly children?: ComponentChildren
}

export function AuditLine({ type, line, children }: AuditLineProps) {
  const { t, time } = useApp()
  const origin = originOf(line)
  return (
    <li>
      <p class="by">
        {line['created_by'] ? <Reference record={line['created_by'] as Output} type="person" /> : t('system')}
        {' · '}
        <time dateTime={String(line['created_at'])}>{time(String(line['created_at']))}</time>
        {origin && <small> · {origin}</small>}
      </p>
      {children}
      {line['action'] === 'destroy' ? (
        <p>{t('was_removed')}</p>
      ) : (
        <ChangeList type={type} changes={changesIn(line)} isNew={line['action'] === 'create'} />
      )}
    </li>
  )
}

/** Where it came from, and what has made it: `api, Console` or `rule groupedInto of request`. */
function originOf(line: Output): string {
  return [line['origin'], line['source'], line['cause']].filter((text) => typeof text === 'string' && text !== '').join(', ')
}
