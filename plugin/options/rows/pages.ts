/** Options about the pages for people. */
import type { ConsolePage } from '../../console/console-page.js'
import { ROLES } from '../../core/call.js'
import { shown } from '../../core/text/shown.js'
import { each, matching } from '../checks.js'
import { group, list, switchable, text, typed } from '../kinds.js'

export const PAGES = {
  /**
   * Pages for people at `/console`, beside the API: `true`, or how they look. See first-desk.md: Open the console. Default: `false`.
   */
  console: switchable({
    brand: group({
      /** What the desk is called. Default: `'Service desk'`. */
      name: text({ default: 'Service desk', check: matching(/^\S.{0,59}$/, 'must be 1 to 60 characters on one line') }),
      /** Picture beside the name: a path of the same origin, or a data URL. Default: none. */
      logo: typed<string>('string', { check: mistakesInLogo }),
      /** Background of the head, on which the name is white: `#1b4f8a`. Default: that of the plugin. */
      color: typed<string>('string', { check: mistakesInColor }),
    }),
    /** Pages of your own, beside those of the plugin. See own-type.md: A page in the console. Default: none. */
    pages: list<ConsolePage>({ default: [], check: mistakesInPages }),
    /** Origins whose pages may show the console in a frame: `['https://portal.example']`. Default: none. */
    frameAncestors: list<string>({ default: [], check: each(mistakeInOrigin) }),
  }),
}

function mistakesInLogo(logo: unknown, path: string): readonly string[] {
  if (typeof logo !== 'string' || /^\/[^/\\]/.test(logo) || /^data:image\/(png|jpeg|gif|webp|svg\+xml)[;,]/.test(logo))
    return []
  return [`${path}: must be a path such as '/logo.svg', or a data URL of a picture`]
}

/** The contrast with white that texts need, by WCAG 2.2. */
const CONTRAST = 4.5

function mistakesInColor(color: unknown, path: string): readonly string[] {
  if (typeof color !== 'string') return []
  const parts = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(color)?.slice(1)
  if (!parts) return [`${path}: must be a color such as '#1b4f8a'`]
  const [red = 0, green = 0, blue = 0] = parts.map((part) => {
    const share = Number.parseInt(part, 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  const contrast = 1.05 / (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05)
  return contrast >= CONTRAST
    ? []
    : [`${path}: is too light for white texts (contrast ${contrast.toFixed(1)}, at least ${CONTRAST})`]
}

function mistakeInOrigin(origin: unknown): string | null {
  const isOrigin = typeof origin === 'string' && URL.canParse(origin) && new URL(origin).origin === origin
  return isOrigin ? null : `must be origins such as 'https://portal.example', not ${shown(origin)}`
}

/** Paths of the pages of the plugin. */
const TAKEN: readonly string[] = ['/account', '/assets', '/audit', '/imports', '/me', '/system']

function mistakesInPages(pages: unknown, path: string): readonly string[] {
  if (!Array.isArray(pages)) return []
  const paths = pages.map((page) => (Object(page) as Partial<ConsolePage>).path)
  return pages.flatMap((page: unknown, index) => {
    const { module, path: place, roles, title } = Object(page) as { readonly [Key in keyof ConsolePage]?: unknown }
    const wrong = (isWrong: boolean, what: string) => (isWrong ? [`${path}[${index}]${what}`] : [])
    const isPath = typeof place === 'string' && /^\/[a-z][a-z0-9_-]{0,59}$/.test(place)
    return [
      ...wrong(!isPath, `.path: must be a path such as '/fleet-map', not ${shown(place)}`),
      ...wrong(isPath && TAKEN.includes(place), `.path: '${place}' is a page of the plugin`),
      ...wrong(isPath && paths.indexOf(place) !== index, `.path: '${place}' occurs twice`),
      ...wrong(!isTitle(title), '.title: must be a text, or texts by language'),
      ...wrong(
        !(typeof module === 'string' && module !== '') && !(module instanceof URL),
        '.module: must be the path of a file, or its URL',
      ),
      ...wrong(roles !== undefined && !areRoles(roles), `.roles: must be roles such as 'auditor', not ${shown(roles)}`),
    ]
  })
}

function isTitle(title: unknown): boolean {
  const isText = (text: unknown) => typeof text === 'string' && /^\S.{0,59}$/.test(text)
  const texts = Object.values(Object(title) as object)
  return isText(title) || (typeof title === 'object' && texts.length > 0 && texts.every(isText))
}

function areRoles(roles: unknown): boolean {
  return Array.isArray(roles) && roles.every((role) => (ROLES as readonly unknown[]).includes(role))
}
