/**
 * Uploads of older clients: a record, or `<type>/new`, shows on request how to upload files for it (behaviour: Attachments).
 */
import type { Call } from '../../core/call.js'
import { NotFound } from '../../core/errors.js'
import type { RecordType } from '../../schema/catalog.js'
import { attachmentInputsOf } from '../../schema/derive/attachment-inputs.js'
import { readBoolean } from '../../schema/kinds/values/read-values.js'
import { type Context, parameterOf, type Route } from '../contract.js'
import type { RouteDeps } from '../deps.js'
import { answerJson } from './answer.js'

type Deps = Pick<RouteDeps, 'catalog' | 'baseUrl' | 'uploadForm'>

/** Adds `storage_upload` to a record if the caller sent `attachment_upload_token=true` and it accepts files. */
export function withStorageUpload(deps: Deps, ctx: Context, call: Call, type: RecordType, record: object): object {
  const { catalog, baseUrl, uploadForm } = deps
  const isAsked = readBoolean(parameterOf(ctx, 'attachment_upload_token'))
  if (!isAsked || !uploadForm || attachmentInputsOf(type, catalog).size === 0) return record
  const { key } = uploadForm(call)
  // Clients send the file with their credentials; object stores use the other entries.
  const ofObjectStores = { access_key: null, policy: null, signature: null, success_url: null }
  const upload_path = key.slice(0, key.lastIndexOf('/') + 1)
  return {
    ...record,
    storage_upload: { provider: 'local', upload_uri: `${baseUrl}/attachments`, upload_path, ...ofObjectStores },
  }
}

/**
 * `GET <collection>/new?attachment_upload_token=true`, for files of a record that does not exist yet.
 *
 * @param check throws NotFound if the collection is below a record that the caller cannot see
 * @returns null for a type whose records accept no files
 */
export function newRecordRoute(
  deps: Deps,
  type: RecordType,
  check?: (ctx: Context, call: Call) => Promise<unknown>,
): Route | null {
  if (attachmentInputsOf(type, deps.catalog).size === 0) return null
  return {
    type: type.name,
    async run(ctx, call) {
      await check?.(ctx, call)
      const record = withStorageUpload(deps, ctx, call, type, {})
      if (!('storage_upload' in record)) throw new NotFound()
      answerJson(ctx, 200, record)
    },
  }
}
