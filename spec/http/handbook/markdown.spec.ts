/** Our Markdown as HTML: what it can say, what it cannot smuggle in, and every document of the package. */
import { readdirSync, readFileSync } from 'node:fs'
import { expect } from 'chai'
import { markdownHtml } from '../../../plugin/http/handbook/markdown.js'
import { sectionsIn } from '../../../plugin/http/handbook/sections.js'

const DOCUMENTS = [
  ...['README.md', 'CHANGELOG.md', 'SECURITY.md'],
  ...readdirSync('plugin/docs', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `plugin/docs/${name}`),
]
/** Tags that documents and pages may have. */
const TAGS = new Set(
  'a br code div em h1 h2 h3 h4 h5 h6 li ol p pre strong table tbody td th thead tr ul'.split(' ').concat('details', 'summary'),
)
const htmlOf = (...lines: string[]) => markdownHtml(lines.join('\n'), (href) => (href.startsWith('no') ? null : href))

describe('http/handbook/markdown', () => {
  it('writes paragraphs, headings with their anchors, and code', () => {
    expect(htmlOf('# A `b` & c: d', '', 'One', 'two.', '', '```ts file=x.ts', 'a < b', '', '```')).to.equal(
      [
        '<h1 id="a-b--c-d"><a href="#a-b--c-d">A <code>b</code> &amp; c: d</a></h1>',
        '<p>One two.</p>',
        '<pre><code data-language="ts">a &lt; b\n\n</code></pre>',
      ].join('\n'),
    )
  })

  it('writes lists, with paragraphs and lists within items', () => {
    expect(htmlOf('Some:', '- one', '  goes on', '- two', '  - inner', '', '  last', '', '1. first', '2. second')).to.equal(
      [
        '<p>Some:</p>\n<ul>\n<li>one goes on</li>',
        '<li><p>two</p>\n<ul>\n<li>inner</li>\n</ul>\n<p>last</p></li>\n</ul>',
        '<ol>\n<li>first</li>\n<li>second</li>\n</ol>',
      ].join('\n'),
    )
  })

  it('writes tables, with bars in cells', () => {
    expect(htmlOf('| A | B |', '|---|:-:|', '| `a \\| b` |  |')).to.equal(
      '<div class="table"><table><thead><tr><th>A</th><th>B</th></tr></thead>' +
        '<tbody><tr><td><code>a | b</code></td><td></td></tr></tbody></table></div>',
    )
  })

  it('writes links, strong and emphasized texts, and leaves alone what is in code', () => {
    expect(htmlOf('[a [b] `]`](x(1)#y) **bold `**`** *it* 2 * 3 * 4 \\*')).to.equal(
      '<p><a href="x(1)#y">a [b] <code>]</code></a> <strong>bold <code>**</code></strong> <em>it</em> 2 * 3 * 4 *</p>',
    )
    expect(htmlOf('`` a`b `` ` [x](y) [z](none)')).to.equal('<p><code>a`b</code> ` <a href="y">x</a> z</p>')
  })

  it('drops comments', () => {
    expect(htmlOf('<!-- a', 'b -->', 'c')).to.equal('<p>c</p>')
  })

  it('lets no HTML through but line breaks', () => {
    const hostile = '<script>alert(1)</script><br><img src=x onerror=alert(1)> &amp;'
    expect(htmlOf(hostile)).to.equal(
      '<p>&lt;script&gt;alert(1)&lt;/script&gt;<br>&lt;img src=x onerror=alert(1)&gt; &amp;amp;</p>',
    )
    expect(htmlOf('[x](y"onclick="z)')).to.equal('<p><a href="y&quot;onclick=&quot;z">x</a></p>')
    expect(htmlOf('# "><script>', '', '```"><b>', '<i>', '```')).to.equal(
      '<h1 id="script"><a href="#script">&quot;&gt;&lt;script&gt;</a></h1>\n' +
        '<pre><code data-language="&quot;&gt;&lt;b&gt;">&lt;i&gt;\n</code></pre>',
    )
  })

  for (const document of DOCUMENTS) {
    it(`writes ${document} with balanced tags, and leaves no marks of Markdown`, () => {
      const html = markdownHtml(readFileSync(document, 'utf8'), (href) => href)
      expect(unbalanced(html)).to.deep.equal([])
      const prose = html.replace(/<pre>[\s\S]*?<\/pre>|<code>.*?<\/code>/g, '').replace(/<[^>]*>/g, '')
      expect(prose.match(/.*(\*\*|\]\(|^#{1,6} |`|^\|.*\|$|&lt;br).*/gm) ?? []).to.deep.equal([])
      const ids = [...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id)
      if (!/CHANGELOG|adr/.test(document)) expect(ids).to.deep.equal([...new Set(ids)])
    })
  }

  it('is cut into sections by headings, as plain text', () => {
    expect(sectionsIn(htmlOf('Before', '', '# A `b`', '', 'One *two*', '', '- <3', '', '## C'))).to.deep.equal([
      { anchor: '', heading: '', text: 'Before' },
      { anchor: 'a-b', heading: 'A b', text: 'One two <3' },
      { anchor: 'c', heading: 'C', text: '' },
    ])
  })
})

/** Tags that are not closed in order, not known, or links within links. */
function unbalanced(html: string): readonly string[] {
  const open: string[] = []
  const wrong: string[] = []
  for (const [tag, close, name = ''] of html.matchAll(/<(\/?)([a-z0-9]+)[^>]*>/g)) {
    if (!TAGS.has(name) || (name === 'a' && !close && open.includes('a'))) wrong.push(tag)
    if (name === 'br') continue
    if (!close) open.push(name)
    else if (open.pop() !== name) wrong.push(tag)
  }
  return [...wrong, ...open]
}
