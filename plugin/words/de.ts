import { consoleTexts } from './console/de.js'
import type { Words } from './en.js'
import { fields } from './fields/de.js'
import { mails } from './mails/de.js'
import { recordLabels } from './record-labels/de.js'
import { sentences } from './sentences/de.js'
import { serviceFields } from './service-fields/de.js'
import { values } from './values/de.js'

/** All words in German. */
export const de: Words = {
  sentences,
  fields: { ...fields, ...serviceFields, ...recordLabels },
  values,
  mails,
  console: consoleTexts,
}
