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
export type { StoredAccount } from './access/people/account-rows.js'
export type { NewAccount } from './access/people/new-account.js'
export type { PersonKey } from './access/people/people.js'
export type { ScopeHook } from './access/sight/ask-scope.js'
export type { Action, Authorize, Question } from './access/sight/decide.js'
export type { FindById } from './access/sign-in/host-people.js'
export type { HostPerson, NewcomerSeen, NewPerson, Provision } from './access/sign-in/recognize-person.js'
export type { FindByCredentials, HostCredentials } from './access/sign-in/sign-in-sources.js'
export type {
  ConsoleApi,
  ConsoleComponent,
  ConsoleComponents,
  ConsoleKit,
  ConsoleLoaded,
  ConsoleModule,
  ConsoleNode,
  ConsoleRecord,
} from './console/console-kit.js'
export type { ConsolePage } from './console/console-page.js'
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
  TransactionLost,
  Unauthenticated,
  Unavailable,
  type Violation,
} from './core/errors.js'
export type { Log } from './core/log.js'
export type {
  DeliveryFacts,
  JobFacts,
  Observe,
  RequestFacts,
  SaveFacts,
  StatementFacts,
} from './core/observe.js'
export { AROUND_THE_CLOCK, type Calendar, type WorkingTime } from './core/time/working-time.js'
export { createPlugin } from './create-plugin.js'
export {
  type Addressed,
  type ChannelMessage,
  type ChannelOf,
  type ChannelTools,
  defineChannel,
  type HostChannel,
} from './deliveries/define-channel.js'
export type { HostEvent } from './deliveries/host-event.js'
export { type Listener, listener } from './events/name-listeners.js'
export type { FileFacts, FileStore } from './files/store.js'
export type { HealthReport } from './health/health.js'
export {
  type CallerToken,
  defineEndpoint,
  type EndpointContext,
  type EndpointOf,
  type HostEndpoint,
} from './http/endpoints/define-endpoint.js'
export type { SignedIn } from './http/signed-in.js'
export type { LentDb } from './jobs/agenda-store.js'
export type { Output, Owner, Page } from './operations/contract.js'
export type { ActingOptions, PersonOptions } from './operations/host/acting-options.js'
export type { HostOAuthClient, HostOAuthClients } from './operations/host/host-oauth-clients.js'
export type { HostToken, HostTokens } from './operations/host/host-tokens.js'
export type { CreateResult, LocalEventOutcome, LocalFile, LocalSpan } from './operations/host/local-values.js'
export type { LocalApi, RecordApi } from './operations/host/record-api.js'
export type { BeforeHook, InTransactionContext, InTransactionHook } from './operations/save/save-deps.js'
export type { ByType } from './options/by-type.js'
export type {
  AccountAddress,
  AuthorizeHooks,
  BeforeHooks,
  FindBySession,
  InTransactionHooks,
  Listeners,
  PeopleHooks,
  ScopeHooks,
} from './options/hook-tables.js'
export type { PluginOptions } from './options/options.js'
export type { Plugin } from './plugin.js'
export type { Catalog, RecordType } from './schema/catalog.js'
export type {
  FieldPermissions,
  Permission,
  RecordPermissions,
  SeenRecords,
} from './schema/derive/permission-table.js'
export { ADMINISTRATORS, common, identity, provenance, times } from './schema/kinds/common-fields.js'
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
} from './schema/kinds/fields.js'
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
} from './schema/language/conditions.js'
export { type Definition, defineRecord, type RowOf } from './schema/language/define-record.js'
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
} from './schema/language/define-rule.js'
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
} from './schema/language/define-settling.js'
export { due, type Renewal, renewal, type Timer } from './schema/language/define-timer.js'
export type { EventData } from './schema/language/event-data.js'
export { type Extension, extendRecord } from './schema/language/extend-record.js'
export type { PartImport } from './schema/language/import-files.js'
export type { Who } from './schema/language/who.js'
export type { Within } from './schema/types/typed-queries.js'
export type { AnyRecords, ListQuery, RecordsTyped } from './schema/types/typed-records.js'
export type { LentKnex } from './storage/database/connections.js'
export type { HostTransaction } from './storage/database/host-transaction.js'
export type { SetupCheck } from './storage/tables/tables.js'
export type { DeliveryFetch } from './webhooks/safe-request.js'
export type { Mail, SendMail } from './words/mails/mail.js'
export type { ExtraWords } from './words/words.js'
