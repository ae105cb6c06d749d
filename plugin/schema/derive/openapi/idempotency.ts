/** Header of requests: the key of a POST (behaviour: Repeated requests). */
export const KEY_PARAMETER = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'Visible ASCII characters. Makes the POST safe to repeat for 24 hours: a repeat with the same key does nothing, gets the ' +
    'same answer, and has the header `Idempotent-Replayed: true`. 422 if the key was used for something else.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]*$' },
} as const
