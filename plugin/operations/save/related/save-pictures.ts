/** Pictures that come as an image in the body: stored as a file, and the record has its key (behaviour: Pictures). */
import { createHash } from 'node:crypto'
import type { Call } from '../../../core/call.js'
import { newFolder, newLocation } from '../../../files/keys.js'
import { findFiles, insertPicture } from '../../../files/rows.js'
import { fileChunksAt } from '../../../files/store.js'
import { isDataUrl, type Picture, pictureColumns, readPicture } from '../../../schema/kinds/values/picture-data.js'
import { dbOf } from '../../../storage/database/transaction.js'
import { insertFileChunk } from '../../../storage/queues/file-chunks.js'
import { shownPicture } from '../../read/shown-picture.js'
import type { Draft } from '../../work/draft.js'
import type { Work } from '../../work/pipeline.js'
import type { LockDeps } from '../../work/work-deps.js'
import type { FileDeps } from './write-deps.js'

interface NewPicture extends Picture {
  readonly draft: Draft
  readonly key: string
  readonly sha256: string
}

/**
 * Replaces images by keys. A record that gets its own picture again, as an image or by its URL, keeps it.
 *
 * @returns a function that stores the images of the written records, in the database and in the transaction of the record, so
 *   that both exist or neither. Call it when the records have their ids.
 */
export async function preparePictures(
  work: Work<FileDeps>,
  drafts: readonly Draft[],
): Promise<(written: readonly Draft[]) => Promise<void>> {
  const { deps, call, type } = work
  const pictures: NewPicture[] = []
  for (const column of pictureColumns(type)) {
    const digests = await digestsOf(work, drafts, column)
    for (const draft of drafts) {
      const value = draft.next[column]
      const before = draft.before?.[column] ?? null
      if (typeof value !== 'string' || value === before) continue
      if (typeof before === 'string' && value === shownPicture(deps, before)) draft.next[column] = before
      const picture = isDataUrl(value) ? readPicture(value) : null
      if (!picture) continue
      const sha256 = createHash('sha256').update(picture.bytes).digest('hex')
      if (typeof before === 'string' && digests.get(before) === sha256) {
        draft.next[column] = before
        continue
      }
      const folder = newFolder({ kind: 'pictures', accountId: accountOf(draft, call), personId: call.actor?.id ?? null })
      const key = `${folder}/picture.${picture.extension}`
      draft.next[column] = key
      pictures.push({ ...picture, draft, key, sha256 })
    }
  }
  return async (written) => {
    for (const picture of pictures) if (written.includes(picture.draft)) await write(work, picture)
  }
}

/** Digests of the current pictures of records, by key; read only if the input has an image. */
async function digestsOf({ deps, call }: Work<LockDeps>, drafts: readonly Draft[], column: string) {
  const keys = drafts.flatMap(({ before, next }) => {
    const [old, value] = [before?.[column], next[column]]
    return typeof old === 'string' && typeof value === 'string' && isDataUrl(value) ? [old] : []
  })
  const files = keys.length > 0 ? await findFiles(deps.storage, dbOf(deps.storage, call), keys) : new Map()
  return new Map([...files].map(([key, file]) => [key, file.sha256]))
}

async function write({ deps, call, type }: Work<FileDeps>, picture: NewPicture): Promise<void> {
  const { draft, key, sha256, bytes, extension } = picture
  const db = dbOf(deps.storage, call)
  const accountId = accountOf(draft, call)
  const location = newLocation('pictures', accountId)
  const file = {
    key,
    location,
    accountId,
    personId: call.actor?.id ?? null,
    sha256,
    size: bytes.length,
    type: picture.type,
    name: `picture.${extension}`,
    recordType: type.name,
    recordId: Number(draft.next['id']),
  }
  await insertPicture(deps.storage, db, file, deps.clock.now())
  await insertFileChunk(deps.storage, db, fileChunksAt(location), 0, bytes)
}

function accountOf(draft: Draft, call: Call): string {
  return String(draft.next['account_id'] ?? call.account.id)
}
