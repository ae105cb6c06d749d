/** Everything that a host may import. Nothing else is public. */
export {
  addColumns,
  dropColumns,
  dropTables,
  linkTable,
  type Migration,
  type MigrationTools,
  partTable,
  recordTable,
} from '../migrations/tools.js'
export type { StoredAccount } from './access/accounts.js'
export type { ScopeHook } from './access/ask-scope.js'
export type { Action, Authorize, Question } from './access/decide.js'
export type { NewAccount } from './access/new-account.js'
export type { PersonKey } from './access/people.js'
export type { HostPerson, NewcomerSeen, NewPerson, Provision } from './access/recognize.js'
export type { HostCredentials } from './access/sign-in-sources.js'
export { type Account, type Actor, type Call, type CallToken, ROLES, type Role } from './core/call.js'
export type { Clock, Instant } from './core/clock.js'
export {
  BadRequest,
  Forbidden,
  HookFailed,
  Invalid,
  InvalidDefinition,
  InvalidOptions,
  InvalidSetup,
  ItsmError,
  NotAcceptable,
  NotFound,
  PreconditionFailed,
  TimedOut,
  TooManyRequests,
  Unauthenticated,
  Unavailable,
  type Violation,
} from './core/errors.js'
export type { Log } from './core/log.js'
export type { Mail } from './core/mail.js'
export type { ExtraWords } from './core/words/index.js'
export { AROUND_THE_CLOCK, type Calendar, type WorkingTime } from './core/working-time/working-time.js'
export { createPlugin } from './create-plugin.js'
export type { HostEvent, Listener } from './events/listeners.js'
export type { FileFacts, FileStore } from './files/store.js'
export type { LentDb } from './jobs/store.js'
export type { BeforeHook } from './operations/deps.js'
export type { HostOAuthClient, HostOAuthClients } from './operations/host-oauth-clients.js'
export type { HostToken, HostTokens } from './operations/host-tokens.js'
export type { LocalApi, LocalEventOutcome, LocalFile, LocalSpan, RecordApi } from './operations/local-api.js'
export type { ListQuery } from './operations/local-arguments.js'
export type { Output, Owner, Page } from './operations/operations.js'
export type { PluginOptions } from './options.js'
export type { Plugin } from './plugin.js'
export { ADMINISTRATORS, common, identity, provenance, times } from './schema/common-fields.js'
export type { Catalog, RecordType } from './schema/compile/compile.js'
export {
  accountsCoveringMe,
  accountsWithMyRole,
  agreementsCoveringMe,
  allOf,
  anyOf,
  type Condition,
  type Criterion,
  compared,
  directoryAccount,
  internalOrganizations,
  me,
  myCoveredServiceInstances,
  myCoveredServices,
  myOrganization,
  myServicesWithKnowledge,
  myTeams,
  not,
  now,
  type Restriction,
  sixMonthsAgo,
  thisAccount,
  threeMonthsAgo,
  trustedAccounts,
} from './schema/conditions.js'
export {
  type Definition,
  defineRecord,
  type PartImport,
  type RowOf,
} from './schema/define-record.js'
export {
  type Behavior,
  type FillContext,
  type OtherRecords,
  type Place,
  placed,
  type Rule,
  type RuleContext,
  rule,
  type WrittenContext,
} from './schema/define-rule.js'
export {
  type FollowSettings,
  follow,
  type LinkPair,
  type SettledValues,
  type Settling,
  type SettlingDecision,
  type SettlingFacts,
  type SettlingSource,
  type SettlingSources,
} from './schema/define-settling.js'
export type {
  FieldPermissions,
  Permission,
  RecordPermissions,
  SeenRecords,
} from './schema/derive/permissions.js'
export { type Extension, extendRecord } from './schema/extend-record.js'
export {
  boolean,
  date,
  datetime,
  decimal,
  eventName,
  float,
  integer,
  json,
  localDatetime,
  oneOf,
  oneOfList,
  owner,
  part,
  parts,
  picture,
  ref,
  refs,
  string,
  strings,
  text,
  timeOfDay,
} from './schema/fields.js'
export { due, type Renewal, renewal, type Timer } from './schema/timers.js'
export type { Who } from './schema/who.js'
export type { LentKnex } from './storage/lent-knex.js'
