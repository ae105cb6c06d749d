/** Pictures of pages that specs look at, for people who look through them afterwards. */
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { PHONE } from './fitting.js'

/** Where to; without it, none are taken. */
const folder = process.env['KOA_ITSM_PICTURES'] ?? ''

/** Takes pictures of a page as it is: light, dark and on a phone. @param name begins their names */
export async function keepPictures(page: Page, name: string): Promise<void> {
  if (folder === '') return
  const before = page.viewportSize()
  const take = (how: string) =>
    page.screenshot({ path: join(folder, `${fileOf(name)}-${how}.png`), fullPage: true, animations: 'disabled' })
  await page.emulateMedia({ colorScheme: 'dark' })
  await take('dark')
  await page.emulateMedia({ colorScheme: 'light' })
  await take('light')
  await page.setViewportSize(PHONE)
  await take('phone')
  if (before) await page.setViewportSize(before)
}

function fileOf(name: string): string {
  return name.replace(/[^\w-]+/g, '-').replace(/^-/, '')
}
