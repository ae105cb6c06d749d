/** Whether a page of the console fits: at a zoom of 200 %, on a phone, and there from right to left. */
import type { Page } from 'playwright-core'

export const PHONE = { width: 360, height: 740 }
/** A screen of 1,280 by 900 pixels at 200 %. */
export const ZOOMED = { width: 640, height: 450 }

/**
 * What does not fit: `#page .title: 12 too wide`. The page has its size and direction back afterwards.
 *
 * @param where begins each entry
 */
export async function misfitsOf(page: Page, where: string): Promise<readonly string[]> {
  const before = page.viewportSize()
  const found: string[] = []
  const look = async (how: string) => found.push(...(await misfitsIn(page, `${where}, ${how}`)))
  await page.setViewportSize(ZOOMED)
  await look('at 200 %')
  await page.setViewportSize(PHONE)
  await look('on a phone')
  await page.evaluate(`document.documentElement.dir = 'rtl'`)
  await look('on a phone, from right to left')
  await page.evaluate(`document.documentElement.removeAttribute('dir')`)
  if (before) await page.setViewportSize(before)
  return found
}

/** What does not fit the size that the page has. @param where begins each entry */
export async function misfitsIn(page: Page, where: string): Promise<readonly string[]> {
  const found = await page.evaluate<string[]>(`new Promise((done) => requestAnimationFrame(() => done(${MISFITS})))`)
  return found.map((one) => `${where}: ${one}`)
}

/** The page may not be wider than the screen, and no text may be cut off without saying all of it in a title. */
const MISFITS = `(() => {
  const name = (it) => [it.localName, ...it.classList].join('.') + (it.id ? '#' + it.id : '')
  const root = document.documentElement
  const isWide = root.scrollWidth > root.clientWidth
  const isScrolled = (it) => it !== root && it !== document.body &&
    (['auto', 'scroll'].includes(getComputedStyle(it).overflowX) || (it.parentElement !== null && isScrolled(it.parentElement)))
  const sticksOut = (it) => {
    const { left, right, width } = it.getBoundingClientRect()
    return width > 0 && (right > root.clientWidth + 1 || left < -1) && !isScrolled(it)
  }
  const hasText = (it) => [...it.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== '')
  const isCut = (it) => {
    const { clipPath, overflowX, overflowY } = getComputedStyle(it)
    // For screen readers alone.
    const isHidden = clipPath === 'inset(50%)'
    const cuts = [overflowX, overflowY].some((one) => ['hidden', 'clip'].includes(one))
    return cuts && !isHidden && !it.closest('[title]') && it.scrollWidth > it.clientWidth + 1
  }
  const all = [...document.querySelectorAll('body *')].filter((it) => it.checkVisibility())
  return [
    ...(isWide ? [root.scrollWidth - root.clientWidth + ' too wide: ' + all.filter(sticksOut).slice(0, 3).map(name)] : []),
    ...all.filter((it) => hasText(it) && isCut(it)).map((it) => name(it) + ' is cut off: ' + it.textContent.slice(0, 40)),
  ]
})()`
