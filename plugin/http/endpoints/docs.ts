import { NotFound } from '../../core/errors.js'
import { KeptText } from '../../core/kept-text.js'
import { answerKept } from '../answers/answer.js'
import type { Context, Endpoint } from '../contract.js'
import type { HttpDeps } from '../deps.js'
import type { Handbook } from '../handbook/handbook.js'

/**
 * Content-Security-Policy of all pages: scripts, styles and calls of this origin, and nothing else. Nothing in a page is run, pages are in no frame,
 * and forms go nowhere.
 */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/**
 * `GET /docs`: the documents of the package as pages, with a search and a page about the API of this instance. They contain no
 * records and need no credentials, like /openapi.json. Nothing of them is read before the first request (ADR 70).
 */
export function docs({ baseUrl, headerPrefixes }: Pick<HttpDeps, 'baseUrl' | 'headerPrefixes'>): readonly Endpoint[] {
  let opened: Promise<Handbook | null> | null = null
  const handbook = () => {
    opened ??= import('../handbook/handbook.js')
      .then(({ openHandbook }) => openHandbook(baseUrl, `${headerPrefixes[0]}Language`))
      .catch((error: unknown) => {
        opened = null
        throw error
      })
    return opened
  }
  // Only of pages that there are.
  const kept = new Map<string, KeptText>()
  const run = async (ctx: Context) => {
    const path = pathIn(ctx)
    const found = (await handbook())?.find(path)
    if (!found) throw new NotFound()
    const text = kept.get(path) ?? new KeptText(found.text)
    kept.set(path, text)
    answerKept(ctx, found.type, text)
    ctx.set('Content-Security-Policy', PAGE_POLICY)
    ctx.set('Referrer-Policy', 'no-referrer')
    if (found.isLasting) ctx.set('Cache-Control', 'public, max-age=31536000, immutable')
  }
  const common = { method: 'GET', anonymous: true, anyMedia: true, run } as const
  const answers = { 200: { description: 'The page.', files: ['application/octet-stream', 'text/html'] } }
  return [
    {
      ...common,
      path: '/docs',
      description: {
        operation: 'read_documents',
        summary: 'Read the documents',
        description: 'The documents of this version as pages, for people.',
        answers,
      },
    },
    {
      ...common,
      path: '/docs/:page',
      description: {
        operation: 'read_document',
        summary: 'Read one of the documents',
        description: 'A page of the documents, or a file that pages need.',
        answers,
      },
    },
    {
      ...common,
      path: '/docs/:folder/:page',
      description: {
        operation: 'read_document_in_folder',
        summary: 'Read a document in a folder',
        description: 'A page of the documents that is in a folder, such as a guide.',
        answers,
      },
    },
  ]
}

/** The path below `/docs`. The end of a name is not a suffix for a media type. */
function pathIn(ctx: Context): string {
  const { named, suffix } = ctx.state.itsm
  const path = [named['folder'], named['page']].filter((part) => part !== undefined).join('/')
  return suffix === null ? path : `${path}.${suffix}`
}
