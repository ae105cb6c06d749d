/**
 * Merges definitions and their extensions before anything is checked, so that each addition may rely on all others, in any
 * order. Remembers the extension of each addition, for the messages of the checks.
 */
import { suggestion } from '../../core/text/nearest.js'
import type { Field } from '../kinds/fields.js'
import { joinedMoves } from '../language/allowed-moves.js'
import type { Collection } from '../language/collection.js'
import type { Definition } from '../language/define-record.js'
import { timerName } from '../language/define-timer.js'
import type { Extension, MoreCollection } from '../language/extend-record.js'
import { type ImportColumn, importColumn } from '../language/import-files.js'
import { allColumns, importOf } from './all-columns.js'
import { fieldOf } from './check-paths.js'
import { collectionNames, namesIn } from './collection-names.js'
import { mergedAccess } from './merge-access.js'
import { withMoreValues } from './merge-values.js'
import { createPatch, type Patch } from './patch.js'

/** Definitions with the additions of all extensions. */
export interface Merged {
  readonly definitions: readonly Definition[]
  /** Additions that are not possible: names that exist already, and additions to unknown types. */
  readonly mistakes: readonly string[]
  /**
   * The name in messages of the extension that added a part of a type (`fields.colour`, `events=update`); null for parts of the
   * definition itself.
   */
  addedBy(type: string, part: string): string | null
}

/**
 * Merges all extensions into the definitions.
 *
 * @param lists keys of the enumerations that do not belong to a type and cannot be extended
 */
export function merge(
  definitions: readonly Definition[],
  extensions: readonly Extension[],
  lists: ReadonlySet<string> = new Set(),
): Merged {
  const labelled = extensions.map((extension, index) => ({ extension, label: labelOf(extensions, index) }))
  const patches = definitions.map((definition) => {
    const own = labelled.filter(({ extension }) => extension.extends === definition.name)
    const patch = createPatch(definition, own)
    if (own.length > 0) extend(patch)
    return patch
  })
  const byName = new Map(patches.map((patch) => [patch.definition.name, patch]))
  const merged = withMoreValues(patches, lists)
  const known = definitions.map(({ name }) => name).join(', ')
  const lost = labelled.filter(({ extension }) => !byName.has(extension.extends))
  return {
    definitions: merged,
    mistakes: [
      ...lost.map(
        ({ extension, label }) =>
          `${label}: there is no such record type; known are ${known}${suggestion(extension.extends, byName.keys())}`,
      ),
      ...patches.flatMap(({ mistakes }) => mistakes),
    ],
    addedBy: (type, part) => byName.get(type)?.origins.get(part) ?? null,
  }
}

/** The name of an extension in messages. If a type has several, it includes the index in the option `extend`. */
export function labelOf(extensions: readonly Extension[], index: number): string {
  const name = extensions[index]?.extends
  const isOnly = extensions.filter((other) => other?.extends === name).length === 1
  return `extension of ${String(name)}${isOnly ? '' : ` (extend[${index}])`}`
}

function extend(patch: Patch): void {
  for (const part of ['fields', 'lists', 'links', 'children', 'coverages'] as const) patch.addNamed(part)
  const { rules, settle, emits, events, parts, unique, partImports } = patch.definition
  patch.set({
    rules: patch.joined({ part: 'rules', own: rules, pick: (extension) => extension.rules }),
    timers: patch.joined({ part: 'timers', own: patch.definition.timers, pick: ({ timers }) => timers, name: timerName }),
    settle: patch.joined({
      part: 'settle',
      own: settle,
      pick: (extension) => extension.settle,
      name: (one) => one.settle,
    }),
    events: patch.joined({ part: 'events', own: events, pick: (extension) => extension.events, name: String }),
    emits: patch.joined({ part: 'emits', own: emits, pick: (extension) => extension.emits, name: String }),
    parts: patch.joined({ part: 'parts', own: parts, pick: (extension) => extension.parts, name: String }),
    unique: patch.joined({ part: 'unique', own: unique, pick: (extension) => extension.unique, name: String }),
    partImports: patch.joined({
      part: 'partImports',
      own: partImports,
      pick: (extension) => extension.partImports,
      name: ({ type }) => type,
    }),
    ...withMoves(patch),
    collection: mergedCollection(patch),
    access: mergedAccess(patch),
  })
  addImportColumns(patch)
  relax(patch)
}

function withMoves({ additions, definition }: Patch): Pick<Definition, 'moves'> {
  const more = additions.flatMap(({ extension: { moves } }) => (moves ? [moves] : []))
  return more.length > 0 ? { moves: joinedMoves([definition.moves, ...more]) } : {}
}

function mergedCollection(patch: Patch): Collection {
  const { collection } = patch.definition
  const own = collectionNames(patch.definition)
  const joined = (name: keyof MoreCollection) =>
    patch.joined({
      part: `collection.${name}`,
      own: own[name],
      pick: ({ collection: more }) => namesIn(more?.[name] ?? ''),
      name: String,
    })
  const fields = joined('fields')
  const below = own.below.fields && [...own.below.fields, ...fields.slice(own.fields.length)]
  return {
    ...collection,
    fields: fields.join(' '),
    sortable: joined('sortable').join(' '),
    filterable: joined('filterable').join(' '),
    countable: joined('countable').join(' '),
    ...(below ? { below: { ...collection.below, fields: below.join(' ') } } : {}),
  }
}

function addImportColumns(patch: Patch): void {
  const isAll = patch.definition.import === 'all'
  const own = importOf(patch.merged())
  const named = new Set(patch.additions.flatMap(({ extension }) => namedColumns(extension).map(({ field }) => field)))
  const columns = patch.joined({
    part: 'import.columns',
    called: 'importColumns',
    own: isAll ? own?.columns.filter(({ field }) => !named.has(field)) : own?.columns,
    pick: (extension) => {
      const { fields, importColumns, links } = extension
      return importColumns === 'all' && !isAll ? allColumns(fields, links) : namedColumns(extension)
    },
    name: ({ header }) => header,
    ignoreCase: true,
  })
  if (own) patch.set({ import: { ...own, columns } })
  else {
    for (const { extension, label } of patch.additions) {
      if (extension.importColumns?.length) patch.report(label, 'importColumns: the type has no import')
    }
  }
}

/** The columns that an extension names itself. */
function namedColumns({ importColumns = [] }: Extension): readonly ImportColumn[] {
  return importColumns === 'all' ? [] : importColumns.map(importColumn)
}

/** Makes required fields optional, also those that other extensions add. */
function relax(patch: Patch): void {
  const fields = new Map(Object.entries(patch.merged().fields))
  for (const { extension, label } of patch.additions) {
    for (const name of extension.relax ?? []) {
      const field = fieldOf(patch.merged(), name)
      if (field?.required) fields.set(name, withoutRequired(field))
      else patch.report(label, `relax: '${name}' is not a required field`)
    }
  }
  patch.set({ fields: Object.fromEntries(fields) })
}

function withoutRequired({ required: _, ...optional }: Field): Field {
  return Object.freeze(optional)
}
