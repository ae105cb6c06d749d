/** Works out what an event asks for: the new request, the changes of a matched one, and how to match. Stores nothing. */
import { type Call, hasRole } from '../core/call.js'
import type { Violation } from '../core/errors.js'
import type { RecordType } from '../schema/catalog.js'
import type { Json } from '../schema/kinds/fields.js'
import { REQUEST } from '../schema/language/built-in-types.js'
import type { DraftRow, Row } from '../schema/language/define-rule.js'
import { canBeMember, DEFAULT_SOURCE, defaultsOf, teamFor } from './defaults.js'
import type { EventSubmissionDeps } from './deps.js'
import { EVENT_FIELD_LIST } from './event-parameters.js'
import { type EventFault, findNamed } from './find-named.js'
import type { MatchKey } from './matching.js'
import { type IgnoredParameter, type Parameters, readEvent } from './read-event.js'
import { findInstance, findTeams } from './related.js'

/** What an event asks for. */
export interface EventPlan {
  /** The body of a new request. */
  readonly body: { readonly [name: string]: unknown }
  /** Values by column that a matched request gets; its note is separate. */
  readonly changes: DraftRow
  /** Ids of the teams of the new member, the first one first; empty without a member. */
  readonly teams: readonly number[]
  readonly key: MatchKey
  /** Further bodies for a new request, after it has been created: notes that do not fit into the first one. */
  readonly further: readonly { readonly note: string }[]
  /** The texts that are added as notes. */
  readonly notes: readonly string[]
  readonly ignored: readonly IgnoredParameter[]
  /** Mistakes for which the event is refused, whether it matches or not. */
  readonly violations: readonly Violation[]
}

/** Reads the parameters and looks up what they name. */
export async function planEvent(deps: EventSubmissionDeps, call: Call, parameters: Parameters): Promise<EventPlan> {
  const type = deps.catalog.type(REQUEST)
  const given = readEvent(parameters, (role) => hasRole(call, role))
  const { records, namedBy, faults } = await findNamed(deps, call, type, given)
  const { ci, requested_by, requested_for, service_instance, team, template } = records
  const [wantedTeam, ciId] = [idOf(team), idOf(ci) ?? numberOf(template?.['ci_id'])]

  const teams = await findTeams(deps, call, type, idOf(records.member))
  const member = canBeMember(wantedTeam, teams) ? records.member : undefined
  const misplaced: readonly EventFault[] =
    namedBy.member && !member ? [{ field: 'member', mention: namedBy.member, code: 'event_not_member' }] : []
  const instance =
    idOf(service_instance) ?? (await findInstance(deps, call, type, { ciId, isNamed: ci !== undefined, template }))

  const references = Object.entries({ ...records, member }).flatMap(([field, row]) => (row ? [[`${field}_id`, row['id']]] : []))
  const values: Record<string, unknown> = { source: DEFAULT_SOURCE, ...given.values, ...Object.fromEntries(references) }
  const { note: noteOfTemplate = null } = template ?? {}
  const lines = linesOf(deps, call, [...faults, ...misplaced])
  const context = { zone: call.zone, creating: true, may: () => true, mayLink: () => true }
  const isFit = (text: string) => deps.validate({ note: text }, context).violations.length === 0
  const [note, ...further] = notesWith(given.values.note, lines, textOf(noteOfTemplate) !== null, isFit)
  if (note !== undefined) Object.assign(values, { note })

  const read = deps.validate(values, context)
  const { category = null, impact = null, status = null, completion_reason = null, source, sourceID, subject } = read.values
  const hasInstance = instance !== null
  const defaults = defaultsOf({ category, impact, status, completion_reason, hasInstance, template: template ?? null })
  if (!defaults.keepsReason) delete values['completion_reason']
  const teamId = member ? teamFor(wantedTeam, numberOf(template?.['team_id']), teams) : null
  const body = {
    ...values,
    category: defaults.category,
    ...(defaults.impact ? { impact: defaults.impact } : {}),
    ...(hasInstance ? { service_instance_id: instance } : {}),
    ...(teamId === null ? {} : { team_id: teamId }),
  }
  const ownNote = read.notes.find(({ internal }) => !internal)?.text ?? null
  const finalSubject = textOf(subject ?? template?.['subject'])
  const key: MatchKey = {
    source: String(source),
    sourceID: textOf(sourceID),
    ciId,
    instanceId: defaults.concernsService ? instance : null,
    subject: finalSubject,
    note: ownNote ?? textOf(noteOfTemplate),
    personId: idOf(requested_for) ?? idOf(requested_by) ?? call.actor?.id ?? null,
  }
  const missing: readonly Violation[] = finalSubject === null ? [['subject', 'blank']] : []
  const violations = read.violations.some(([field]) => field === 'subject') ? [] : missing
  return {
    body,
    changes: changesOf(type, read.values, status),
    teams: member ? teams : [],
    key,
    further: further.map((text) => ({ note: text })),
    notes: [...(ownNote === null ? [] : [ownNote]), ...further],
    ignored: given.ignored,
    violations: [...violations, ...read.violations],
  }
}

/** The values that a matched request gets. A reason counts only for an event that completes it. */
function changesOf(type: RecordType, values: DraftRow, status: Json): DraftRow {
  const changes: Record<string, Json> = {}
  for (const [field, { changesMatch }] of EVENT_FIELD_LIST) {
    const column = type.fields.get(field)?.column
    const value = column ? values[column] : undefined
    const isUnused = field === 'completion_reason' && status !== 'completed'
    if (changesMatch && column && value !== undefined && value !== null && !isUnused) changes[column] = value
  }
  return changes
}

/** What could not be used, in the language of the account, so that repeated events of all callers have the same note. */
function linesOf({ words }: EventSubmissionDeps, { account }: Call, faults: readonly EventFault[]): readonly string[] {
  return faults.map(({ field, mention, code }) => {
    const label = words.fieldLabel(account.locale, REQUEST, field)
    return words.sentence(account.locale, code, label, { parameter: mention.parameter, value: mention.said })
  })
}

/**
 * The note with the lines below, so that nothing is lost. They are a further note if the text would be too long, or if the new
 * request gets the note of its template. A note that is not a text is left to be refused.
 */
function notesWith(
  note: unknown,
  lines: readonly string[],
  isOfTemplate: boolean,
  isFit: (text: string) => boolean,
): readonly [note: unknown, ...further: string[]] {
  if (lines.length === 0 || (typeof note === 'object' && note !== null)) return [note]
  const text = lines.join('\n')
  if (note === undefined) return isOfTemplate ? [undefined, text] : [text]
  const whole = `${note}\n\n${text}`
  return isFit(whole) ? [whole] : [note, text]
}

function idOf(row: Row | undefined): number | null {
  return numberOf(row?.['id'])
}

function numberOf(value: Json | undefined): number | null {
  return value === null || value === undefined ? null : Number(value)
}

function textOf(value: Json | undefined): string | null {
  return value === null || value === undefined || value === '' ? null : String(value)
}
