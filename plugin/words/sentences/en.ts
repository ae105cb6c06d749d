/**
 * English messages. Those that the specification quotes are exact, because clients compare them (behaviour: Writing,
 * Error responses).
 */

/** Sentences for violations, by code. `{label}` is the label of the field, the other names are the violation's values. */
const violations = {
  blank: "{label} can't be blank",
  too_long: '{label} is too long (maximum is {max} characters)',
  too_big_text: '{label} is too long (maximum is 64 KB)',
  inclusion: '{label} is not included in the list',
  taken: '{label} has already been taken',
  invalid: '{label} is invalid',
  cannot_be_found: '{label} cannot be found',
  not_a_number: '{label} is not a number',
  not_an_integer: '{label} is not an integer',
  less_than: '{label} cannot be less than {min}',
  greater_than: '{label} cannot be greater than {max}',
  invalid_date: '{label} is not a valid date',
  invalid_datetime: '{label} is not a valid date and time',
  invalid_time: '{label} is not a valid time of day',
  file_too_big: '{label} is too big (maximum is {max} MB)',
  file_taken: '{label} contains a file that is already in use',
  many_values: '{label} accepts only one value',
  too_many_files: 'Too many files in {label} (maximum is {max})',
  too_many: 'Too many entries in {label} (maximum is {max})',
  file_type: '{label} has a file type that is not allowed',
  no_picture: '{label} must be a PNG, JPEG, GIF or WebP image',
  disabled_reference: '{label} is disabled',
  not_a_member: '{label} is not a member of the team',
  coordinator_not_member: '{label} must be a member of the team',
  role_missing: '{label} does not have the {role} role',
  descendant_parent: '{label} cannot be a descendant',
  too_deep: '{label} is too deep in the tree (maximum is {max} levels)',
  cycle: '{label} would create a circular dependency',
  other_change: '{label} must be linked to the same change',
  other_service: '{label} must be linked to the same service',
  overlaps: '{label} overlaps with other hours',
  end_before_start: 'End must be after start',
  expiry_before_notice: '{label} must be after the notice date',
  internal_only: '{label} can only be set for internal organizations',
  only_with_status: '{label} can only be set when the status is {values}',
  only_with_category: '{label} can only be set when the category is {values}',
  only_with_frequency: '{label} can only be set when the frequency is {values}',
  not_for_category: '{label} is not allowed for this category',
  not_the_approver: '{label} can only be set by the approver',
  decided_by_approvers: '{label} cannot be set: the approvals decide it',
  change_or_project: 'Give either a change or a project, not both',
  other_project: '{label} must be linked to the same project',
  task_without_team: 'No team can be found for the task template "{value}"',
  started: 'A phase that has started cannot be removed',
  has_tasks: 'At least one phase must remain while the project has tasks',
  not_of_organization: "{label} is not available to the person's organization",
  not_of_allocation: '{label} is not available for this time allocation',
  text_of_owner: "The translation in the account's language cannot be removed",
  not_a_group: '{label} must be a group of requests',
  group_in_group: '{label} is not allowed for a group of requests',
  completed_group: '{label} must not be completed while the request is open',
  archived_reference: '{label} is archived',
  cannot_be_changed: '{label} cannot be changed',
  cannot_be_set: '{label} cannot be set',
  unknown_field: '{label} is not a known field',
  other_not_saved: '{record} could not be saved: {reasons}',
  other_not_removed: '{record} could not be removed: {reasons}',
  other_gone: 'It does not exist any more',
  unknown_parameter: '{label} is not a known parameter',
  guarded: '{label} can only be changed by someone with the {role} role, because this person has it',
  locked: '{label} lies in a period that is locked',
  not_allowed: '{label} is not allowed here',
  second_value: '{label} contains more than one value for "{value}"',
  integration_locked: 'Addresses and contacts that come from an import cannot be changed here',
  unknown_part: '{label} is not a field of this form',
  no_mapping: '{label} must be a JSON object that names the header for each of your own ones',
  no_such_column: '{label} names {value}, which is no column of this type',
  expiry_twice: '{label} cannot be combined with an expiry time',
  not_in_future: '{label} must be in the future',
  invalid_key: 'The Idempotency-Key must consist of 1 to 255 visible ASCII characters',
  key_of_other: 'The Idempotency-Key has already been used for another HTTP request',
  shown_once: 'The HTTP request with this Idempotency-Key has been completed; its response is shown only once',
}

/** Codes of violations, which clients see in problem details (behaviour: Problem details). */
export const VIOLATION_CODES = Object.keys(violations)

/** Sentences of import logs and mails, by code. */
const imports = {
  ambiguous_name: '{label} "{value}" is ambiguous: several records have it',
  could_not_be_found: '{label} "{value}" could not be found',
  unknown_column: 'Unknown column header: {column}',
  duplicate_column: 'Duplicate column header: {column}',
  surplus_cells: 'Row has more cells than column headers',
  other_record: '{label} "{value}" is not the record with this ID',
  not_consecutive: 'All rows of one record must follow each other; earlier rows of this record have already been processed',
  no_values: 'The row has no values except {label}',
  malformed_row: 'Text before or after quotation marks',
  unknown_id: 'ID {id} was not found; a new record is created',
  unexpected_error: 'An unexpected error occurred',
  forbidden: 'Forbidden',
  not_found: 'Not Found',
  import_started: 'Import of {type} started',
  import_results:
    'created {created}, updated {updated}, deleted {deleted}, unchanged {unchanged}, failures {failures}, errors {errors}',
  no_such_import: 'There is no import of {type}',
  empty_file: 'The file is empty',
  unreadable_headers: 'The column headers on line {line} cannot be read',
  no_known_column: 'None of the column headers is known',
  semicolons: 'None of the column headers is known: separate the values with commas or tabs, not with semicolons',
  too_many_columns: 'The file has {count} columns (maximum is {max})',
  long_header: 'The header of column {column} is too long (maximum is {max} characters)',
  no_owner_column: 'The file must have a column {column} or ID',
  no_value_column: 'There is no column with values, such as {columns}',
  too_many_rows: 'More than {max} rows of one record from line {line} on',
  long_row: 'The row on line {line} is too long (maximum is 2 MB)',
  unclosed_quote: 'Unclosed quotation mark on line {line}',
  invalid_bytes: 'Invalid byte sequence in {encoding} on line {line}',
  too_many_failures: 'Too many import failures',
  stopped_by: 'Stopped by {name}',
  stalled: 'Processing stopped {times} times after line {line} without progress',
  stalled_at_headers: 'Processing stopped {times} times at the column headers without progress',
  xlsx_file: 'The file is a ZIP archive or an Excel workbook (.xlsx): export the table as a CSV file in UTF-8 and upload that',
  xls_file: 'The file is an Excel workbook (.xls): export the table as a CSV file in UTF-8 and upload that',
  pdf_file: 'The file is a PDF document: export the table as a CSV file in UTF-8 and upload that',
  gzip_file: 'The file is compressed with gzip: decompress it and upload the CSV file',
  utf16be_file: 'The file is in UTF-16BE: save it in UTF-8, or in UTF-16LE with a byte order mark',
  unmarked_utf16:
    'The file is in {encoding} without a byte order mark: save it in UTF-8, or in UTF-16LE with a byte order mark',
}

/** Notes of the system, by code. */
const notes = {
  declined_to_member: 'The request was declined. {person}, the coordinator of the team {team}, decides what happens with it.',
  declined_to_previous_team: 'The request was declined and goes back to the team {team}.',
  declined_to_team: 'The request was declined and goes to the team {team}.',
  declined_by_team: 'The request was declined by the team {team}.',
  change_not_started: 'No change could be started: {reasons}',
  note_of_request: 'From request {id}, {subject}:',
  event_unknown: '{label} cannot be found ({parameter}: {value})',
  event_ambiguous: '{label} is not unique ({parameter}: {value})',
  event_disabled: '{label} is disabled ({parameter}: {value})',
  event_not_member: '{label} is not a member of the team ({parameter}: {value})',
}

/** Failures of webhook receivers, in mails and `last_error`, by code. */
const faults = {
  address_not_public: 'Address is not public',
  address_invalid: 'Address is invalid',
  connection_refused: 'Connection refused',
  connection_closed: 'Connection closed by the receiver',
  host_not_found: 'Host name not found',
  host_unreachable: 'Host is unreachable',
  connection_timed_out: 'Connection timed out',
  timeout: 'Timeout after {seconds} seconds',
  not_http: 'The response is not HTTP',
  tls_problem: 'TLS problem: {kind}',
  request_failed: 'Request failed: {kind}',
}

/** All sentences, by code. */
export const sentences = { ...violations, ...imports, ...notes, ...faults }

/** The code of a sentence. */
export type Code = keyof typeof sentences
/** Messages of one language: exactly the codes of English. */
export type SentenceWords = { readonly [C in Code]: string }
