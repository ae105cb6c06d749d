import { createReadStream } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import type { Knex } from 'knex'
import { opensType } from '../access/tokens/token-limits.js'
import { type Call, hasRole, type Role } from '../core/call.js'
import type { Clock } from '../core/clock.js'
import { Forbidden, Invalid, type Violation } from '../core/errors.js'
import { MAX_FILE_BYTES, tooBig } from '../core/file-sizes.js'
import { newProgressToken } from '../core/progress-token.js'
import { isBlank } from '../core/text/blank.js'
import type { Catalog } from '../schema/catalog.js'
import { type ImportKind, importKinds } from '../schema/derive/import-kinds.js'
import { readBoolean } from '../schema/kinds/values/read-values.js'
import type { Storage } from '../storage/database/connections.js'
import { afterCommit, dbOf, inTransaction } from '../storage/database/transaction.js'
import { FILE_CHUNK_BYTES, inFileChunks, insertFileChunk } from '../storage/queues/file-chunks.js'
import { canDisable } from './absent.js'
import { missingHeader, readMapping } from './columns/header-mapping.js'
import { layoutOf } from './columns/layouts.js'
import { LineCounter } from './file/decode.js'
import { rowsOf } from './passes.js'
import { fileChunksOfImport, type HeaderMapping, insertImport, saveLines } from './progress/import-rows.js'
import { ImportStopped } from './progress/stopped.js'

export interface Upload {
  /** Value of `type`, as sent. */
  readonly type: string | undefined
  readonly fileName: string
  /**
   * The file: bytes, or the path of a temporary file; null if none was sent. The file is *always removed*, unless the call is in
   * a transaction, which may be repeated.
   */
  readonly content: AsyncIterable<Uint8Array> | { readonly temporaryFile: string } | null
  /** Value of `mapping`, as sent. */
  readonly mapping?: string | undefined
  /** Value of `dry_run`, as sent. */
  readonly dryRun?: string | undefined
  /** Value of `history`, as sent. */
  readonly history?: string | undefined
  /** Values of `absent` and `absent_limit`, as sent. */
  readonly absent?: string | undefined
  readonly absentLimit?: string | undefined
  /** Other violations of the form that contained the file. */
  readonly misfits?: readonly Violation[]
}

const TOO_BIG = tooBig('file', MAX_FILE_BYTES)
const MAX_NAME_LENGTH = 255
/** Nobody may take an import for a dry run. */
const PERCENTAGE = /^\s*(100|\d{1,2})\s*$/
/** In percent: more records than that are probably missing by mistake. */
const ABSENT_LIMIT = 10
const TRUE_OR_FALSE = /^\s*(true|false|1|0)\s*$/i

/** Dependencies of storing a file. */
export interface SubmitDeps {
  readonly storage: Storage
  readonly catalog: Catalog
  readonly clock: Clock
  /** True if imports may bring records with their past (option `imports.history`). */
  readonly history?: boolean
  /** Requests `run(importId)` soon, in this or another process. The request may be lost or arrive twice. */
  wake(importId: number): void
}

/** Roles that may import in an account. */
export const ADMINISTRATORS: readonly Role[] = ['account_administrator', 'account_owner']

/** Checks the role of the caller (spec, Batch import 9). @throws Forbidden */
export function checkImporter(call: Call): void {
  if (!hasRole(call, ...ADMINISTRATORS)) throw new Forbidden()
}

/** Checks that the token of the caller opens the records in files of a type. @throws Forbidden */
export function checkKind(catalog: Catalog, call: Call, type: string): void {
  const kind = kindNamed(catalog, type)
  if (kind && !opensType(call, kind.record)) throw new Forbidden()
}

/** The import type with a name. */
export function kindNamed(catalog: Catalog, name: string | undefined): ImportKind | undefined {
  return importKinds(catalog).find(({ type }) => type === name)
}

/**
 * Stores a file in chunks and adds its import to the end of the account's queue.
 *
 * @returns the token for reading the progress
 * @throws Forbidden without the account administrator role in the call's account; Invalid for an unknown type, for a
 *   missing, empty or too large file, for a mapping from or to unknown headers, and for other fields of the form
 */
export async function submit(
  { storage, catalog, clock, history = false, wake }: SubmitDeps,
  call: Call,
  upload: Upload,
): Promise<{ readonly token: string }> {
  const { content } = upload
  try {
    checkImporter(call)
    const { actor } = call
    if (!actor) throw new Forbidden()
    const kind = kindNamed(catalog, upload.type)
    const mapping = kind ? mappingOf(catalog, kind, upload) : {}
    const ofHistory = history ? mistakeInHistory(upload, kind) : refusedHistory(upload)
    const violations = [...(await violationsOf(upload, kind)), ...ofHistory, ...(isViolation(mapping) ? [mapping] : [])]
    if (violations.length > 0 || !kind || content === null || isViolation(mapping)) throw new Invalid(violations)

    const { type } = kind
    checkKind(catalog, call, type)
    const token = newProgressToken()
    const open = opener(content)
    await inTransaction(storage, call, async (call) => {
      const db = dbOf(storage, call)
      const importId = await insertImport(storage, db, {
        token,
        accountId: call.account.id,
        personId: actor.id,
        language: call.language,
        type,
        fileName: upload.fileName.slice(0, MAX_NAME_LENGTH),
        mapping,
        dryRun: readBoolean(upload.dryRun),
        history: readBoolean(upload.history),
        absentLimit: isBlank(upload.absent) ? null : absentLimitOf(upload),
        undoOf: null,
        createdAt: clock.now(),
      })
      let position = 0
      let size = 0
      const counter = createLineCount()
      for await (const chunk of inFileChunks(open())) {
        size += chunk.length
        counter.count(chunk)
        if (size > MAX_FILE_BYTES) throw new Invalid([TOO_BIG])
        await insertFileChunk(storage, db, fileChunksOfImport(importId), position++, chunk)
      }
      if (size === 0) throw new Invalid([['file', 'blank']])
      const hasMapping = Object.keys(mapping).length > 0
      const wrong = hasMapping ? missingHeaders(await headerIn(storage, db, importId), mapping) : []
      if (wrong.length > 0) throw new Invalid(wrong)
      await saveLines(storage, db, importId, counter.lines())
      afterCommit(call, () => wake(importId))
    })
    return { token }
  } finally {
    if (content && 'temporaryFile' in content && !call.transaction) await removed(content.temporaryFile)
  }
}

async function violationsOf(
  { absent, absentLimit, content, dryRun, misfits, type }: Upload,
  kind: ImportKind | undefined,
): Promise<readonly Violation[]> {
  const violations: Violation[] = [...(misfits ?? [])]
  if (type === undefined || type === '') violations.push(['type', 'blank'])
  else if (!kind) violations.push(['type', 'inclusion'])
  if (!isBlank(dryRun) && !TRUE_OR_FALSE.test(dryRun ?? '')) violations.push(['dry_run', 'inclusion'])
  if (!isBlank(absent) && absent?.trim() !== 'disable') violations.push(['absent', 'inclusion'])
  else if (!isBlank(absent) && kind && !canDisable(kind)) violations.push(['absent', 'cannot_disable'])
  if (!isBlank(absentLimit) && !PERCENTAGE.test(absentLimit ?? '')) violations.push(['absent_limit', 'inclusion'])
  if (content === null) violations.push(['file', 'blank'])
  else if ('temporaryFile' in content && (await stat(content.temporaryFile)).size > MAX_FILE_BYTES) violations.push(TOO_BIG)
  return violations
}

/** Rows that give roles or links have no past. */
function mistakeInHistory({ history }: Upload, kind: ImportKind | undefined): readonly Violation[] {
  if (isBlank(history)) return []
  if (!TRUE_OR_FALSE.test(history ?? '')) return [['history', 'inclusion']]
  const hasNone = kind?.ofParts?.roles ?? kind?.ofParts?.link
  return hasNone && readBoolean(history) ? [['history', 'no_history']] : []
}

/** The host has to allow it: it brings times and people that nobody can check. */
function refusedHistory({ history }: Upload): readonly Violation[] {
  const isFalse = isBlank(history) || (TRUE_OR_FALSE.test(history ?? '') && !readBoolean(history))
  return isFalse ? [] : [['history', 'not_allowed']]
}

/** In percent. */
function absentLimitOf({ absentLimit }: Upload): number {
  return isBlank(absentLimit) ? ABSENT_LIMIT : Number(absentLimit)
}

function mappingOf(catalog: Catalog, kind: ImportKind, { mapping = '' }: Upload): HeaderMapping | Violation {
  return isBlank(mapping) ? {} : readMapping(mapping, layoutOf(catalog, kind))
}

/** The header of the file that was stored; null if it cannot be read, which the import will say. */
async function headerIn(storage: Storage, db: Knex, importId: number): Promise<readonly string[] | null> {
  const rows = rowsOf(storage, importId, db)
  try {
    const first = await rows.next()
    return first.done ? null : first.value.cells
  } catch (error) {
    if (error instanceof ImportStopped) return null
    throw error
  } finally {
    await rows.return()
  }
}

/** A mapping that names a header which the file does not have would empty a column in silence. */
function missingHeaders(header: readonly string[] | null, mapping: HeaderMapping): readonly Violation[] {
  const missing = header && missingHeader('mapping', Object.keys(mapping), header)
  return missing ? [missing] : []
}

function isViolation(read: HeaderMapping | Violation): read is Violation {
  return Array.isArray(read)
}

/** Counts the lines of a file from its bytes; null for UTF-16, where these bytes may be parts of other characters. */
function createLineCount() {
  const counter = new LineCounter()
  let first: Uint8Array | null = null
  let last = 0
  return {
    count(chunk: Uint8Array): void {
      first ??= chunk
      for (const byte of chunk) counter.countCode(byte)
      last = chunk.at(-1) ?? last
    },
    lines(): number | null {
      if (first?.[0] === 0xff && first[1] === 0xfe) return null
      const isEnded = last === 0x0a || last === 0x0d
      return isEnded ? counter.line - 1 : counter.line
    },
  }
}

/** The import may be committed: a file that cannot be removed must not look like a failure of it. */
async function removed(file: string): Promise<void> {
  await rm(file, { force: true }).catch((error: Error) => process.emitWarning(error))
}

/** A transaction may be repeated after a deadlock: a file can then be read again, a stream cannot. */
function opener(content: AsyncIterable<Uint8Array> | { readonly temporaryFile: string }): () => AsyncIterable<Uint8Array> {
  if ('temporaryFile' in content) return () => createReadStream(content.temporaryFile, { highWaterMark: FILE_CHUNK_BYTES })
  let used = false
  return () => {
    if (used) throw new Error('The upload was interrupted by another transaction')
    used = true
    return content
  }
}
