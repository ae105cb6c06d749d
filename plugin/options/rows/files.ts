/** Options about files: attachments, pictures and imports. */
import { MAX_FILE_BYTES } from '../../core/file-sizes.js'
import { shown } from '../../core/text/shown.js'
import type { FileStore } from '../../files/store.js'
import { each, WHOLE, withMethods } from '../checks.js'
import { amount, count, duration, flag, group, list, typed } from '../kinds.js'

export const FILES = {
  files: group({
    /**
     * Stores the bytes of attachments and pictures. Existing bytes are moved to the store within a day. See attachments.md:
     * Attachments. Default: the database.
     */
    store: typed<FileStore>('object', { check: withMethods('write', 'read', 'remove') }),
    /** Maximum size of a file. Default: `20971520` bytes. */
    sizeLimit: amount({ default: MAX_FILE_BYTES, unit: 'bytes' }, WHOLE),
    /** Accepted file extensions, without the dot: `['pdf', 'png']`. Default: all. */
    allowedExtensions: list<string>({ default: [], check: each(mistakeInExtension) }),
    /**
     * Minimum milliseconds for which the URL of an attachment works; the maximum is twice as long. At least a minute. Default:
     * `3600000` ms.
     */
    urlLifetimeMs: duration({ default: 3_600_000, min: 60_000, max: Number.POSITIVE_INFINITY }),
  }),
  imports: group({
    /** Days for which `GET /imports` lists an import that has ended, with its log and failed rows. Default: `90`. */
    keepDays: count(90),
    /**
     * Administrators may import records with their past: times and authors of the file, and no events and mails (`history=true`).
     * Default: `false`.
     */
    history: flag(false),
  }),
}

function mistakeInExtension(extension: unknown): string | null {
  const isExtension = typeof extension === 'string' && /^[^./\\\s]+$/.test(extension)
  return isExtension ? null : `must be extensions without the dot ('pdf'), not ${shown(extension)}`
}
