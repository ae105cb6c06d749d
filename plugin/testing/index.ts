/**
 * Runs specs from fixtures, for the plugin and for hosts: `import { caseRunner, loadWorld, runCases } from 'koa-itsm/testing'`.
 * Nothing here imports a test framework; callers pass its functions `describe` and `it`.
 */

export { type CaseExchange, type CaseRunner, type CaseRunnerDeps, caseRunner } from './case-runner.js'
export { CaseFailed, type RequestCase, type SetTime, type Step, type TimeStep, type Topic } from './cases.js'
export type { DeskClock } from './desk-clock.js'
export type { DeskReceiver, ReceivedDelivery } from './desk-receiver.js'
export { type Body, type Fixtures, type RecordFixture, readFixtures, shippedFixtures } from './read-fixtures.js'
export { type DeliveryRecorder, type Nock, type RecordedDelivery, recordDeliveries } from './record-deliveries.js'
export { type CasePlace, type RunCasesDeps, runCases } from './run-cases.js'
export { type Snapshot, type SnapshotOptions, takeSnapshot } from './snapshot.js'
export { type DeskAnswer, type TestDesk, type TestDeskOptions, testDesk } from './test-desk.js'
export { loadWorld, type World, type WorldFile, type WorldRecord } from './world.js'
