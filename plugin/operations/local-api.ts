/** Records from within the host's own code: the same pipeline and permissions as over HTTP. */
import type { Call } from '../core/call.js'
import type { Files } from '../files/files.js'
import type { Uploaded } from '../files/uploads.js'
import type { Handling, Operations, Output, Owner, Page } from './operations.js'
import { readSaved } from './read-saved.js'

/** Query parameters of a list, as in the interface: `{ status: '!completed', sort: '-id', per_page: 50 }`. */
export type ListQuery = { readonly [parameter: string]: string | number | boolean }

/** A file of the host. */
export interface LocalFile {
  readonly name: string
  /** Media type; default application/octet-stream. */
  readonly type?: string
  readonly content: AsyncIterable<Uint8Array>
}

/** Records as one person, or the service itself, works with them. */
export interface LocalApi extends RecordApi {
  /** The same, but what would be ignored is refused: unknown and read-only fields, fields that the person may not set. */
  readonly strict: RecordApi
}

/** What can be done with records, and files for them. */
export interface RecordApi {
  /** Creates a record and returns it in full, or its id alone when the person may not see it. @throws Invalid, Forbidden, NotFound */
  create(type: string, body: object, owner?: Owner): Promise<Output>
  /** Changes a record and returns it in full. @throws Invalid, Forbidden, NotFound */
  update(type: string, id: number, body: object, owner?: Owner): Promise<Output>
  /** One record in full; with `also: ['custom_fields']` it shows that list too. @throws NotFound */
  read(type: string, id: number, owner?: Owner, also?: readonly string[]): Promise<Output>
  /** One page; `list` names a predefined filter or special list. @throws BadRequest */
  list(type: string, query?: ListQuery, list?: string): Promise<Page>
  remove(type: string, id: number, owner?: Owner): Promise<void>
  /**
   * Stores a file. Its key attaches it to a text of a record, `{ note: 'See the log.', note_attachments: [{ key }] }`, when the
   * same person says so within a day. @throws Invalid
   */
  upload(file: LocalFile): Promise<Uploaded>
  /** `link({ type: 'team', id: 4 }, 'members', 17)`. */
  link(owner: Owner, path: string, otherId: number): Promise<void>
  unlink(owner: Owner, path: string, otherId: number): Promise<void>
}

type Uploads = Pick<Files, 'upload'>

/** @param callNow makes the call of each operation, so that roles are as they are when it runs */
export function createLocalApi(operations: Operations, files: Uploads, callNow: () => Promise<Call>): LocalApi {
  const handled = (handling: Handling) => recordApi(operations, files, callNow, handling)
  return { ...handled('lenient'), strict: handled('strict') }
}

function recordApi(operations: Operations, files: Uploads, callNow: () => Promise<Call>, handling: Handling): RecordApi {
  return {
    async create(type, body, owner) {
      const call = await callNow()
      const { row } = await operations.submit(call, type, { id: null, body, handling, ...(owner && { owner }) })
      return readSaved(operations, call, type, Number(row['id']), owner)
    },
    async update(type, id, body, owner) {
      const call = await callNow()
      await operations.submit(call, type, { id, body, handling, ...(owner && { owner }) })
      return readSaved(operations, call, type, id, owner)
    },
    read: async (type, id, owner, also) => operations.read(await callNow(), type, id, owner, also),
    async list(type, query = {}, list) {
      const parameters = Object.entries(query).map(([name, value]) => [name, String(value)] as const)
      return operations.list(await callNow(), type, { parameters, handling, ...(list === undefined ? {} : { list }) })
    },
    remove: async (type, id, owner) => operations.remove(await callNow(), type, id, owner),
    async upload({ name, type = '', content }) {
      const { account, actor } = await callNow()
      const uploader = { accountId: account.id, personId: actor?.id ?? null }
      return files.upload(uploader, { key: null, name, type, size: null, content })
    },
    link: async (owner, path, otherId) => operations.link(await callNow(), owner, path, otherId),
    unlink: async (owner, path, otherId) => operations.unlink(await callNow(), owner, path, otherId),
  }
}
