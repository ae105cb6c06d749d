/** English mails. */

/** Figures of an import, in both of its mails. */
const FIGURES = [
  'File: {file_name}',
  'Type: {type}',
  'Account: {account}',
  'Start: {started_at}',
  'End: {finished_at}',
  '',
  'Created: {created}',
  'Updated: {updated}',
  'Deleted: {deleted}',
  'Unchanged: {unchanged}',
  'Failures: {failures}',
  'Errors: {errors}',
  '',
  'Log: {log}',
] as const

/** Facts of a webhook, in two of its mails. */
const SUBSCRIPTION = [
  'Address: {uri}',
  'Event: {event}',
  'Last error: {error}',
  'Account: {account}',
  'Webhook ID: {id}',
] as const

/** Mails: one subject and the lines of the text. Names in braces are the values that the sender supplies. */
export const mails = {
  /** Mail at the end of an import (behaviour: Import rows). */
  import_completed: {
    subject: 'Import of {type} completed',
    lines: ['The import of {file_name} is complete.', '', ...FIGURES],
  },
  import_failed: {
    subject: 'Import of {type} failed',
    lines: ['The import of {file_name} stopped early: {message}', 'Rows up to that point have been saved.', '', ...FIGURES],
  },
  /** The address comes without credentials (behaviour: Delivery). */
  webhook_exception: {
    subject: 'Webhook {webhook} could not be delivered',
    lines: [
      'A call to the webhook {webhook} failed.',
      '',
      'Address: {uri}',
      'Event: {event}',
      'Record: {object_id}',
      'Attempt: {attempt}',
      'Last error: {error}',
      'Account: {account}',
      'Webhook ID: {id}',
      '',
      'The call will be retried at increasing intervals and dropped after several failed attempts.',
    ],
  },
  webhook_warning: {
    subject: 'Webhook {webhook} keeps failing',
    lines: [
      'The last 10 calls to the webhook {webhook} have failed. After 20 failures in a row over more than a week it will be disabled.',
      '',
      ...SUBSCRIPTION,
      '',
      'Fix the receiver: the first call that succeeds resets the count.',
    ],
  },
  webhook_disabled: {
    subject: 'Webhook {webhook} has been disabled',
    lines: [
      'The webhook {webhook} has been disabled, because all of its calls have been failing for more than a week.',
      '',
      ...SUBSCRIPTION,
      '',
      'Fix the receiver and enable the webhook again. Events that occurred in the meantime will not be sent.',
    ],
  },
  /** Mails to the requester (spec, Request). */
  desired_completion_set: {
    subject: 'Desired completion of request {id}: {subject}',
    lines: [
      'A desired completion has been set for your request.',
      '',
      'Request: {id}',
      'Subject: {subject}',
      'Desired completion: {desired}',
      'Account: {account}',
    ],
  },
  desired_completion_changed: {
    subject: 'Desired completion of request {id}: {subject}',
    lines: [
      'The desired completion of your request has been changed.',
      '',
      'Request: {id}',
      'Subject: {subject}',
      'Desired completion: {desired}',
      'Previously: {previous}',
      'Account: {account}',
    ],
  },
  desired_completion_removed: {
    subject: 'Desired completion of request {id}: {subject}',
    lines: [
      'The desired completion of your request has been removed.',
      '',
      'Request: {id}',
      'Subject: {subject}',
      'Previously: {previous}',
      'Account: {account}',
    ],
  },
} as const

/** The name of a mail. */
export type MailName = keyof typeof mails
/** The values of a mail, by the names in braces. */
export type MailParams<N extends MailName> = {
  readonly [P in NamesIn<(typeof mails)[N]['subject'] | (typeof mails)[N]['lines'][number]>]: string | number
}
/** A mail with names in braces, `{link}`, for its values: the `subject`, and the text as `lines`. */
export interface MailWords {
  readonly subject: string
  readonly lines: readonly string[]
}
/** Mails of one language: the same names as in English. */
export type MailTexts = { readonly [N in MailName]: MailWords }

type NamesIn<T> = T extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never
