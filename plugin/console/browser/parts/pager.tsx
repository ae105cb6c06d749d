import { useApp } from '../core/use-app.js'
import { Link } from './basics.js'

interface PagerProps {
  readonly query: URLSearchParams
  readonly total: number
  readonly perPage: number
  /** Of the list, below the console. */
  readonly path: string
}

/** Links to the pages before and after. */
export function Pager({ query, total, perPage, path }: PagerProps) {
  const { number, t } = useApp()
  const page = Math.max(1, Number(query.get('page') ?? 1) || 1)
  const last = Math.max(1, Math.ceil(total / perPage))
  if (last === 1) return null
  const to = (other: number) => {
    const next = new URLSearchParams(query)
    if (other === 1) next.delete('page')
    else next.set('page', String(other))
    return `${path}${next.size > 0 ? `?${next}` : ''}`
  }
  return (
    <nav class="pager" aria-label={t('pages')}>
      {page > 1 ? <Link to={to(page - 1)}>{t('previous')}</Link> : <span class="off">{t('previous')}</span>}
      <span>{t('page_of', { page: number(page), last: number(last) })}</span>
      {page < last ? <Link to={to(page + 1)}>{t('next')}</Link> : <span class="off">{t('next')}</span>}
    </nav>
  )
}
