/** The pages of the reference: what is on each. A name that no page lists stands on the page that uses it first. */

export interface PageOf {
  /** Name of the file below `plugin/docs/reference/`, without its ending. */
  readonly name: string
  readonly title: string
  /** One or two sentences under the title. */
  readonly about: string
  /** Exported names in their order, and types that are not exported and shall stand here. */
  readonly names: readonly string[]
}

export const REFERENCE = 'plugin/docs/reference'

/** Types whose members are of no use to hosts: they are named, but not described. */
export const OPAQUE: ReadonlySet<string> = new Set([
  ...['GivenOptions', 'SettlingPaths', 'RowOfFields', 'Context'],
  ...['RecordTimer', 'RecordImport', 'RecordChild', 'RecordRule', 'SortKey'],
  // What the compiler works out of definitions: hosts see the results of it.
  ...[
    'TypedOptions',
    'TypesOf',
    'BuiltInRecords',
    'RecordTyped',
    'DefinitionFacts',
    'ExtensionFacts',
    'Facts',
    'MoreFacts',
    'Chosen',
    'LinkedChildren',
    'LinkIds',
    'LinkPaths',
    'Listed',
    'ListedNames',
    'Only',
    'With',
    'KnownFields',
  ],
  ...['CreateIn', 'UpdateIn', 'OutputIn', 'SomeIn', 'QueryIn', 'ListIn', 'LinkIn', 'FieldIn', 'RowIn', 'ColumnsIn'],
  ...['ConditionIn', 'FieldRow', 'AnyRecord', 'TypeIn', 'StatusIn', 'OwnColumnsBeside'],
])

export const PAGES: readonly PageOf[] = [
  {
    name: 'options',
    title: 'Options',
    about: 'What `createPlugin(options)` takes: all options with their defaults, and the hooks that call your code.',
    names: ['createPlugin', 'PluginOptions', 'Clock', 'Instant', 'Log', 'LentKnex', 'LentDb', 'ByType'],
  },
  {
    name: 'plugin',
    title: 'The plugin, and records in your own code',
    about: 'What `createPlugin` returns: the app to mount, its life cycle, and `as` and `asSystem`, which work with records.',
    names: [
      ...['Plugin', 'LocalApi', 'RecordApi', 'ListQuery', 'Page', 'Output', 'Owner', 'LocalFile', 'LocalSpan'],
      ...['LocalEventOutcome', 'NewAccount', 'StoredAccount', 'HostTokens', 'HostToken', 'HostOAuthClients'],
      ...[
        'HostOAuthClient',
        'SetupCheck',
        'ActingOptions',
        'PersonOptions',
        'HostTransaction',
        'CreateResult',
        'Within',
        'OwnerIn',
        'AnyRecords',
        'RecordsTyped',
        'HealthReport',
        'SignedIn',
        'Caller',
      ],
    ],
  },
  {
    name: 'definitions',
    title: 'Definitions and extensions',
    about: 'Record types of your own, and additions to those of the plugin, as data.',
    names: [
      ...[
        'defineRecord',
        'Definition',
        'Collection',
        'Access',
        'Grant',
        'Who',
        'Role',
        'ROLES',
        'ADMINISTRATORS',
        'Link',
        'Child',
      ],
      ...[
        'CoverageList',
        'AllowedMoves',
        'NextValue',
        'Operation',
        'Verb',
        'Import',
        'PartImport',
        'RowOf',
        'extendRecord',
        'Extension',
      ],
    ],
  },
  {
    name: 'fields',
    title: 'Fields',
    about: 'A function for each kind of field, and the options that they take.',
    names: [
      ...[
        'string',
        'text',
        'integer',
        'decimal',
        'float',
        'boolean',
        'oneOf',
        'oneOfList',
        'date',
        'datetime',
        'localDatetime',
      ],
      ...['timeOfDay', 'json', 'strings', 'eventName', 'picture', 'ref', 'refs', 'part', 'parts', 'owner'],
      ...['identity', 'provenance', 'times', 'common', 'FieldOptions', 'Field', 'FieldKind', 'Derived'],
    ],
  },
  {
    name: 'conditions',
    title: 'Conditions',
    about: 'Conditions on records, as data: for lists, permissions, timers, lookups of rules and the hook `scope`.',
    names: [
      ...['Condition', 'Tests', 'Test', 'not', 'compared', 'anyOf', 'allOf', 'me', 'myTeams', 'myOrganization', 'now'],
      ...['sixMonthsAgo', 'threeMonthsAgo', 'thisAccount', 'directoryAccount', 'trustedAccounts', 'internalOrganizations'],
      ...['accountsWithMyRole', 'accountsCoveringMe', 'agreementsCoveringMe', 'myCoveredServices'],
      ...['myCoveredServiceInstances', 'myServicesWithKnowledge', 'Placeholder', 'Restriction', 'Criterion'],
    ],
  },
  {
    name: 'rules',
    title: 'Rules',
    about: 'Behavior of a record type: functions that run in the phases of a save, with what they get and may do.',
    names: [
      ...['rule', 'Behavior', 'RuleContext', 'FillContext', 'WrittenContext', 'OtherRecords', 'placed', 'Place', 'Rule'],
      ...['Row', 'Calendar', 'WorkingTime', 'AROUND_THE_CLOCK'],
    ],
  },
  {
    name: 'settling',
    title: 'Settling',
    about: 'Values that follow from other records, kept up to date by a function of all of them.',
    names: [
      ...['follow', 'FollowSettings', 'SettlingSource', 'SettlingSources', 'SettlingFacts', 'SettlingDecision'],
      ...['SettledValues', 'LinkPair', 'Settling'],
    ],
  },
  {
    name: 'timers',
    title: 'Timers',
    about: 'Values that are saved when the time in a field has come, without a job of yours.',
    names: ['due', 'Timer', 'renewal', 'Renewal'],
  },
  {
    name: 'migrations',
    title: 'Migrations',
    about: 'Tables of your record types, for the option `migrations`.',
    names: [
      'Migration',
      'MigrationTools',
      'recordTable',
      'partTable',
      'linkTable',
      'addColumns',
      'dropColumns',
      'dropTables',
      'Columns',
    ],
  },
  {
    name: 'hooks',
    title: 'Hooks',
    about:
      'Arguments and results of the functions that you give to `createPlugin`. The list of hooks is on the page about options.',
    names: [
      ...[
        'PeopleHooks',
        'FindByCredentials',
        'FindBySession',
        'FindById',
        'BeforeHooks',
        'BeforeHook',
        'Listeners',
        'Listener',
        'listener',
        'HostEvent',
        'EventData',
        'AuthorizeHooks',
        'Authorize',
        'Question',
        'Action',
        'ScopeHooks',
        'ScopeHook',
        'HostCredentials',
      ],
      ...['PersonKey', 'HostPerson', 'Provision', 'NewcomerSeen', 'NewPerson', 'Mail', 'FileStore', 'FileFacts'],
      ...[
        'SendMail',
        'DeliveryFetch',
        'AccountAddress',
        'InTransactionHooks',
        'InTransactionHook',
        'InTransactionContext',
        'Call',
        'Account',
        'Actor',
        'CallToken',
      ],
      ...['Observe', 'RequestFacts', 'SaveFacts', 'StatementFacts', 'JobFacts', 'DeliveryFacts'],
    ],
  },
  {
    name: 'endpoints',
    title: 'Endpoints',
    about: 'Paths of your own below `/v1`, with everything that paths of the plugin have.',
    names: ['defineEndpoint', 'EndpointOf', 'EndpointContext', 'CallerToken', 'HostEndpoint'],
  },
  {
    name: 'channels',
    title: 'Channels',
    about: 'More ways on which events leave, beside webhooks and listeners.',
    names: ['defineChannel', 'ChannelOf', 'ChannelMessage', 'ChannelTools', 'Addressed', 'HostChannel'],
  },
  {
    name: 'errors',
    title: 'Errors',
    about:
      'What functions of the plugin throw. Errors with a status are what clients get for it; your hooks and rules may throw them.',
    names: [
      ...[
        'ItsmError',
        'BadRequest',
        'Unauthenticated',
        'Forbidden',
        'NotFound',
        'NotAcceptable',
        'PreconditionFailed',
        'Invalid',
        'TransactionLost',
      ],
      ...['Violation', 'Params', 'TooManyRequests', 'Unavailable', 'TimedOut', 'HookFailed'],
      ...['InvalidSetup', 'InvalidOptions', 'InvalidDefinition'],
    ],
  },
  {
    name: 'words',
    title: 'Words',
    about:
      'Messages, labels and mails: what the option `words` takes, and all codes of the plugin with their values in braces.',
    names: ['ExtraWords', 'MoreWords', 'MailName', 'MailWords'],
  },
  {
    name: 'console',
    title: 'Pages in the console',
    about: 'What the option `console.pages` takes, and what the module of such a page gets in the browser.',
    names: [
      'ConsolePage',
      'ConsoleModule',
      'ConsoleKit',
      'ConsoleComponents',
      'ConsoleComponent',
      'ConsoleNode',
      'ConsoleApi',
      'ConsoleLoaded',
      'ConsoleRecord',
    ],
  },
  {
    name: 'catalog',
    title: 'The catalog and permissions',
    about: 'All record types in their compiled form, as `itsm.catalog` has them, and who may do what.',
    names: ['Catalog', 'RecordType', 'RecordPermissions', 'SeenRecords', 'Permission', 'FieldPermissions'],
  },
  {
    name: 'embedded',
    title: 'koa-itsm/embedded',
    about: 'A database without a server, for development and tests.',
    names: ['embeddedDatabase'],
  },
  {
    name: 'receive',
    title: 'koa-itsm/receive',
    about: 'For receivers of webhooks: verifies deliveries. It needs nothing but Node, and no other part of the plugin.',
    names: ['verifyDelivery', 'VerifiedDelivery', 'DeliveryForm', 'FormValue', 'DeliveryHeaders', 'DeliveryRefused', 'Refusal'],
  },
  {
    name: 'testing',
    title: 'koa-itsm/testing',
    about:
      'Request cases against a mounted app: yours, and those of the package. Callers pass the functions of their test framework.',
    names: [
      ...['testDesk', 'TestDesk', 'TestDeskOptions', 'DeskAnswer', 'DeskClock', 'DeskReceiver', 'ReceivedDelivery'],
      ...[
        'runCases',
        'RunCasesDeps',
        'CasePlace',
        'caseRunner',
        'CaseRunner',
        'CaseRunnerDeps',
        'CaseExchange',
        'CaseFailed',
        'Topic',
      ],
      ...['RequestCase', 'Step', 'TimeStep', 'SetTime', 'shippedFixtures', 'readFixtures', 'Fixtures', 'RecordFixture', 'Body'],
      ...['loadWorld', 'World', 'WorldFile', 'WorldRecord', 'takeSnapshot', 'Snapshot', 'SnapshotOptions'],
      ...['recordDeliveries', 'DeliveryRecorder', 'RecordedDelivery', 'Nock'],
    ],
  },
]
