/** Options about calls: where they arrive, and how they sign in. */
import { shown } from '../../core/text/shown.js'
import { all, each, matching } from '../checks.js'
import { count, duration, feature, flag, group, list, switchable, text, typed } from '../kinds.js'
import type { Check } from '../option.js'

export const CALLS = {
  /** Base URL of the API for clients; ends with `/v1`. Links in responses, mails and deliveries start with it. */
  baseUrl: text({ required: true, check: mistakesInBaseUrl }),
  /**
   * At least 32 characters, the same in all processes. Protects API tokens and signs the URLs of attachments and import logs;
   * keep it for the life of the database.
   */
  secret: text({
    required: true,
    check: (secret, path) =>
      typeof secret === 'string' && secret.trim().length >= 32 ? [] : [`${path}: must be a text of at least 32 characters`],
  }),
  /** Accepts requests without HTTPS: for development. Default: `false`. */
  allowInsecure: flag(false),
  /**
   * Prefixes of the request headers. All are accepted; the first prefix in the list that is present wins. Default:
   * `['X-SVC-']`.
   */
  headerPrefixes: list<string>({
    default: ['X-SVC-'],
    check: all(each(mistakeInPrefix), (prefixes, path) =>
      Array.isArray(prefixes) && prefixes.length === 0 ? [`${path}: must have at least one prefix`] : [],
    ),
  }),
  signIn: group({
    /**
     * Maximum number of wrong passwords, and of wrong tokens, per IP address (IPv6: per /64 network) and quarter of an hour.
     * See operating.md: Security. Default: `50`.
     */
    failuresPerAddress: count(50),
  }),
  /**
   * Lets programs get access tokens by OAuth 2 client credentials, at `POST /oauth/token`; `{}` for the defaults. Without it,
   * access tokens from before are refused. See own-sign-in.md: OAuth clients. Default: off.
   */
  oauth: feature({
    /** Milliseconds for which an access token works, from 60000 to 86400000. Default: `3600000` ms. */
    tokenLifetimeMs: duration({ default: 3_600_000, min: 60_000, max: 86_400_000 }),
  }),
  /**
   * Lets pages of the origin of the API sign people in with their password, at `POST /session`: the session is in a cookie that
   * scripts cannot read. See own-sign-in.md: Sessions of pages. Default: `true` with the console, unless `people.signedIn` is given.
   */
  sessions: typed<boolean>('boolean'),
  /**
   * Serves the guides, the reference and a page about each endpoint at `GET /docs`, without credentials. See first-desk.md: Read
   * it in the browser. Default: `false`.
   */
  docs: flag(false),
  /**
   * Pages for people at `/console`, beside the API: `true`, or how they look. See first-desk.md: Open the console. Default: `false`.
   */
  console: switchable({
    brand: group({
      /** What the desk is called. Default: `Service desk`. */
      name: text({ default: 'Service desk', check: matching(/^\S.{0,59}$/, 'must be 1 to 60 characters on one line') }),
      /** Picture beside the name: a path of the same origin, or a data URL. Default: none. */
      logo: typed<string>('string', { check: mistakesInLogo }),
      /** Background of the head, on which the name is white: `#1b4f8a`. Default: that of the plugin. */
      color: typed<string>('string', { check: mistakesInColor }),
    }),
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

function mistakesInBaseUrl(...[baseUrl, path, { allowInsecure }]: Parameters<Check>): readonly string[] {
  const url = typeof baseUrl === 'string' && URL.canParse(baseUrl) ? new URL(baseUrl) : null
  if (!url || !['http:', 'https:'].includes(url.protocol)) return [`${path}: must be a URL like 'https://desk.example/v1'`]
  const mistakes: string[] = []
  if (!url.pathname.endsWith('/v1') || url.search || url.hash || /[?#]$/.test(String(baseUrl))) {
    mistakes.push(`${path}: must end with '/v1', without a slash, a query or a fragment after it`)
  }
  if (url.username || url.password) mistakes.push(`${path}: must be without a user and password, which every link would show`)
  if (!allowInsecure && url.protocol !== 'https:') mistakes.push(`${path}: must be https, unless allowInsecure is set`)
  return mistakes
}

function mistakeInPrefix(prefix: unknown): string | null {
  const isPrefix = typeof prefix === 'string' && /^[A-Za-z0-9-]+-$/.test(prefix)
  return isPrefix ? null : `must be letters, digits and hyphens that end with a hyphen, not ${shown(prefix)}`
}
