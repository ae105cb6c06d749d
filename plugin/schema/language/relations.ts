/** Lists below a record: of linked records, of those that refer to it, and of those that concern a person. */
import type { Condition, Scalar } from './conditions.js'

/**
 * Many-to-many relation: `GET /teams/:id/members`, `POST` and `DELETE /teams/:id/members/:person_id`
 * (behaviour: Linked records).
 */
export interface Link {
  /** The type of the linked records. */
  readonly record: string
  /** Table of pairs, without the prefix. */
  readonly table: string
  /** The column with the id of the record that has the link. */
  readonly from: string
  /** The column with the id of the linked record. */
  readonly to: string
  /** Callers who may link and unlink; default: those who may update the record. `none` makes the list read-only. */
  readonly write?: 'update' | 'none'
  /** The singular of the name in inputs, if it is not the name without its last letter: `person` for `person_ids`. */
  readonly singular?: string
  /** Only records that agree in this `field` may be linked (tasks of one change); `code` is the violation otherwise. */
  readonly within?: { readonly field: string; readonly code: string }
  /** Forbids cycles: a record must not be linked to itself, directly or over any number of others. */
  readonly acyclic?: true
  /**
   * Only records with these field values can have this link. For other records link input is ignored, and existing links are
   * removed.
   */
  readonly onlyWhile?: { readonly [field: string]: Scalar }
  /**
   * Type of the sub-records that put the linked records in an order, by two references to them: the one before, and the one
   * after it. With a link they are removed, too. Files have them in one cell, by the path of the sub-records.
   */
  readonly orderedBy?: string
}

/** Maximum number of sub-records of one record that order the records of a link. */
export const MAX_ORDERED = 1_000

/** A list of the records that refer to this one. */
export interface Child {
  /** The type of the records that refer to this one. */
  readonly record: string
  /**
   * The reference back to this record: a field, a path, or a list of them (one match is enough). If it is a single required
   * field and the child type has no `create`, children are created here: `POST /changes/:id/tasks`.
   */
  readonly by: string | readonly string[]
  /**
   * The reference is set and cleared here like a link: `POST /changes/:id/requests/:request_id` (behaviour: Linked records).
   */
  readonly link?: true
}

/**
 * A list of the records (`record`) that meet a condition (`where`) about a person: `me` and similar placeholders stand for that
 * person, not for the caller (behaviour: People).
 */
export interface CoverageList {
  readonly record: string
  readonly where: Condition
}
