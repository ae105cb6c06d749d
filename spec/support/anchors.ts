/** Anchors of headings in Markdown, as GitHub makes them. */

export { anchorOf } from '../../plugin/http/handbook/markdown.js'

/** Returns the headings of a document, without lines of code that look like one. */
export function headingsOf(text: string): readonly string[] {
  const prose = text.replace(/^```[\s\S]*?^```$/gm, '')
  return [...prose.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading)
}
