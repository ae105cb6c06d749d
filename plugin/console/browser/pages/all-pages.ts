/** All pages. Each is a module that is loaded when it is opened for the first time. */
import type { Loader } from '../parts/lazy.js'
import type { OwnPageProps } from './page-props.js'

/** Pages by the first name in their path; the first page has none. */
export const OWN_PAGES: Readonly<Record<string, Loader<OwnPageProps>>> = {
  '': () => import('./home/home.js').then(({ HomePage }) => HomePage),
  account: () => import('./people/account-page.js').then(({ AccountPage }) => AccountPage),
  audit: () => import('./system/audit-search.js').then(({ AuditSearchPage }) => AuditSearchPage),
  imports: () => import('./imports/import-pages.js').then(({ ImportsPage }) => ImportsPage),
  me: () => import('./people/my-page.js').then(({ MyPage }) => MyPage),
  system: () => import('./system/system-page.js').then(({ SystemPage }) => SystemPage),
}

/** A page of the host. */
export const HOST_PAGE = () => import('./host-page.js').then(({ HostPage }) => HostPage)

/** Pages of record types. */
export const RECORD_PAGES = {
  list: () => import('./records/list.js').then(({ ListPage }) => ListPage),
  create: () => import('./records/create.js').then(({ CreatePage }) => CreatePage),
  one: () => import('./records/record.js').then(({ RecordPage }) => RecordPage),
}
