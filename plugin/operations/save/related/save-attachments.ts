/** Attachments in the body of a record: looks up the files before anything is written, and attaches them with the record. */
import type { Call } from '../../../core/call.js'
import { Invalid } from '../../../core/errors.js'
import { tooBig } from '../../../core/file-sizes.js'
import { readKey } from '../../../files/keys.js'
import { type FileRow, findFiles, useFiles } from '../../../files/rows.js'
import { extensionViolation } from '../../../files/uploads.js'
import type { RecordType } from '../../../schema/catalog.js'
import { attachmentsFieldOf, type GivenFile } from '../../../schema/derive/attachment-inputs.js'
import type { Json } from '../../../schema/kinds/fields.js'
import { ATTACHMENT } from '../../../schema/language/built-in-types.js'
import type { Row } from '../../../schema/language/define-rule.js'
import { dbOf } from '../../../storage/database/transaction.js'
import type { ReadDeps } from '../../read/read-deps.js'
import { partsOfOwners } from '../../read/visible.js'
import { type Draft, refuse } from '../../work/draft.js'
import type { Work } from '../../work/pipeline.js'
import type { FileDeps, WriteDeps } from './write-deps.js'

/** Changes of the attachments of one record. */
interface Change {
  readonly draft: Draft
  /** The current attachments. */
  readonly before: readonly Row[]
  readonly remove: Set<number>
  readonly add: Addition[]
}

interface Addition {
  /** The name of the input. */
  readonly input: string
  /** The text that it belongs to. */
  readonly field: string
  readonly file: FileRow
  readonly inline: boolean
}

/**
 * Looks up the files to attach and to remove, with two queries per batch, and refuses unknown files, those of other people and
 * those of other records (behaviour: Attachments).
 *
 * @returns a function that stores the changes of the written records; call it when they have their ids
 */
export async function prepareAttachments(
  work: Work<FileDeps>,
  drafts: readonly Draft[],
): Promise<(written: readonly Draft[]) => Promise<void>> {
  const { deps, call } = work
  const wanting = drafts.filter(({ input }) => input.attachments.size > 0)
  if (wanting.length === 0) return async () => {}
  const given = wanting.flatMap(({ input }) => [...input.attachments.values()].flatMap(({ add }) => add))
  const keys = [...new Set(given.map(({ key }) => key))]
  const files = await findFiles(deps.storage, dbOf(deps.storage, call), keys)
  const attached = await attachmentsOf(work, wanting)
  const taken = new Set<string>()
  const changes = wanting.map((draft): Change => {
    const before = attached.get(Number(draft.before?.['id'])) ?? []
    const change: Change = { draft, before, remove: new Set(), add: [] }
    for (const [input, { field, add, remove }] of draft.input.attachments) {
      for (const which of remove) {
        const row = before.find(({ id, key }) => id === which || key === which)
        if (row) change.remove.add(Number(row['id']))
        else refuse(draft, input, 'cannot_be_found')
      }
      for (const one of add) {
        const file = files.get(one.key)
        const violation = violationOf(deps, call, input, one, file, taken)
        if (violation) refuse(draft, ...violation)
        else if (file) change.add.push({ input, field, file, inline: one.inline })
        taken.add(one.key)
      }
    }
    return change
  })
  return async (written) => {
    const stored = new Set(written)
    const sound = changes.filter(({ draft }) => stored.has(draft))
    await write(work, sound)
  }
}

/** Why a file cannot be attached. Another person's file is reported as not found, so that its existence is not revealed. */
function violationOf(
  { files: { allowedExtensions, sizeLimit } }: Pick<FileDeps, 'files'>,
  call: Call,
  input: string,
  given: GivenFile,
  file: FileRow | undefined,
  taken: ReadonlySet<string>,
) {
  const account = call.passed?.accountId ?? call.account.id
  const isTheirs = file?.accountId === account && (call.actor === null || file.personId === call.actor.id)
  const isThere = file?.state === 'uploaded' || file?.state === 'used'
  if (!file || !isTheirs || !isThere || readKey(given.key)?.kind !== 'attachments') return [input, 'cannot_be_found'] as const
  if (file.state === 'used' || taken.has(given.key)) return [input, 'file_taken'] as const
  if (given.size !== null && given.size !== file.size) return [input, 'invalid'] as const
  if (file.size > sizeLimit) return tooBig(input, sizeLimit)
  return extensionViolation(input, file.name, allowedExtensions)
}

/** Current attachments of the records of a batch, by the id of the record. */
async function attachmentsOf({ deps, call, type }: Work<ReadDeps>, drafts: readonly Draft[]) {
  const found = new Map<number, Row[]>()
  const ids = drafts.flatMap(({ before }) => (before ? [Number(before['id'])] : []))
  if (ids.length === 0) return found
  const where = partsOfOwners(type.name, ids)
  for (const row of await deps.queries.rows(call, { type: deps.catalog.type(ATTACHMENT), where })) {
    const owner = Number(row['owner_id'])
    found.set(owner, [...(found.get(owner) ?? []), row])
  }
  return found
}

/**
 * Stores the changes of all records together: one statement for removed attachments, one for files, one for new attachments.
 */
async function write({ deps, call, type }: Work<WriteDeps>, changes: readonly Change[]): Promise<void> {
  const db = dbOf(deps.storage, call)
  const attachment = deps.catalog.type(ATTACHMENT)
  const gone = changes.flatMap(({ remove }) => [...remove])
  await deps.writer.remove(db, attachment, gone)
  const added = changes.flatMap(({ add }) => add)
  const ids = added.map(({ file }) => file.id)
  // Another transaction has attached the file since, or the daily job has removed it.
  if (!(await useFiles(deps.storage, db, ids))) throw new Invalid([[added[0]?.input ?? 'base', 'file_taken']])
  const rowsOf = new Map(changes.map((change) => [change, change.add.map((one) => rowOf(call, type, change.draft, one))]))
  await deps.writer.insert(db, attachment, [...rowsOf.values()].flat())
  const list = attachmentsFieldOf(type)?.name ?? ATTACHMENT
  for (const [{ draft, before, remove }, rows] of rowsOf) {
    const after = [...before.filter((row) => !remove.has(Number(row['id']))), ...rows]
    if (remove.size > 0 || rows.length > 0) draft.changedRelated.set(list, [namesOf(before), namesOf(after)])
  }
}

function rowOf(call: Call, type: RecordType, { next }: Draft, { file, field, inline }: Addition): Row {
  return {
    account_id: next['account_id'] ?? call.account.id,
    owner_type: type.name,
    owner_id: next['id'] ?? null,
    key: file.key,
    name: file.name,
    size: file.size,
    inline,
    field,
    created_at: call.now,
  }
}

function namesOf(rows: readonly Row[]): Json {
  return rows.map((row) => row['name'] ?? null)
}
