/** English texts: those that every language has (`Words`), and those that exist in English only. */
import { type FieldWords, fields } from './fields/en.js'
import { type MailTexts, mails } from './mails/en.js'
import { type SentenceWords, sentences } from './sentences/en.js'
import { type ServiceFieldWords, serviceFields } from './service-fields/en.js'
import { values } from './values/en.js'

/**
 * Messages of errors by status, in English for every language. Messages of 400 name their parameter
 * (behaviour: Error responses).
 */
export const MESSAGES: { readonly [status: number]: string } = {
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

/** All words in English. */
export const en = { sentences, fields: { ...fields, ...serviceFields }, values, mails }

/** Texts of one language: exactly the keys of English. */
export interface Words {
  readonly sentences: SentenceWords
  readonly fields: FieldWords & ServiceFieldWords
  readonly values: { readonly [E in keyof typeof values]: { readonly [V in keyof (typeof values)[E]]: string } }
  readonly mails: MailTexts
}
