/** Additions to a record type, as their author writes them. */

import type { Role } from '../core/call.js'
import { shown } from '../core/shown.js'
import { isObject } from './check/shapes.js'
import type { Condition } from './conditions.js'
import type { Child, CoverageList, Fields, ImportColumn, Link, PartImport, Verb } from './define-record.js'
import type { Rule } from './define-rule.js'
import type { Settling } from './define-settling.js'
import type { Timer } from './timers.js'
import type { Grant } from './who.js'

/**
 * Additions to an existing type, under the names that they have in a definition. Nothing is replaced or taken away; the same
 * name twice is a mistake that names both. Additions may rely on those of other extensions.
 */
export interface Extension {
  readonly extends: string
  readonly fields?: Fields
  /** Further values of enumerations, by field. They come after those that are there. */
  readonly values?: { readonly [field: string]: readonly string[] }
  readonly collection?: MoreCollection
  readonly lists?: { readonly [name: string]: Condition }
  readonly links?: { readonly [name: string]: Link }
  readonly children?: { readonly [name: string]: Child }
  readonly coverages?: { readonly [name: string]: CoverageList }
  readonly parts?: readonly string[]
  readonly access?: MoreAccess
  readonly rules?: readonly Rule[]
  readonly timers?: readonly Timer[]
  readonly settle?: readonly Settling[]
  readonly events?: readonly Verb[]
  readonly unique?: readonly (readonly string[])[]
  readonly importColumns?: readonly ImportColumn[]
  readonly partImports?: readonly PartImport[]
  /** Required fields that become optional. */
  readonly relax?: readonly string[]
}

/** What an extension adds to the lists of a type. */
export interface MoreCollection {
  /** Fields of a list when the caller does not choose. They are sortable only when they are among `sortable` as well. */
  readonly fields?: readonly string[]
  readonly sortable?: readonly string[]
  readonly filterable?: readonly string[]
}

/** What an extension allows in addition. */
export interface MoreAccess {
  /** Roles for types that only people with one of some roles get at. */
  readonly use?: readonly Role[]
  /** Roles that see all records, and records that everybody sees, for types that not everybody sees. */
  readonly see?: { readonly roles?: readonly Role[]; readonly otherwise?: Condition }
  readonly create?: readonly Grant[]
  readonly update?: readonly Grant[]
  readonly remove?: readonly Grant[]
}

/** Extends a record type, ours or the host's. @throws TypeError for additions that are no object, and would be lost */
export function extendRecord(name: string, additions: Omit<Extension, 'extends'>): Extension {
  if (!isObject(additions))
    throw new TypeError(`extendRecord('${String(name)}'): the additions must be an object, not ${shown(additions)}`)
  return Object.freeze({ ...additions, extends: name })
}
