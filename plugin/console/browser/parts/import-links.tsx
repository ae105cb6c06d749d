import type { RecordType } from '../core/read-catalog.js'
import { useApp, useLoaded } from '../core/use-app.js'
import { Link } from './basics.js'

/** True once it is known that the person may import in this account. */
export function useMayImport(): boolean | undefined {
  const { allowances, me, session } = useApp()
  const account = session.callerNow().account ?? me.account.id
  const { data, error } = useLoaded('may import', () => allowances.toImport(me.id, account))
  return error === undefined ? data : false
}

/** Links from the list of a type to the pages for files of it. */
export function ImportLinks({ type, mayWrite }: { type: RecordType; mayWrite: boolean }) {
  const { t } = useApp()
  const mayImport = useMayImport()
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
