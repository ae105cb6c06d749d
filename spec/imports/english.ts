import { expect } from 'chai'
import { ImportStopped, messageOf } from '../../plugin/imports/progress/stopped.js'
import { createWords } from '../../plugin/words/words.js'

/** What the progress object says of an import that this error stopped. */
export function englishOf(error: unknown): string {
  expect(error).to.be.instanceOf(ImportStopped)
  return messageOf(createWords(), error as ImportStopped)
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
