import type { Role } from '../core/call.js'

/**
 * A page of the host in the console (option `console.pages`).
 *
 * ```ts
 * import type { ConsolePage } from 'koa-itsm'
 *
 * export const fleetMap: ConsolePage = {
 *   path: '/fleet-map',
 *   title: { en: 'Fleet map', nl: 'Wagenparkkaart' },
 *   module: new URL('./fleet-map.js', import.meta.url),
 * }
 * ```
 */
export interface ConsolePage {
  /** The path below the console, in lower-case words: `/fleet-map`. That of a page of ours, or of a record type, is refused. */
  readonly path: string
  /** In the navigation, and in the title of the window: by language, or one text for all. */
  readonly title: string | { readonly [language: string]: string }
  /**
   * The file of its module, an ES module for browsers without imports from packages. Its default export is a `ConsoleModule`. It is
   * read when the console is opened for the first time, and served with the files of the console.
   */
  readonly module: string | URL
  /** It is linked for people with one of these roles alone; for everybody without them. The API protects the data, not this. */
  readonly roles?: readonly Role[]
}
