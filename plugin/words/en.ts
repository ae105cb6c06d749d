/** English texts: those that every language has (`Words`), and those that exist in English only. */
import { type ConsoleTexts, consoleTexts } from './console/en.js'
import { type FieldWords, fields } from './fields/en.js'
import { type MailTexts, mails } from './mails/en.js'
import { type RecordLabels, recordLabels } from './record-labels/en.js'
import { type SentenceWords, sentences } from './sentences/en.js'
import { type ServiceFieldWords, serviceFields } from './service-fields/en.js'
import { values } from './values/en.js'

/** All words in English. */
export const en = { sentences, fields: { ...fields, ...serviceFields, ...recordLabels }, values, mails, console: consoleTexts }

/** Texts of one language: exactly the keys of English. */
export interface Words {
  readonly sentences: SentenceWords
  readonly fields: FieldWords & ServiceFieldWords & RecordLabels
  readonly values: { readonly [E in keyof typeof values]: { readonly [V in keyof (typeof values)[E]]: string } }
  readonly mails: MailTexts
  readonly console: ConsoleTexts
}
