/** What a rule looks up of the records that its own one refers to. Plain data. ADR 0081. */
export interface LookUp {
  /** A reference of the record, and a reference or a link of the one that it leads to: `requester.organization`, `team.members`. */
  readonly path: string
  /** For a link: the reference whose record may be linked. */
  readonly to?: string
}
