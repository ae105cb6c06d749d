import type { Access } from '../access/access.js'
import type { FindById } from '../access/sign-in/host-people.js'
import type { CreatePerson } from '../access/sign-in/recognize-person.js'
import type { Call } from '../core/call.js'
import type { Instant } from '../core/clock.js'
import type { Log } from '../core/log.js'
import { createCompileCalendar } from '../core/time/working-time.js'
import { createInstantFormatter } from '../core/time/zoned-time.js'
import type { AskHost } from '../core/waiting/ask-host.js'
import { emittedEvents } from '../events/emitted.js'
import type { Files } from '../files/files.js'
import { storedColumns } from '../schema/derive/stored-values.js'
import { compileValidators, fieldChecks } from '../schema/derive/validator.js'
import { PERSON } from '../schema/language/built-in-types.js'
import type { WordBook } from '../words/words.js'
import type { Operations } from './contract.js'
import { actingAlone } from './host/acting.js'
import { createPersonIn } from './host/create-person.js'
import { createHostApi, type HostApi } from './host/host-api.js'
import type { ExportRows, SubmitEvent } from './host/lent-functions.js'
import { createLocalApi, type LocalDeps } from './host/local-api.js'
import type { LocalApi } from './host/record-api.js'
import { createLinking } from './linking/link.js'
import { type Allowances, createAllowances } from './people/allowances.js'
import { type CredentialChanges, createCredentialChanges } from './people/credential-changes.js'
import { createOAuthClients, type OAuthClients } from './people/oauth-clients.js'
import type { PeopleDeps } from './people/people-deps.js'
import { createPermissions, type Permissions } from './people/permissions.js'
import { createPersonalTokens, type PersonalTokens } from './people/personal-tokens.js'
import { type Counting, createCounting } from './read/count-by.js'
import { createDuration } from './read/count-minutes.js'
import { createFinding } from './read/find.js'
import { alsoPassedOn, createPassedCalls } from './read/passed-on.js'
import { createReading } from './read/read.js'
import type { CalendarDeps, ListDeps } from './read/read-deps.js'
import { createFeedReading, type FeedReading } from './read/read-for-feed.js'
import { createFileReading, type FileReading } from './read/read-for-files.js'
import { createEmit } from './save/emit.js'
import { createOnce, type Once } from './save/once.js'
import { createRemoving } from './save/remove.js'
import { createSaving } from './save/save.js'
import type { SaveDeps } from './save/save-deps.js'
import { createAttempt } from './save/save-others.js'
import type { Others } from './work/pipeline.js'
import { findIds, reachableIds } from './work/references.js'

/** Dependencies of the operations. */
export interface OperationsDeps
  extends Pick<
    SaveDeps,
    | 'catalog'
    | 'storage'
    | 'queries'
    | 'writer'
    | 'clock'
    | 'before'
    | 'inTransaction'
    | 'afterWrite'
    | 'mayReach'
    | 'observer'
    | 'randomBytes'
    | 'warnAtPercent'
  > {
  readonly access: Access
  readonly files: Files
  readonly words: WordBook
  readonly log: Log
  /** Calls the hooks of the host. */
  readonly ask: AskHost
  /** The host's lookup of its own ids. */
  readonly byId: FindById | undefined
  /** Submits events of the host's own code. */
  readonly submitEvent: SubmitEvent
  readonly exportRows: ExportRows
  /** Receives the timestamps for which records wait. */
  readonly timerWakes: { expect(moment: Instant): void }
  /** Dispatches the events that operations cause. */
  readonly eventDispatch: Pick<SaveDeps, 'wakeDispatch' | 'wakeMails' | 'dispatchPending'>
}

/** What all functions of `read/` take together. */
type ReadingDeps = ListDeps & CalendarDeps

/** Operations on records, and what other folders need of them. */
export interface OperationsRoom {
  readonly operations: Operations
  /** What exported files are read with. */
  readonly fileReading: FileReading
  /** What the feed shows of messages. */
  readonly feedReading: FeedReading
  readonly permissions: Permissions
  /** Counts collections by the values of fields. */
  readonly counting: Counting
  /** What callers may do, for them to know beforehand. */
  readonly allowances: Allowances
  readonly credentialChanges: CredentialChanges
  readonly personalTokens: PersonalTokens
  /** Does the work of a POST once, however often it is repeated. */
  readonly once: Once
  readonly oauthClients: OAuthClients
  /** Creates the record of a person whom the host has signed in for the first time. */
  readonly createPerson: CreatePerson
  readonly hostApi: HostApi
  /** The API of the host's own code, for calls that somebody else makes. */
  readonly localApi: (callNow: () => Promise<Call>) => LocalApi
  /** Of bodies, by record type. */
  readonly validators: SaveDeps['validators']
}

/** Assembles the operations. Does no I/O. */
export function createOperations(given: OperationsDeps): OperationsRoom {
  const { access, ask, byId, catalog, files, eventDispatch, log, storage, words } = given
  const { accounts, callers, people } = access
  const checkOf = fieldChecks()
  const validators = compileValidators(catalog, checkOf)
  const read = readDepsOf(given)
  const save: SaveDeps = {
    ...read,
    storage,
    writer: given.writer,
    log,
    words,
    files,
    validators,
    storedColumnsOf: storedColumns(checkOf),
    accountZone: access.accountZone,
    callIn: callers.callIn,
    mayReach: given.mayReach,
    fieldSeal: access.fieldSeal,
    randomBytes: given.randomBytes,
    warnAtPercent: given.warnAtPercent,
    observer: given.observer,
    before: given.before,
    inTransaction: given.inTransaction,
    afterWrite: given.afterWrite,
    findEmitted: emittedEvents(catalog),
    wakeDispatch: eventDispatch.wakeDispatch,
    dispatchPending: eventDispatch.dispatchPending,
    wakeMails: eventDispatch.wakeMails,
    expectTimers: (moments) => {
      const [first] = [...moments].sort()
      if (first !== undefined) given.timerWakes.expect(first)
    },
  }
  const callsAt = createPassedCalls(read, callers)
  const operations = alsoPassedOn(read, callsAt, pipelineOf(read, save))
  const person = catalog.type(PERSON)
  const permissions = createPermissions({ write: save, accounts, people, type: person })
  const ofPeople: PeopleDeps = { ...save, formatInstant: read.formatInstant }
  const personalTokens = createPersonalTokens(ofPeople, { tokens: access.tokens, type: person, log })
  const oauthClients = createOAuthClients(ofPeople, { ...access, type: person, log })
  const credentialChanges = createCredentialChanges(save, access, person)
  const { exportRows, submitEvent } = given
  const local: LocalDeps = { catalog, emit: createEmit(save), exportRows, files, log, operations, submitEvent, words }
  const callIn = (account: string) => callers.hostCall('people.provision', account)
  return {
    operations,
    fileReading: createFileReading(read),
    feedReading: createFeedReading(read),
    permissions,
    counting: createCounting(read, operations.refer),
    allowances: createAllowances(save, callsAt),
    personalTokens,
    oauthClients,
    credentialChanges,
    validators,
    once: createOnce(save),
    createPerson: createPersonIn({ storage, operations, permissions, words, callIn }),
    localApi: (callNow) => createLocalApi(local, actingAlone(callNow)),
    hostApi: createHostApi({
      ...local,
      storage,
      permissions,
      personalTokens,
      oauthClients,
      credentialChanges,
      access,
      ask,
      byId,
    }),
  }
}

/** Dependencies of everything that reads. */
function readDepsOf({ access, catalog, clock, files, queries, storage }: OperationsDeps): ReadingDeps {
  return {
    catalog,
    queries,
    clock,
    files,
    changes: storage.changes,
    decisions: access.decisions,
    scope: access.scope,
    accountNames: access.accountNames,
    peopleWithRoles: access.peopleWithRoles,
    formatInstant: createInstantFormatter(),
    compileCalendar: createCompileCalendar(),
  }
}

function pipelineOf(read: ReadingDeps, save: SaveDeps): Operations {
  const others: Others = {
    saveAll: (...asked) => saveOthers(...asked),
    attempt: (...asked) => attempt(...asked),
    remove: (...asked) => removing.remove(...asked),
    removeEach: (...asked) => removing.removeEach(...asked),
  }
  const { run, saveOthers, ...saving } = createSaving(save, others)
  const attempt = createAttempt(save, saveOthers)
  const removing = createRemoving(save, others, run)
  return {
    ...createReading(read),
    ...createDuration(read),
    ...createFinding(read),
    ...saving,
    ...removing,
    ...createLinking(save, { ...saving, ...removing }, run),
    reachable: (call, type, ids) => reachableIds(read, call, read.catalog.type(type), ids),
    findIds: (call, type, field, values, accountId) => findIds(read, call, type, field, values, accountId),
  }
}
