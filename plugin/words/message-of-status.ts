import { STATUS_CODES } from 'node:http'

/** Messages of 400 name their parameter. */
const MESSAGES: { readonly [status: number]: string } = {
  401: 'access credentials required',
  403: 'Forbidden',
  404: 'Not Found',
  406: 'Not Acceptable',
  422: 'Validation Failed',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway timeout',
}

/** The `message` of an error response, in English for every language, because clients compare it (behaviour: Error responses). */
export function messageOfStatus(status: number): string {
  return (Object.hasOwn(MESSAGES, status) && MESSAGES[status]) || STATUS_CODES[status] || `Status ${status}`
}
