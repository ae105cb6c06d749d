/** Headers of answers that several operations share. */

/** Components of the document. */
export const SHARED_HEADERS = {
  ignored_fields: {
    description:
      'Names in the body that were ignored, because they are unknown, read-only, or not for this caller to set. Separated by ' +
      'commas and percent-encoded. Absent when all was used; ends with `...` when there are more.',
    schema: { type: 'string' },
  },
  preference_applied: {
    description: 'Says that the preference for strict handling was honored.',
    schema: { type: 'string', const: 'handling=strict' },
  },
} as const

/** The header of a request that asks for strictness. */
export const PREFER = {
  name: 'Prefer',
  in: 'header',
  description:
    'With `handling=strict` (RFC 7240) what would be ignored is refused with 422: fields in the body that are unknown, read-only or ' +
    'not for this caller to set, parameters without effect, unknown names in `fields`.',
  schema: { type: 'string' },
} as const

/** The responses of an operation with the header that each may have. */
export function withPreference(responses: Responses): Responses {
  const headers = { 'Preference-Applied': { $ref: '#/components/headers/preference_applied' } }
  return Object.fromEntries(
    Object.entries(responses).map(([status, response]) => [
      status,
      '$ref' in response ? response : { ...response, headers: { ...(response['headers'] as object), ...headers } },
    ]),
  )
}

type Responses = { readonly [status: string]: { readonly [part: string]: unknown } }

/** Headers of every answer to a save. */
export const HEADERS_OF_SAVES = { 'X-Ignored-Fields': { $ref: '#/components/headers/ignored_fields' } } as const
