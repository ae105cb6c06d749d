/** Files that a record type can be imported from, as the author of its definition writes them. */
import type { Role } from '../../core/call.js'

/** A column of an import file (behaviour: Import columns). */
export interface ImportColumn {
  /** The text in the first line of the file: `Job Title`. */
  readonly header: string
  /**
   * The field it fills, or the name of a link for columns such as Members. `recurrence.frequency` is a field of the only
   * sub-record. A path of sub-records is for those that have names, or that order the records of a link (`orderedBy`).
   */
  readonly field: string
  /** For a field that responses do not have: the value of exported files, in a record that this one refers to: `version.html`. */
  readonly shows?: string
  /** Another spelling of the header, which imports accept. */
  readonly also?: string
  /** For a reference to a sub-record: the field with the record that has it. The name is unique within that one alone. */
  readonly within?: string
  /** For a link: words that may follow a name after a slash, as in `Email / down`. They have no effect. */
  readonly mayEndWith?: readonly string[]
}

/** A column as an author may write it: its header alone if that is the name of the field, `Job Title` for `job_title`. */
export type GivenColumn = string | ImportColumn

/** The column with its field. */
export function importColumn(given: GivenColumn): ImportColumn {
  return typeof given === 'string' ? { header: given, field: given.toLowerCase().replaceAll(' ', '_') } : given
}

/** The file that records of a type are imported from, and exported to. */
export interface Import {
  /** Value of `type` in POST /import. */
  readonly type: string
  /**
   * In the order of exported files, where ID, Source and Source ID come first unless they are listed. Columns of read-only fields
   * are accepted and ignored.
   */
  readonly columns: readonly GivenColumn[]
  /**
   * For records that take several rows, which are adjacent: the `field` with their sub-records, and the `columns` of these.
   * Each row has one; together they replace the stored ones.
   */
  readonly rows?: { readonly field: string; readonly columns: readonly ImportColumn[] }
  /** Headers of exported files for which there is no field. They are accepted and ignored. */
  readonly ignored?: readonly string[]
  /** The field whose column identifies a record, in addition to ID and Source + Source ID; it must be unique. */
  readonly key?: string
  /**
   * The field by which cells of other files name these records, if neither the key nor a unique field does. Several records may
   * have the same text: it then names none. Texts that are no record's name may be ids.
   */
  readonly namedBy?: string
  /** The field by which cells name a record that the key or unique field does not name. A text that several have names none. */
  readonly alsoNamedBy?: string
  /** Position in the order in which dependent files have to be imported (behaviour: Import types). */
  readonly order: number
}

/**
 * Files whose rows are sub-records of records of this type: contact details of people (behaviour: Import types, Import files,
 * Import rows, Import columns). If they replace stored sub-records, all rows of one record are adjacent in the file, and are
 * stored together.
 */
export interface PartImport {
  /** Value of `type` in POST /import. */
  readonly type: string
  /** Position in the order in which dependent files have to be imported (behaviour: Import types). */
  readonly order: number
  /**
   * The column that identifies the record, in addition to ID and Source + Source ID, and the field that it is compared with.
   */
  readonly owner: NamedRecord
  /**
   * The sub-records of one row, by the field that shows them or by their path. A row without values in these columns has none.
   */
  readonly parts: { readonly [field: string]: PartColumns }
  /** For files whose rows link the record with another one, and have no sub-records: the column of the other one, and the link. */
  readonly link?: ImportColumn
  /**
   * For files whose sub-records each refer to another record of this type: the columns that identify that one (`to`), and the
   * `field` with the reference.
   */
  readonly relates?: { readonly field: string; readonly to: NamedRecord }
  /** For files whose rows are the roles of a person in an account: the column of the account, and one for each role. */
  readonly roles?: RoleColumns
  /**
   * The column with a boolean field of all these sub-records. If a record has rows with true, they replace all of its
   * sub-records with true. Rows with false only add and update sub-records.
   */
  readonly replaces?: ImportColumn
  /**
   * A column with the same text (`value`) under this `header` in each row, such as the name of the type. Rows with another text
   * fail.
   */
  readonly constant?: { readonly header: string; readonly value: string }
  /** The headers in the order of exported files, if it is not that of record, sub-records, link and flag. */
  readonly headerOrder?: readonly string[]
  /** True if exported files have the ID of the record as well. */
  readonly showsId?: true
  /** Headers of exported files that are accepted and ignored. */
  readonly ignored?: readonly string[]
}

/** How a row names a record. */
export interface NamedRecord extends ImportColumn {
  /**
   * The headers for source and sourceID, if they are not Source and Source ID. Such files have no ID. `sourceID` is the second
   * one.
   */
  readonly source?: string
  /** The header for sourceID. */
  readonly sourceID?: string
}

/** Columns of files whose rows are roles. */
export interface RoleColumns {
  /** The header of the column with the id of the account. Rows without it are about the account of the import. */
  readonly account: string
  /** A column with this `header` gives its `role` by a cell that is true, and takes it by one that is false or empty. */
  readonly columns: readonly { readonly header: string; readonly role: Role }[]
}

/** Columns of one sub-record in a row. */
export interface PartColumns {
  /** In the order of exported files. */
  readonly columns: readonly ImportColumn[]
  /** The fields by which a row finds the sub-record to change; one that is equal in all columns takes precedence. */
  readonly key: readonly string[]
}

/** Columns that every file may have. */
export const IMPLIED_COLUMNS: readonly ImportColumn[] = [
  { header: 'ID', field: 'id' },
  { header: 'Source', field: 'source' },
  { header: 'Source ID', field: 'sourceID' },
]
