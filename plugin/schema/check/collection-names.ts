/** Reads the part `collection` of definitions, whose names are in strings, and fills in its defaults. */
import type { FieldChoice, Names } from '../language/collection.js'
import type { Definition, Fields } from '../language/define-record.js'

/** The names in the collection part of a definition. */
export interface CollectionNames {
  readonly fields: readonly string[]
  readonly sort: readonly string[]
  readonly sortable: readonly string[]
  readonly filterable: readonly string[]
  readonly countable: readonly string[]
  /** Undefined if lists below an owner do not differ. */
  readonly below: { readonly fields?: readonly string[]; readonly sort?: readonly string[] }
}

/** The names in a string, in their order. */
export function namesIn(names: Names): readonly string[] {
  return names.split(/\s+/).filter((name) => name !== '')
}

/** The names in the collection part, with defaults for omitted ones. */
export function collectionNames({ collection, fields }: Pick<Definition, 'collection' | 'fields'>): CollectionNames {
  const { below = {} } = collection
  const list = collection.fields === undefined ? shownIn(fields) : namesIn(collection.fields)
  return {
    fields: list,
    sort: namesIn(collection.sort),
    sortable: chosen(collection.sortable, list),
    filterable: chosen(collection.filterable, list),
    countable: namesIn(collection.countable ?? ''),
    below: {
      ...(below.fields === undefined ? {} : { fields: namesIn(below.fields) }),
      ...(below.sort === undefined ? {} : { sort: namesIn(below.sort) }),
    },
  }
}

function chosen(choice: FieldChoice = {}, list: readonly string[]): readonly string[] {
  if (typeof choice === 'string') return namesIn(choice)
  const except = namesIn(choice.except ?? '')
  return [...list.filter((name) => !except.includes(name)), ...namesIn(choice.also ?? '')]
}

function shownIn(fields: Fields): readonly string[] {
  return Object.entries(fields).flatMap(([name, { writeOnly, hidden }]) => (writeOnly || hidden ? [] : [name]))
}
