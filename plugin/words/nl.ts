import { consoleTexts } from './console/nl.js'
import type { Words } from './en.js'
import { fields } from './fields/nl.js'
import { mails } from './mails/nl.js'
import { recordLabels } from './record-labels/nl.js'
import { sentences } from './sentences/nl.js'
import { serviceFields } from './service-fields/nl.js'
import { values } from './values/nl.js'

/** All words in Dutch. */
export const nl: Words = {
  sentences,
  fields: { ...fields, ...serviceFields, ...recordLabels },
  values,
  mails,
  console: consoleTexts,
}
