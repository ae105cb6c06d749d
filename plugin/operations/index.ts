import type { Access } from '../access/access.js'
import type { ById } from '../access/sign-in/host-people.js'
import type { CreatePerson } from '../access/sign-in/recognize-person.js'
import type { Instant } from '../core/clock.js'
import type { Log } from '../core/log.js'
import { createCompileCalendar } from '../core/time/working-time.js'
import { createInstantFormatter } from '../core/time/zoned-time.js'
import type { AskHost } from '../core/waiting/ask-host.js'
import type { Files } from '../files/files.js'
import { storedColumns } from '../schema/derive/stored-values.js'
import { compileValidators, fieldChecks } from '../schema/derive/validator.js'
import { PERSON } from '../schema/language/built-in-types.js'
import type { WordBook } from '../words/words.js'
import { createPersonIn } from './create-person.js'
import type { OperationDeps } from './deps.js'
import { createHostApi, type HostApi } from './host/host-api.js'
import { createLinking } from './linking/link.js'
import type { Operations, SubmitEvent } from './operations.js'
import { type CredentialChanges, createCredentialChanges } from './people/credential-changes.js'
import { createOAuthClients, type OAuthClients } from './people/oauth-clients.js'
import { createPermissions, type Permissions } from './people/permissions.js'
import { createPersonalTokens, type PersonalTokens } from './people/personal-tokens.js'
import { createDuration } from './read/count-minutes.js'
import { createFinding } from './read/find.js'
import { alsoPassedOn } from './read/passed-on.js'
import { createReading } from './read/read.js'
import { createOnce, type Once } from './save/once.js'
import { createRemoving } from './save/remove.js'
import { createSaving } from './save/save.js'
import { createAttempt } from './save/save-others.js'
import type { Others } from './work/pipeline.js'
import { findIds } from './work/references.js'

/** Dependencies of the operations. */
export interface OperationsDeps
  extends Pick<OperationDeps, 'catalog' | 'storage' | 'queries' | 'writer' | 'clock' | 'before' | 'afterWrite' | 'mayReach'> {
  readonly access: Access
  readonly files: Files
  readonly words: WordBook
  readonly log: Log
  /** Calls the hooks of the host. */
  readonly ask: AskHost
  /** The host's lookup of its own ids. */
  readonly byId: ById | undefined
  /** Submits events of the host's own code. */
  readonly submitEvent: SubmitEvent
  /** Receives the timestamps for which records wait. */
  readonly timerWakes: { expect(moment: Instant): void }
  /** Sends the mails that rules queue. */
  readonly mailWakes: Pick<OperationDeps, 'wakeMails'>
  /** Dispatches the events that operations cause. */
  readonly eventDispatch: Pick<OperationDeps, 'wakeDispatch' | 'dispatchPending'>
}

/** Operations on records, and what other folders need of them. */
export interface OperationsRoom {
  readonly operations: Operations
  readonly permissions: Permissions
  readonly credentialChanges: CredentialChanges
  readonly personalTokens: PersonalTokens
  /** Does the work of a POST once, however often it is repeated. */
  readonly once: Once
  readonly oauthClients: OAuthClients
  /** Creates the record of a person whom the host has signed in for the first time. */
  readonly createPerson: CreatePerson
  readonly hostApi: HostApi
  /** Of bodies, by record type. */
  readonly validators: OperationDeps['validators']
}

/** Assembles the operations. Does no I/O. */
export function createOperations(given: OperationsDeps): OperationsRoom {
  const { access, ask, byId, catalog, files, eventDispatch, log, storage, words } = given
  const { accounts, callers, people } = access
  const checkOf = fieldChecks()
  const validators = compileValidators(catalog, checkOf)
  const deps: OperationDeps = {
    ...given,
    ...access,
    callIn: callers.callIn,
    callAt: callers.callAt,
    validators,
    storedColumnsOf: storedColumns(checkOf),
    formatInstant: createInstantFormatter(),
    compileCalendar: createCompileCalendar(),
    wakeDispatch: eventDispatch.wakeDispatch,
    wakeMails: given.mailWakes.wakeMails,
    dispatchPending: eventDispatch.dispatchPending,
    expectTimers: (moments) => {
      const [first] = [...moments].sort()
      if (first !== undefined) given.timerWakes.expect(first)
    },
  }
  const operations = alsoPassedOn(deps, pipelineOf(deps))
  const person = catalog.type(PERSON)
  const permissions = createPermissions(deps, accounts, people, person)
  const personalTokens = createPersonalTokens(deps, { tokens: access.tokens, type: person, log })
  const oauthClients = createOAuthClients(deps, { ...access, type: person, log })
  const credentialChanges = createCredentialChanges(deps, access.credentials, callers, person)
  const callIn = (account: string) => callers.hostCall('people.provision', account)
  return {
    ...{ operations, permissions, personalTokens, oauthClients, credentialChanges, validators, once: createOnce(deps) },
    createPerson: createPersonIn({ storage, operations, permissions, words, callIn }),
    hostApi: createHostApi({
      storage,
      submitEvent: given.submitEvent,
      operations,
      permissions,
      personalTokens,
      oauthClients,
      credentialChanges,
      access,
      files,
      catalog,
      words,
      ask,
      log,
      byId,
    }),
  }
}

function pipelineOf(deps: OperationDeps): Operations {
  const others: Others = {
    saveAll: (...asked) => saveOthers(...asked),
    attempt: (...asked) => attempt(...asked),
    remove: (...asked) => removing.remove(...asked),
    removeEach: (...asked) => removing.removeEach(...asked),
  }
  const { run, saveOthers, ...saving } = createSaving(deps, others)
  const attempt = createAttempt(deps, saveOthers)
  const removing = createRemoving(deps, others, run)
  return {
    ...createReading(deps),
    ...createDuration(deps),
    ...createFinding(deps),
    ...saving,
    ...removing,
    ...createLinking(deps, saving, run),
    findIds: (call, type, field, values, accountId) => findIds(deps, call, type, field, values, accountId),
  }
}
