/** Header of requests: the key of a POST (behaviour: Repeated requests). */
export const KEY_PARAMETER = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'Makes the POST safe to repeat for 24 hours: a repeat with the same key does nothing and gets the same answer. Visible ' +
    'ASCII characters. 422 if the key was used for something else.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]*$' },
} as const

/** Header of responses to repeats. */
export const REPLAYED_HEADER = {
  description: 'Says that the POST is a repeat: this is the answer of the first one, and nothing was done.',
  schema: { type: 'string', const: 'true' },
} as const
