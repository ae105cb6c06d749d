import { useApp } from '../../core/use-app.js'
import { Link } from '../../parts/basics.js'
import type { ExtraProps } from '../page-props.js'

/** Leads from a saved view to the list that it shows. */
export function ViewList({ record }: ExtraProps) {
  const { catalog, t } = useApp()
  const type = catalog.typeNamed(String(record['record_type']))
  if (!type?.path) return null
  return (
    <p>
      <Link to={`${type.path}?${record['query'] ?? ''}`} class="button">
        {t('show_view', { type: type.label_of_many })}
      </Link>
    </p>
  )
}
