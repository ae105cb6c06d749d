/** The one page of the console. It has no code, no styles and no records: scripts read these from the API. */
import { escaped } from '../core/text/escaped.js'
import type { BuiltFiles } from './console-files.js'
import type { ConsolePage } from './console-page.js'
import type { PageSettings } from './page-settings.js'

/** What a host calls its desk, and how it looks. */
export interface Brand {
  /** Name in the head of each page, and in its title. */
  readonly name: string
  /** URL of a picture beside the name: of the same origin, or a data URL; undefined for none. */
  readonly logo: string | undefined
  /** Background of the head, on which the name is white; undefined for ours. */
  readonly color: string | undefined
}

/** What the page is made of. */
export interface PageDeps {
  readonly baseUrl: string
  readonly headerPrefixes: readonly string[]
  readonly signIn: PageSettings['signIn']
  readonly oauth: boolean
  readonly brand: Brand
  readonly pages: readonly ConsolePage[]
}

/** Writes the page. */
export function pageHtml(deps: PageDeps, built: BuiltFiles): string {
  const api = new URL(deps.baseUrl).pathname
  const home = `${api.slice(0, -'/v1'.length)}/console`
  const url = (name: string) => `${home}/assets/${name}`
  const { color, logo, name } = deps.brand
  const settings: PageSettings = {
    api,
    home,
    prefix: deps.headerPrefixes[0] ?? '',
    brand: { name, ...(logo === undefined ? {} : { logo }), ...(color === undefined ? {} : { color }) },
    signIn: deps.signIn,
    oauth: deps.oauth,
    languages: built.texts.map(({ label, language, name: file }) => ({ id: language, label, texts: url(file) })),
    pages: deps.pages.map(({ module: _, ...page }, index) => ({ ...page, script: url(built.own[index] ?? '') })),
  }
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<meta name="settings" content="${escaped(JSON.stringify(settings))}">
<title>${escaped(name)}</title>
<link rel="icon" href="${escaped(url(built.icon))}">
<link rel="stylesheet" href="${escaped(url(built.style))}">
<script type="module" src="${escaped(url(built.script))}"></script>
</head>
<body>
<div id="console"></div>
<noscript>This page needs scripts of this server.</noscript>
</body>
</html>
`
}
