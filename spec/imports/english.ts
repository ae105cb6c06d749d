import { expect } from 'chai'
import { createWords } from '../../plugin/core/words/index.js'
import { ImportStopped, messageOf } from '../../plugin/imports/stopped.js'

/** What the progress object says of an import that this error stopped. */
export function englishOf(error: unknown): string {
  expect(error).to.be.instanceOf(ImportStopped)
  return messageOf({ words: createWords() }, error as ImportStopped)
}

/** The same for what the work throws. */
export function refusalOf(work: () => unknown): string {
  try {
    work()
  } catch (error) {
    return englishOf(error)
  }
  throw new Error('Nothing was refused')
}
