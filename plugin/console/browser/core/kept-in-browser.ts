/** What the browser keeps for this person: choices for good, and the token and drafts for this tab. Nothing secret stays for good. */
import { readSettings } from './read-settings.js'

/** Keeps a choice. @param text null forgets it */
export function remember(key: string, text: string | null): void {
  put(() => localStorage, key, text)
}

export function recall(key: string): string | null {
  return get(() => localStorage, key)
}

/** Is told when another tab keeps something else, or forgets it. */
export function onChangeElsewhere(key: string, changed: (text: string | null) => void): void {
  addEventListener('storage', (event) => {
    // Without a key, all has been forgotten.
    if (event.key === null || event.key === prefix() + key) changed(event.newValue)
  })
}

/** Keeps a text as long as the tab. @param text null forgets it */
export function rememberInTab(key: string, text: string | null): void {
  put(() => sessionStorage, key, text)
}

export function recallInTab(key: string): string | null {
  return get(() => sessionStorage, key)
}

/** Forgets all that is kept for this tab. */
export function forgetTab(): void {
  try {
    for (const key of Object.keys(sessionStorage)) if (key.startsWith(prefix())) sessionStorage.removeItem(key)
  } catch {}
}

/** Two consoles of one origin have different people, accounts and drafts. */
const prefix = () => `koa-itsm ${readSettings().home}.`

/** Browsers may refuse the storage, or it may be full: then nothing is kept. */
function put(storage: () => Storage, key: string, text: string | null): void {
  try {
    if (text === null) storage().removeItem(prefix() + key)
    else storage().setItem(prefix() + key, text)
  } catch {}
}

function get(storage: () => Storage, key: string): string | null {
  try {
    return storage().getItem(prefix() + key)
  } catch {
    return null
  }
}
