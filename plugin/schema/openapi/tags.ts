/** The tags of operations: the first segment of their path, which generators make a class or a folder of. */
import { humanize } from '../../words/labels.js'
import type { Catalog } from '../catalog.js'

const TAGS: { readonly [tag: string]: string } = {
  account: 'The account of the call.',
  attachments: 'Uploads and downloads of files.',
  catalog: 'Record types with their fields and lists.',
  enums: 'Enumerations with labels.',
  events: 'Events of monitoring tools.',
  feed: 'What has happened, in sequence.',
  import: 'Imports of files with many records.',
  imports: 'Logs of imports.',
  me: 'The person who calls, and what belongs to that person.',
  oauth: 'Access tokens of OAuth clients.',
  openapi: 'This document.',
  pictures: 'Pictures of records.',
  root: 'The address of the interface itself.',
  sd: 'Search for people by telephone number.',
}

/** The tag of a path. */
export function tagOf(path: string): string {
  return path.split('/')[1] || 'root'
}

/** The tags of these paths with their descriptions. */
export function tagsOf(paths: readonly string[], catalog: Catalog): readonly object[] {
  return [...new Set(paths.map(tagOf))].map((name) => ({ name, description: TAGS[name] ?? aboutRecords(name, catalog) }))
}

function aboutRecords(path: string, catalog: Catalog): string {
  const type = catalog.byPath.get(path)
  const isOwner = type !== undefined && type.parts.size + type.links.size + type.children.size > 0
  return `${humanize(path)}${isOwner ? ', and what belongs to them' : ''}.`
}
