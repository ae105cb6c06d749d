import type { PageSettings } from '../../page-settings.js'

/** Reads what the server has written into the page. */
export function readSettings(): PageSettings {
  const content = document.querySelector<HTMLMetaElement>('meta[name="settings"]')?.content ?? ''
  return JSON.parse(content) as PageSettings
}
