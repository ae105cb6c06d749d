import type { ListStart } from '../core/read-pages.js'
import { useApp } from '../core/use-app.js'
import { nextCount, type Wanted } from '../core/use-more.js'

/** Reads more of a list; nothing where all of it is shown. */
export function MoreButton({ count, more, records, total }: Wanted & ListStart<unknown>) {
  const { number, t } = useApp()
  if (records.length >= total) return null
  return (
    <button type="button" class="plain" onClick={more}>
      {t('show_of', { count: number(Math.min(nextCount(count), total)), total: number(total) })}
    </button>
  )
}
