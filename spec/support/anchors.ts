/** Anchors of headings in Markdown, as GitHub makes them. */

/** Returns the anchor of a heading. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^a-z0-9 -]/g, '')
    .replaceAll(' ', '-')
}

/** Returns the headings of a document, without lines of code that look like one. */
export function headingsOf(text: string): readonly string[] {
  const prose = text.replace(/^```[\s\S]*?^```$/gm, '')
  return [...prose.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading)
}
