import { type Followed, useFollowed } from '../../core/use-followed.js'
import { hasEnded, type ImportEntry } from './import-jobs.js'

/** Follows an import until it has ended. @param id null for none yet */
export function useImport(id: number | null): Followed<ImportEntry> {
  return useFollowed<ImportEntry>(id === null ? null : `/imports/${id}`, hasEnded)
}
