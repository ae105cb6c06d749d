/** Options with which hosts add record types and take part in the work of the plugin. */
import type { Migration } from '../../../migrations/tools.js'
import type { FindById } from '../../access/sign-in/host-people.js'
import type { Provision } from '../../access/sign-in/recognize-person.js'
import type { FindByCredentials } from '../../access/sign-in/sign-in-sources.js'
import type { Log } from '../../core/log.js'
import { mistakesInChannels } from '../../deliveries/check-channels.js'
import type { HostChannel } from '../../deliveries/define-channel.js'
import { mistakesInListeners } from '../../events/name-listeners.js'
import type { HostEndpoint } from '../../http/endpoints/define-endpoint.js'
import type { Definition } from '../../schema/language/define-record.js'
import type { Extension } from '../../schema/language/extend-record.js'
import { mistakesInMigrations } from '../../storage/tables/check-migrations.js'
import type { SendMail } from '../../words/mails/mail.js'
import { all, eachFunction, eachMade, functionsByName } from '../checks.js'
import type { AuthorizeHooks, BeforeHooks, FindBySession, InTransactionHooks, Listeners, ScopeHooks } from '../hook-tables.js'
import { group, list, typed } from '../kinds.js'
import type { Check } from '../option.js'

export const HOOKS = {
  people: group({
    /**
     * Called for each call with credentials. Gets `{ email, password }` or `{ token }`; returns `{ id }`,
     * `{ email, account? }` or `{ source, sourceID, account? }` of a person record, or null. Default: the plugin's own people, passwords and tokens.
     */
    byCredentials: typed<FindByCredentials>('function'),
    /**
     * Called for calls without credentials. Gets the context of Koa; returns the person who is signed in by your own session:
     * `{ id }`, `{ email, account?, known? }`, `{ source, sourceID, account? }` or null.
     */
    signedIn: typed<FindBySession>('function'),
    /**
     * Called if `byCredentials` or `signedIn` returns an address that no person has, disabled people included. Gets
     * `{ email, account, known }`, where `known` comes from the result of that hook. Returns the record to create,
     * `{ body: { name: 'Ines' }, account?, roles? }`, or null to refuse. See own-sign-in.md: Use your session.
     */
    provision: typed<Provision>('function', { check: mistakesInProvision }),
    /**
     * Called by `itsm.as('…')`. Gets an id of yours; returns the person with it, or null. Then a text with an @ is looked up as
     * an e-mail address, as without the hook.
     */
    byId: typed<FindById>('function'),
  }),
  /** Record types of yours, made by `defineRecord()`. See own-type.md: The definition. Default: none. */
  records: list<Definition>({ default: [], check: eachMade('name', 'made by defineRecord()') }),
  /** Additions to record types, made by `extendRecord()`. See own-type.md: The definition. Default: none. */
  extend: list<Extension>({ default: [], check: eachMade('extends', 'made by extendRecord()') }),
  /** Migrations of your tables; they run after ours. Default: none. */
  migrations: list<Migration>({ default: [], check: all(eachMade('name', 'a migration with a name'), mistakesInMigrations) }),
  /**
   * Called in the transaction, after rules have filled in values and before they check. Hooks by `<type>.save`, and by
   * `<type>.remove` for types whose records can be removed: `{ 'request.save': [hook] }`. A hook may set columns of `next` and refuse: `fail('subject', 'blank')`; it returns nothing.
   * Before a removal, `next` is the stored row, and cannot be changed. Values are in the form of rows and are checked. Messages write a list among their values as alternatives:
   * `fail('seats', 'only_with_status', { enumeration: 'vehicle.status', values: ['sold'] })`. `db` is for tables of your own.
   * See rules-and-transactions.md: Rules, rules-and-transactions.md: Tables of your own.
   */
  before: typed<BeforeHooks>('group', { default: {}, check: functionsByName }),
  /**
   * Called in the transaction, before the commit, when a record and all that follows from it is stored. Hooks by `<type>.save` and
   * `<type>.remove`: `{ 'request.save': [hook] }`. A hook gets `{ call, type, id, before, after, db }`, once for each record, and writes to
   * tables of yours with `db`. One that throws undoes the record. See rules-and-transactions.md: Tables of your own.
   */
  inTransaction: typed<InTransactionHooks>('group', {
    default: {},
    check: functionsByName,
  }),
  /**
   * Called after commit, at least once. Listeners by event: `{ 'request.create': [listener] }`. They run outside of
   * transactions; repeated calls have the same `event.id`. A listener that throws, or takes longer than 30 seconds, is called
   * again after 1, 2, 4 … minutes, at most ten times. Each has a name of its own, for which its events wait: that of the function,
   * or `listener('pager', (event) => …)`.
   */
  on: typed<Listeners>('group', {
    default: {},
    check: all(functionsByName, mistakesInListeners),
  }),
  /** More ways on which events leave, made by `defineChannel()`. See webhooks.md: Channels of your own. Default: none. */
  channels: list<HostChannel>({ default: [], check: all(eachMade('name', 'made by defineChannel()'), mistakesInChannels) }),
  /** Paths of your own below `/v1`, made by `defineEndpoint()`. See rules-and-transactions.md: Endpoints of your own. Default: none. */
  endpoints: list<HostEndpoint>({ default: [], check: eachMade('path', 'made by defineEndpoint()') }),
  /**
   * Called before every list, read, create, update and remove of a person; once per call for each type of records that
   * responses refer to. Decides what a call may do: `(question, decide)` returns `true` or `false`, and `decide()` the plugin's
   * decision. Anything else is an error, never a permission. Functions by record type, `{ vehicle: (question, decide) => … }`, are
   * called for these types alone. See own-sign-in.md: Decide what people may do.
   */
  authorize: typed<AuthorizeHooks>('function or group', { check: eachFunction }),
  /**
   * Called before a person reads: at most three times per record type and call. Decides which records a call can see:
   * `(question, decide)` returns a condition, as in `lists`. `allOf(decide(), { team: myTeams })` shows fewer records than the
   * plugin, `anyOf(decide(), …)` more. May return a promise. Also functions by record type. See own-sign-in.md: Decide what people
   * see.
   */
  scope: typed<ScopeHooks>('function or group', { check: eachFunction }),
  /**
   * Called after an import, after failed deliveries, and when the desired completion of a request is set, changed or
   * removed. Sends `{ to, subject, text }`. Without it mails are lost, with a warning in the log. A mail that fails, or takes longer
   * than 30 seconds, is sent again after 1, 2, 4 … minutes, at most ten times.
   */
  sendMail: typed<SendMail>('function', { default: ({ log }) => logMails(log) }),
}

function mistakesInProvision(...[provision, path, { people }]: Parameters<Check>): readonly string[] {
  const { byCredentials, signedIn } = Object(people) as { readonly byCredentials?: unknown; readonly signedIn?: unknown }
  if (provision === undefined || byCredentials !== undefined || signedIn !== undefined) return []
  return [`${path}: must be set together with signedIn or byCredentials, whose people it creates`]
}

/** Mails are not sent, only logged. */
function logMails(log: Log): SendMail {
  return async ({ subject }) => log.warn({ subject }, 'No sendMail option: a mail was not sent')
}
