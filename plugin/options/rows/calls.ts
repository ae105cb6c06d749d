/** Options about calls: where they arrive, and how they sign in. */
import { shown } from '../../core/text/shown.js'
import { all, each } from '../checks.js'
import { count, duration, feature, flag, group, list, text, typed } from '../kinds.js'
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
