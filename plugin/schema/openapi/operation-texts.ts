/** Summaries and descriptions of the operations on records, made of the names of types and paths. */
import { humanize } from '../../words/labels.js'
import type { RecordType } from '../catalog.js'

/** A line in lists of operations, and a sentence or two below it. */
export interface OperationText {
  readonly summary: string
  readonly description: string
}

/** A collection at one path, in words. */
export interface Named {
  readonly type: RecordType
  /** The last segment of the path of the collection. */
  readonly name: string
  /** The record in the path; null for a collection at its own path. */
  readonly owner: RecordType | null
  /** The collection consists of records that are linked to the owner, and not of its sub-records. */
  readonly isLink: boolean
  /** The path of the list whose filters this list also accepts, without describing them; null if it describes its own. */
  readonly filtersAt: string | null
}

/** `service instance`, `SLA`: a name within a sentence. */
export function inSentence(name: string): string {
  const label = humanize(name)
  return /^[A-Z]{2}/.test(label) ? label : label.charAt(0).toLowerCase() + label.slice(1)
}

/** With the article: `an organization`, `a UI extension`, `an SLA`. */
function withArticle(name: string): string {
  const words = inSentence(name)
  const isVowel = /^[A-Z]{2}/.test(words) ? /^[AEFHILMNORSX]/.test(words) : /^[aeio]/.test(words)
  return `${isVowel ? 'an' : 'a'} ${words}`
}

/** The texts of an operation on a collection or on one of its records. */
export function textOf(operation: keyof typeof TEXTS, at: Named): OperationText {
  const of = at.owner ? ` of ${withArticle(at.owner.name)}` : ''
  // Two lists of one record may contain records of the same type: predecessors and successors of a task.
  const as = at.name === at.type.path ? '' : ` (${inSentence(at.name)})`
  const [one, all] = [withArticle(at.type.name), inSentence(at.name)]
  return TEXTS[operation]({ one, all, of, as, ...at })
}

interface Words extends Named {
  readonly one: string
  readonly all: string
  readonly of: string
  readonly as: string
}

const TEXTS = {
  list: ({ all, of, owner, filtersAt }: Words) => ({
    summary: `List ${all}${of}`,
    // The summary says of what; hundreds of lists would repeat it.
    description: owner ? `One page.${filters(filtersAt)}` : 'One page of what the caller may see.',
  }),
  count: ({ all, type }: Words) => ({
    summary: `Count ${all}`,
    description: `By the values of one or two fields, in at most 200 groups.${filters(`/${type.path}`)}`,
  }),
  read: ({ one, of }: Words) => ({
    summary: `Read ${one}${of}`,
    description: 'Fields that the caller may not read are null.',
  }),
  create: ({ one, of }: Words) => ({
    summary: `Create ${one}${of}`,
    description: 'Returns it with its defaults.',
  }),
  update: ({ one, of }: Words) => ({
    summary: `Change ${one}${of}`,
    description: 'Sets the fields that are sent.',
  }),
  remove: ({ one, of, isLink, owner, as }: Words) => ({
    summary: isLink ? `Unlink ${one} from ${withArticle(owner?.name ?? '')}${as}` : `Remove ${one}${of}`,
    description: isLink ? 'Keeps the record.' : 'Removes it.',
  }),
  removeAll: ({ all, of, isLink }: Words) => ({
    summary: isLink ? `Unlink all ${all}${of}` : `Remove all ${all}${of}`,
    description: isLink ? 'Keeps the records.' : 'Removes them at once.',
  }),
  link: ({ one, owner, as }: Words) => ({
    summary: `Link ${one} to ${withArticle(owner?.name ?? '')}${as}`,
    description: 'What is linked already stays linked.',
  }),
} as const

function filters(path: string | null): string {
  return path === null ? '' : ` Filters as for GET ${path}.`
}
