/** Status moves: rules, settlings and timers say as data how they change the status of records. ADR 0031. */

/**
 * A change of the field `status` that is made without a person choosing it. The state diagrams are drawn from these values, and
 * specs fail for a change that none of them names. Plain data.
 */
export interface Move {
  /** The type of the changed records; default: that of the rule, or of the source of the settling. */
  readonly record?: string
  /** Statuses before; null for a new record. Default: any other status. */
  readonly from?: readonly (string | null)[]
  /** With `from` left out: statuses that do not change. */
  readonly notFrom?: readonly string[]
  /** Default: any status, as when it is copied from another record. */
  readonly to?: string | readonly string[]
  /** The person who causes it, if it is always the same one: `the requester`. */
  readonly by?: string
  /** The rest of a sentence that begins with "when": `a change is linked`. */
  readonly when: string
}
