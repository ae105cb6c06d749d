/** Headers of answers that several operations share. */

/** Components of the document. */
export const SHARED_HEADERS = {
  ignored_fields: {
    description:
      'Names in the body that were ignored, because they are unknown, read-only, or not for this caller to set. Separated by ' +
      'commas and percent-encoded. Absent when all was used; ends with `...` when there are more.',
    schema: { type: 'string' },
  },
} as const

/** Headers of every answer to a save. */
export const HEADERS_OF_SAVES = { 'X-Ignored-Fields': { $ref: '#/components/headers/ignored_fields' } } as const
