import { consoleTexts } from './console/fr.js'
import type { Words } from './en.js'
import { fields } from './fields/fr.js'
import { mails } from './mails/fr.js'
import { recordLabels } from './record-labels/fr.js'
import { sentences } from './sentences/fr.js'
import { serviceFields } from './service-fields/fr.js'
import { values } from './values/fr.js'

/** All words in French. */
export const fr: Words = {
  sentences,
  fields: { ...fields, ...serviceFields, ...recordLabels },
  values,
  mails,
  console: consoleTexts,
}
