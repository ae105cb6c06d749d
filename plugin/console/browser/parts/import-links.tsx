import type { RecordType } from '../core/read-catalog.js'
import { useApp, useIsAdministrator } from '../core/use-app.js'
import { Link } from './basics.js'

/** Links from the list of a type to the pages for files of it. */
export function ImportLinks({ type, mayWrite }: { type: RecordType; mayWrite: boolean }) {
  const { t } = useApp()
  const mayImport = useIsAdministrator()
  const [file] = type.file_types
  if (file === undefined) return null
  return (
    <>
      {mayImport && mayWrite && (
        <Link to={`/imports/new?type=${file}`} class="button">
          {t('import_import')}
        </Link>
      )}
      <Link to={`/imports/export?type=${file}`} class="button">
        {t('export_export')}
      </Link>
    </>
  )
}
