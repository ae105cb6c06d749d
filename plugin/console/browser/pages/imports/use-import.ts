import { useApp } from '../../core/use-app.js'
import { type Followed, useFollowed } from '../../core/use-followed.js'
import { hasEnded, type ImportEntry } from './import-jobs.js'

/** Follows an import until it has ended. @param id null for none yet */
export function useImport(id: number | null): Followed<ImportEntry> {
  const { api } = useApp()
  const path = id === null ? null : `/imports/${id}`
  return useFollowed<ImportEntry>(path, (signal) => api.get(path ?? '', signal), hasEnded)
}
