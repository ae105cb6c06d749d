import type { AnswerDeps } from '../read/read-deps.js'
import type { WriteDeps } from '../save/related/write-deps.js'

/** Changes what people own, with audit lines, and shows when. */
export interface PeopleDeps extends WriteDeps, Pick<AnswerDeps, 'formatInstant'> {}
