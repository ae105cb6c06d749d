/** Pages of the host, as the server names them. */
import type { PageSettings } from '../../page-settings.js'

export type PageOfHost = PageSettings['pages'][number]

/** The title in a language; in English, or the first one, if it has none. */
export function titleOf({ title }: PageOfHost, language: string): string {
  if (typeof title === 'string') return title
  return title[language] ?? title['en'] ?? Object.values(title)[0] ?? ''
}
