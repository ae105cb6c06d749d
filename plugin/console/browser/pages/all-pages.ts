/** All pages. Each is a module that is loaded when it is opened for the first time. */
import type { Loader } from '../parts/lazy.js'
import type { OwnPageProps } from './page-props.js'

/** Pages by the first name in their path; the first page has none. */
export const OWN_PAGES: Readonly<Record<string, Loader<OwnPageProps>>> = {
  '': () => import('./home/home.js').then(({ HomePage }) => HomePage),
  account: () => import('./people/account-page.js').then(({ AccountPage }) => AccountPage),
  imports: () => import('./imports/import-pages.js').then(({ ImportsPage }) => ImportsPage),
  me: () => import('./people/my-page.js').then(({ MyPage }) => MyPage),
}

/** Pages of record types. */
export const RECORD_PAGES = {
  list: () => import('./records/list.js').then(({ ListPage }) => ListPage),
  create: () => import('./records/create.js').then(({ CreatePage }) => CreatePage),
  one: () => import('./records/record.js').then(({ RecordPage }) => RecordPage),
}
