/** The part `collection` of definitions. */

/** Names of fields in one string, separated by spaces: `'id name status'`. */
export type Names = string

/**
 * Fields as names, or as differences to the fields of the list, which `also` adds and `except` omits: `{ also: 'source',
 * except: 'status' }`.
 */
export type FieldChoice = Names | { readonly also?: Names; readonly except?: Names }

/** Fields, sort order and filters of the lists of a type. Names are in one string, separated by spaces. */
export interface Collection {
  /** Fields of a list if the caller does not select any: `'id name status'`. Default: all fields that are shown. */
  readonly fields?: Names
  /** Default order: `'name'`, `'-id'`, `'protocol label'`. */
  readonly sort: Names
  /**
   * Fields that callers may sort by: `'id name'`, or `{ also: 'size', except: 'status' }` for differences to `fields`. Default:
   * the same as `fields`. updated_at is always accepted (behaviour: Sorting).
   */
  readonly sortable?: FieldChoice
  /** Fields that callers may filter by, like `sortable`. Default: the same as `fields`. */
  readonly filterable?: FieldChoice
  /**
   * Filters by whose values callers may count the records (`GET /requests/counts`): enumerations, references, booleans, and days of
   * timestamps: `'status team created_at'`. Each needs an index on `account_id` and its column. Default: none.
   */
  readonly countable?: Names
  /**
   * For sub-records: differences of lists below their owner, such as the changes of an audit line: other `fields`, and another
   * order (`sort`) (behaviour: Notes, Audit).
   */
  readonly below?: { readonly fields?: Names; readonly sort?: Names }
}
