/** mocha's usual report, which also leaves its counts in the file that KOA_ITSM_TEST_COUNTS names, for `run.ts` to sum up. */
const { writeFileSync } = require('node:fs')
const { reporters } = require('mocha')

module.exports = class CountingReporter extends reporters.Spec {
  constructor(runner, options) {
    super(runner, options)
    const file = process.env.KOA_ITSM_TEST_COUNTS
    runner.once('end', () => {
      const { passes, failures, pending } = this.stats
      if (file) writeFileSync(file, JSON.stringify({ passed: passes, failed: failures, skipped: pending }))
    })
  }
}
