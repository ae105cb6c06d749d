/** The folders of plugin/ and the rooms in them, with what each may import. `architecture.md` draws them. */

/** What each folder of plugin/ may import of the others. Files at the top level are listed by themselves. */
export const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  core: [],
  words: ['core'],
  schema: ['core', 'words'],
  rules: ['core', 'words', 'schema'],
  records: ['core', 'words', 'schema', 'rules'],
  storage: ['core', 'words', 'schema'],
  access: ['core', 'words', 'schema', 'storage'],
  deliveries: ['core', 'words', 'schema', 'storage'],
  events: ['core', 'schema', 'storage', 'deliveries'],
  files: ['core', 'words', 'schema', 'storage', 'access'],
  operations: ['core', 'words', 'schema', 'storage', 'access', 'events', 'files'],
  mails: ['core', 'words', 'schema', 'storage', 'access', 'deliveries'],
  webhooks: ['core', 'words', 'schema', 'storage', 'access', 'deliveries', 'events', 'operations'],
  imports: ['core', 'words', 'schema', 'storage', 'access', 'events', 'operations'],
  exports: ['core', 'schema', 'storage', 'access', 'operations', 'imports'],
  'event-submission': ['core', 'words', 'schema', 'storage', 'access', 'operations'],
  feed: ['core', 'schema', 'storage', 'access', 'events', 'operations'],
  jobs: ['core', 'words', 'schema', 'storage', 'access', 'deliveries', 'events', 'operations', 'imports', 'exports'],
  health: ['core', 'storage'],
  http: [
    'core',
    'words',
    'schema',
    'access',
    'deliveries',
    'events',
    'files',
    'health',
    'operations',
    'webhooks',
    'feed',
    'imports',
    'exports',
    'event-submission',
  ],
  // A client of the API: it knows nothing of what is below it.
  console: ['core', 'words'],
  // Above the other rooms, which know nothing of it: options have their types and checks.
  options: [
    'core',
    'words',
    'console',
    'schema',
    'storage',
    'access',
    'deliveries',
    'events',
    'files',
    'operations',
    'webhooks',
    'jobs',
    'http',
  ],
}
/**
 * The rooms of a folder, from the ground up, and what each may import of the others, types included. A room is a folder, or a
 * file beside the folders; `top` is all other files there.
 */
export const ROOMS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  core: {
    text: [],
    top: ['text'],
    time: ['top'],
    waiting: ['top'],
  },
  schema: {
    language: [],
    'catalog.ts': ['language'],
    'kinds/values': ['language', 'catalog.ts'],
    kinds: ['language', 'catalog.ts', 'kinds/values'],
    check: ['language', 'catalog.ts', 'kinds/values', 'kinds'],
    compile: ['language', 'catalog.ts', 'kinds', 'check'],
    derive: ['language', 'catalog.ts', 'kinds/values', 'kinds', 'check', 'compile'],
    openapi: ['language', 'catalog.ts', 'kinds', 'derive'],
    types: ['language'],
    top: ['language', 'catalog.ts', 'compile', 'derive', 'types'],
  },
  storage: {
    embedded: [],
    database: ['embedded'],
    records: ['database'],
    tables: ['database', 'records'],
    queues: ['database'],
    top: ['database', 'tables', 'queues'],
  },
  access: {
    people: [],
    tokens: ['people'],
    sessions: ['people', 'tokens'],
    oauth: ['people', 'tokens'],
    'sign-in': ['people', 'tokens', 'sessions', 'oauth'],
    sight: ['people', 'tokens'],
    top: ['people', 'tokens', 'sessions', 'oauth', 'sight'],
  },
  operations: {
    'contract.ts': [],
    read: ['contract.ts'],
    work: ['contract.ts', 'read'],
    'save/related': ['contract.ts', 'read', 'work'],
    save: ['contract.ts', 'read', 'work', 'save/related'],
    linking: ['contract.ts', 'read', 'work', 'save/related', 'save'],
    people: ['contract.ts', 'read', 'save/related', 'save'],
    host: ['contract.ts', 'read', 'people'],
    'operations.ts': ['contract.ts', 'read', 'work', 'save', 'linking', 'people', 'host'],
  },
  http: {
    'endpoint-paths.ts': [],
    'contract.ts': ['endpoint-paths.ts'],
    'deps.ts': ['contract.ts'],
    requests: ['contract.ts'],
    answers: ['contract.ts', 'deps.ts', 'requests'],
    posts: ['contract.ts', 'deps.ts', 'answers'],
    records: ['contract.ts', 'requests', 'answers'],
    middleware: ['contract.ts', 'deps.ts', 'requests', 'answers', 'posts'],
    handbook: [],
    endpoints: ['endpoint-paths.ts', 'contract.ts', 'deps.ts', 'requests', 'answers', 'middleware', 'handbook'],
    top: ['endpoint-paths.ts', 'contract.ts', 'deps.ts', 'answers', 'records', 'middleware', 'endpoints'],
  },
  console: {
    'page-settings.ts': [],
    'console-kit.ts': [],
    'browser/core': ['page-settings.ts'],
    'browser/parts': ['page-settings.ts', 'browser/core'],
    'browser/pages': ['page-settings.ts', 'console-kit.ts', 'browser/core', 'browser/parts'],
    'browser/main.tsx': ['page-settings.ts', 'browser/core', 'browser/parts', 'browser/pages'],
    top: ['page-settings.ts'],
  },
  rules: {
    general: [],
    people: ['general'],
    time: ['general'],
    recurrence: [],
    assets: [],
    workflow: ['general', 'people'],
    projects: ['general', 'people'],
    templates: ['people', 'workflow'],
    requests: ['general', 'people', 'templates'],
    'service-levels': ['general', 'workflow', 'requests'],
  },
  imports: {
    progress: [],
    'contract.ts': ['progress'],
    file: ['progress', 'contract.ts'],
    columns: ['progress'],
    rows: ['progress', 'contract.ts', 'columns'],
    parts: ['progress', 'contract.ts', 'file', 'columns', 'rows'],
    undo: ['progress', 'rows'],
    top: ['progress', 'contract.ts', 'file', 'columns', 'rows', 'parts', 'undo'],
  },
}

/** These stand above all folders; only `create-plugin.ts` knows the record types. */
export const ABOVE = ['create-plugin.ts', 'index.ts', 'plugin.ts']
/** For hosts and for people at a terminal: users of the plugin, not parts of it. */
export const BESIDE = ['testing', 'command-line', 'receive']
/**
 * What the command line imports of all others: it calls the API, so it knows the plugin by its type alone. The commands about
 * tables load the rest when they are run.
 */
export const COMMAND_LINE_MAY_IMPORT = { folders: ['command-line', 'core'], types: ['plugin.ts'], later: ['../index.js'] }

/** The folder of a path from the root of the project; a file at the top level is its own. Empty outside of plugin/. */
export function folderOf(path: string): string {
  return path.startsWith('plugin/') ? (path.split('/').at(1) ?? '') : ''
}
