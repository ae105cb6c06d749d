/** References that are the first of the records of a link: request.ci of request.cis (behaviour: Requests). */
import type { RecordType } from '../../../schema/catalog.js'
import type { Json } from '../../../schema/kinds/fields.js'
import { type Draft, differs } from '../../work/draft.js'

interface First {
  readonly link: string
  readonly field: string
  readonly column: string
}

/** The field that refers to the first record of a link; null if there is none. */
export function firstOfLink(type: RecordType, link: string): First | null {
  return firstsOf(type).find((first) => first.link === link) ?? null
}

/**
 * Keeps `cis` and `ci` in step: setting the link sets the field to its first record; setting the field makes that record the
 * only link.
 */
export function syncFirstFromInput(type: RecordType, drafts: readonly Draft[]): void {
  for (const { link, field, column } of firstsOf(type)) {
    for (const draft of drafts) {
      const { given, links, values } = draft.input
      const ids = links.get(link)
      if (ids) values[column] = ids[0] ?? null
      else if (given.has(field)) onlyLink(draft, link, values[column])
    }
  }
}

/** Keeps them in step after rules have set the field. */
export function syncFirstFromRules(type: RecordType, drafts: readonly Draft[]): void {
  for (const { link, column } of firstsOf(type)) {
    for (const draft of drafts) {
      const ids = draft.input.links.get(link)
      const expected = ids ? ids[0] : draft.before?.[column]
      if (differs(expected, draft.next[column])) onlyLink(draft, link, draft.next[column])
    }
  }
}

function firstsOf(type: RecordType): readonly First[] {
  return [...type.fields.values()].flatMap(({ firstOf: link, column, name: field }) =>
    link !== undefined && column !== null && type.links.has(link) ? [{ link, field, column }] : [],
  )
}

function onlyLink(draft: Draft, link: string, id: Json | undefined): void {
  const links = new Map(draft.input.links).set(link, id ? [Number(id)] : [])
  draft.input = { ...draft.input, links }
}
