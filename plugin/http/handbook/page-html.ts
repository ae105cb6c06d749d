/** The frame of all pages: head, search, navigation. No code and no styles are in the pages themselves. */

import { escaped } from '../../core/text/escaped.js'
import { VERSION } from '../../core/version.js'

/** Groups of pages. */
export type Navigation = readonly {
  readonly title: string
  readonly entries: readonly { readonly url: string; readonly title: string }[]
}[]

/** URLs that all pages have. */
export interface PageParts {
  readonly home: string
  readonly openapi: string
  /** Name of the request header for its language. */
  readonly languageHeader: string
  readonly script: string
  readonly style: string
  /** Of the search index. */
  readonly index: string
  readonly navigation: Navigation
}

/** A page with the content of a document. @param url its own, which the navigation marks */
export function pageHtml(parts: PageParts, url: string, title: string, content: string): string {
  const full = title === 'koa-itsm' ? title : `${title} · koa-itsm`
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(full)}</title>
<link rel="stylesheet" href="${escaped(parts.style)}">
<script src="${escaped(parts.script)}" defer></script>
</head>
<body>
<a class="skip" href="#content">To the content</a>
<header>
<a class="home" href="${escaped(parts.home)}">koa-itsm <small>${escaped(VERSION)}</small></a>
<div class="search" hidden data-index="${escaped(parts.index)}">
<input type="search" aria-label="Search" placeholder="Search" autocomplete="off" spellcheck="false">
<ol class="found" aria-live="polite" hidden></ol>
</div>
</header>
<nav aria-label="Pages"><details open><summary>Pages</summary>
${parts.navigation.map((group) => groupHtml(group, url)).join('\n')}
</details></nav>
<main id="content">
${content}
</main>
</body>
</html>
`
}

/** The page about the API of this instance. Its script reads the OpenAPI document. */
export function apiPageHtml(parts: PageParts, url: string): string {
  const address = escaped(parts.openapi)
  return pageHtml(
    parts,
    url,
    'API reference',
    `<h1>API reference</h1>
<p>Every endpoint of this instance, as <a href="${address}">openapi.json</a> describes it, with its own record types.</p>
<div id="api" data-document="${address}" data-language-header="${escaped(parts.languageHeader)}"><p class="state">This page needs scripts of this server.</p></div>`,
  )
}

function groupHtml({ entries, title }: Navigation[number], url: string): string {
  const items = entries.map((entry) => {
    const mark = entry.url === url ? ' aria-current="page"' : ''
    return `<li><a href="${escaped(entry.url)}"${mark}>${escaped(entry.title)}</a></li>`
  })
  return `<h2>${escaped(title)}</h2>\n<ul>\n${items.join('\n')}\n</ul>`
}
