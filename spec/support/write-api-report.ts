/** The command of `npm run api`: writes the report of the API, and its digest into the changelog. */
import { readFileSync, writeFileSync } from 'node:fs'
import { apiReport, DIGEST, digestOf, REPORT } from './api-report.js'

const CHANGELOG = 'CHANGELOG.md'
const report = await apiReport()
const changelog = readFileSync(CHANGELOG, 'utf8')
const updated = changelog.replace(DIGEST, digestOf(report))
writeFileSync(REPORT, report)
writeFileSync(CHANGELOG, updated)
console.log(
  updated === changelog
    ? 'The API is the one that the changelog knows.'
    : `The API has changed. Say in ${CHANGELOG} what changes for hosts; git diff ${REPORT} shows it.`,
)
