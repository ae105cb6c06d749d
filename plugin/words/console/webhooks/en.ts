/** English texts about deliveries of webhooks that are sent again, or were not sent. */
export const webhookTexts = {
  replay_all: 'All, also those that arrived or were never queued',
  replay_any_event: 'Any event',
  replay_cannot: 'This cannot be sent again now. It is on its way already, it is a test, or the webhook is disabled.',
  replay_done: 'Deliveries that are sent again: {count}',
  replay_failed: 'Those that were given up or dropped',
  replay_from: 'From',
  replay_help: 'Sends what was queued in this time again, in its order. Receivers know what they had by the header webhook-id.',
  replay_none: 'There was nothing to send again in this time.',
  replay_title: 'Send a period again',
  replay_to: 'To (empty: until now)',
  replay_which: 'Which deliveries',
  retry_failed: 'It could not be delivered: {reason}',
  retry_sent: 'It was delivered.',
  why_account: 'The record belongs to an account that is not visible here.',
  why_ask: 'Look',
  why_delivery: 'What became of it:',
  why_disabled: 'The webhook is disabled.',
  why_event: 'The webhook does not ask for this event.',
  why_filter: 'The filter of the webhook keeps it away.',
  why_help: 'Looks at the newest event of a record, with the webhook as it is now.',
  why_internal: 'It is an internal note of another account.',
  why_matched: 'The webhook asks for this event.',
  why_object: 'Number of the record',
  why_occurred: 'The event occurred at {time}.',
  why_own_change: 'The person whose changes are left out has caused it.',
  why_term: '{term} (found: {met})',
  why_title: 'Why was an event not sent?',
  why_unknown: 'No such event is kept: it did not occur, or it is too old.',
} as const

/** Texts about such deliveries in one language. */
export type WebhookTexts = { readonly [Key in keyof typeof webhookTexts]: string }
