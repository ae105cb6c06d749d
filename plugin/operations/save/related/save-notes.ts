/** Notes are records of their own, and also events of the record that they are added to (behaviour: Events, Notes). */
import { type Call, noteCall } from '../../../core/call.js'
import { Invalid } from '../../../core/errors.js'
import { parseInstant } from '../../../core/time/zoned-time.js'
import { outboxEvents } from '../../../events/detect.js'
import type { RecordType } from '../../../schema/catalog.js'
import type { GivenNote } from '../../../schema/derive/input.js'
import { NOTE } from '../../../schema/language/built-in-types.js'
import type { Row } from '../../../schema/language/define-rule.js'
import { dbOf } from '../../../storage/database/transaction.js'
import type { SaveItem, SaveOutcome } from '../../contract.js'
import type { ReadDeps } from '../../read/read-deps.js'
import type { Draft } from '../../work/draft.js'
import type { SaveWork } from '../../work/pipeline.js'
import { addEvents } from './add-events.js'
import type { EventDeps } from './write-deps.js'

/** Stores the notes that came as fields of a record. The author is the caller, even one who may not post notes directly. */
export async function addNotes({ deps, call, pipeline, type }: SaveWork<ReadDeps>, drafts: readonly Draft[]): Promise<void> {
  const items = drafts.flatMap((draft) => {
    const owner = { type: type.name, id: Number(draft.next['id']) }
    const notes = call.isHistory ? inOrder(call, draft) : draft.input.notes
    return notes.map(({ field, ...body }) => ({ draft, field, item: { id: null, body, owner } satisfies SaveItem }))
  })
  if (items.length === 0) return
  const outcomes = await pipeline(
    noteCall(call, type.name),
    deps.catalog.type(NOTE),
    items.map(({ item }) => item),
  )
  for (const [index, { draft, field }] of items.entries()) {
    const outcome = outcomes[index]
    if (outcome?.outcome === 'refused')
      throw new Invalid(outcome.violations.map(([name, code, params]) => [inputOf(field, name), code, params ?? {}]))
    if (outcome?.outcome === 'denied') throw outcome.error
    if (outcome) draft.noteIds.push(Number(outcome.row['id']))
  }
}

/** Notes of the past in the order in which they were written. One that has no time was written when the record was made. */
function inOrder({ zone }: Call, { input, next }: Draft): readonly GivenNote[] {
  const timed = input.notes.map((note) => ({ created_at: next['created_at'] ?? null, ...note }))
  const timeOf = ({ created_at }: GivenNote) => parseInstant(String(created_at), zone) ?? ''
  return timed.sort((a, b) => (timeOf(a) < timeOf(b) ? -1 : timeOf(a) > timeOf(b) ? 1 : 0))
}

/** The input that the violation belongs to: the text of the note, or its files. */
function inputOf(field: string, violated: string): string {
  return violated === 'attachments' ? `${field}_attachments` : field
}

/** A note that was saved on its own causes an event of its record and marks it as changed, as if it had come with an update. */
export async function announceNotes(deps: EventDeps, call: Call, outcomes: readonly SaveOutcome[]): Promise<void> {
  const notes = outcomes.flatMap((saved) => (saved.outcome === 'created' ? [saved.row] : []))
  for (const name of new Set(notes.map((note) => String(note['owner_type'])))) {
    const type = deps.catalog.type(name)
    const notesOf = new Map<number, number[]>()
    for (const note of notes.filter((one) => one['owner_type'] === name)) {
      const owner = Number(note['owner_id'])
      notesOf.set(owner, [...(notesOf.get(owner) ?? []), Number(note['id'])])
    }
    await announceTo(deps, call, type, notesOf)
  }
}

async function announceTo(
  deps: EventDeps,
  call: Call,
  type: RecordType,
  notesOf: ReadonlyMap<number, readonly number[]>,
): Promise<void> {
  const db = dbOf(deps.storage, call)
  const where = { path: ['id'], op: 'in', values: [...notesOf.keys()] } as const
  const owners: readonly Row[] = await deps.queries.rows(call, { type, where }, { lock: true })
  if (type.columns.has('updated_at')) {
    const touched = owners.map((owner) => ({ ...owner, updated_at: call.now }))
    await deps.writer.update(db, type, touched, ['updated_at'])
  }
  const events = owners.flatMap((owner) => {
    const noteIds = notesOf.get(Number(owner['id'])) ?? []
    return outboxEvents(call, { type, before: owner, after: owner, changedColumns: [], noteIds }, null, deps.clock.now())
  })
  await addEvents(deps, call, events)
}
