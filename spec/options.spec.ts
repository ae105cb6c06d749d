import { expect } from 'chai'
import knex from 'knex'
import { createPlugin, extendRecord, InvalidDefinition, InvalidOptions, listener, type PluginOptions } from '../plugin/index.js'

const SECRET = 'a secret for specs that is long enough to be taken'
const right: PluginOptions = {
  baseUrl: 'https://desk.example/v1',
  secret: SECRET,
  database: { url: 'mysql://root@127.0.0.1:1/none' },
}

/** The mistakes with which the options are refused. */
function mistakes(options: object): readonly string[] {
  try {
    createPlugin(options as PluginOptions)
  } catch (error) {
    if (error instanceof InvalidOptions || error instanceof InvalidDefinition) return error.mistakes
    throw error
  }
  return []
}
const wrong = (more: object) => mistakes({ ...right, ...more })

/** An option of each kind in a group. */
const GROUPED = [
  ['jobs', 'drainForMs'],
  ['jobs', 'takeOverAfterMs'],
  ['jobs', 'work'],
  ['webhooks', 'timeoutMs'],
  ['webhooks', 'userAgent'],
  ['people', 'byId'],
] as const

describe('the options of a plugin', () => {
  it('are taken without connecting to anything', () => {
    expect(mistakes(right)).to.deep.equal([])
    const all = {
      ...{
        tablePrefix: '',
        allowInsecure: true,
        headerPrefixes: ['X-A-', 'X-B-'],
        records: [],
        extend: [],
        migrations: [],
      },
      ...{
        before: { 'request.save': [() => {}] },
        on: { 'request.create': [listener('pager', async () => {})] },
        authorize: () => true,
        scope: () => ({ all: [] }),
      },
      ...{
        people: { byId: async () => null },
        jobs: { backend: 'memory', work: false, drainForMs: 0 },
        rateLimit: { burst: false, perHour: 1 },
      },
      ...{
        baseUrl: 'http://127.0.0.1:3999/a/b/v1',
        webhooks: { timeoutMs: 5, allowNetworks: ['10.1.0.0/16', 'fd00::/8'], fetch },
        timeouts: { callMs: 3, statementMs: 1, hookMs: 2 },
        signIn: { failuresPerAddress: 5 },
        oauth: { tokenLifetimeMs: 86_400_000 },
        files: {
          store: { write: async () => {}, read: () => [], remove: async () => {} },
          sizeLimit: 1,
          allowedExtensions: ['tar', '7z'],
          urlLifetimeMs: 60_000,
        },
        words: {},
        sendMail: async () => {},
      },
    }
    expect(wrong(all)).to.deep.equal([])
  })

  it('are refused with all mistakes at once', () => {
    expect(mistakes({})).to.deep.equal([
      "baseUrl: must be a URL like 'https://desk.example/v1'",
      'secret: must be a text of at least 32 characters',
      'database: must have either knex or url',
    ])
    expect(() => createPlugin({} as PluginOptions)).to.throw(
      InvalidOptions,
      /koa-itsm cannot start with these options:\n {2}- baseUrl/,
    )
    expect(mistakes(undefined as never)).to.deep.equal(['the options must be an object'])
    expect(mistakes(null as never)).to.deep.equal(['the options must be an object'])
  })

  it('that are misspelt are refused with the name that was probably meant', () => {
    expect(wrong({ sendmail: () => {}, tablePrefx: 'a', authorise: () => true, everything: 1 })).to.deep.equal([
      "sendmail: there is no such option; did you mean 'sendMail'?",
      "tablePrefx: there is no such option; did you mean 'tablePrefix'?",
      "authorise: there is no such option; did you mean 'authorize'?",
      'everything: there is no such option',
    ])
    expect(wrong({ jobs: { drainforms: 5 }, people: { byid: async () => null } })).to.deep.equal([
      "jobs.drainforms: there is no such option; did you mean 'drainForMs'?",
      "people.byid: there is no such option; did you mean 'byId'?",
    ])
    expect(wrong({ toString: 1 })).to.deep.equal(['toString: there is no such option'])
  })

  it('of the wrong kind are refused, however far off', () => {
    expect(wrong({ database: 'mysql://root@localhost/desk', mongo: 'mongodb://localhost/desk' })).to.deep.equal([
      'database: must be an object',
      'mongo: must be an object',
      'database: must have either knex or url',
      'mongo: must have either db or url',
    ])
    expect(wrong({ allowInsecure: 'yes', records: {}, sendMail: 'smtp', headerPrefixes: 'X-A-' })).to.deep.equal([
      'allowInsecure: must be a boolean',
      'records: must be an array',
      'sendMail: must be a function',
      'headerPrefixes: must be an array',
    ])
    expect(wrong({ clock: {}, log: { info() {} } })).to.deep.equal([
      'clock.now: must be a function',
      'log.debug: must be a function',
      'log.warn: must be a function',
      'log.error: must be a function',
    ])
    expect(wrong({ jobs: { backend: 'redis' } })).to.deep.equal(["jobs.backend: must be 'memory' or an AgendaBackend"])
  })

  it('with a name that they have lost are refused with the new one', () => {
    const old = {
      mysql: { url: 'mysql://root@localhost/desk' },
      rules: {},
      rateLimit: { burstSeconds: 2 },
      files: { addressesLast: 3600 },
      jobs: { takeOverAfter: 1 },
    }
    expect(wrong(old)).to.deep.equal([
      'mysql: there is no such option; it is called database',
      'rules: there is no such option; it is called records, whose definitions hold rules',
      "jobs.takeOverAfter: there is no such option; did you mean 'takeOverAfterMs'?",
      'rateLimit.burstSeconds: there is no such option; it is called rateLimit.burstMs, in milliseconds',
      'files.addressesLast: there is no such option; it is called files.urlLifetimeMs, in milliseconds',
    ])
  })

  it('in lists, maps and the like are refused, because their names would be passed over', () => {
    for (const odd of [[], new Map([['request.save', []]]), new Set(), new Date(), new Error('no')]) {
      for (const name of ['before', 'on', 'jobs', 'people', 'words', 'webhooks']) {
        expect(wrong({ [name]: odd }), name).to.deep.equal([`${name}: must be a plain object`])
      }
    }
    expect(mistakes([] as never)).to.deep.equal(['the options must be an object'])
  })

  it('that are inherited are looked into like others', () => {
    expect(mistakes(Object.assign(Object.create({ tablePrefix: 5, unknown: 1 }), right))).to.deep.equal([
      'tablePrefix: must be a string',
    ])
    expect(wrong({ jobs: Object.create({ work: 'no' }) })).to.deep.equal(['jobs.work: must be a boolean'])
  })

  it('that cannot be shown as a text are refused all the same', () => {
    const odd = { toString: null, valueOf: null }
    for (const one of [odd, Object.create(null), Symbol('one'), [odd], 5n, null]) {
      for (const [group, name] of GROUPED) expect(wrong({ [group]: { [name]: one } }), `${group}.${name}`).to.have.length(1)
      const lists = { headerPrefixes: [one], files: { allowedExtensions: [one] }, webhooks: { allowNetworks: [one] } }
      expect(wrong(lists)).to.have.length(3)
    }
    // A number would be taken for a text by the check alone.
    expect(wrong({ files: { allowedExtensions: [7] } })).to.deep.equal([
      "files.allowedExtensions: must be extensions without the dot ('pdf'), not 7",
    ])
  })

  it('of what is lent, of pools and of addresses are checked without connecting', () => {
    const url = 'mysql://root@127.0.0.1:1/none'
    expect(wrong({ database: { url, pool: { min: 'a', max: 0, maxx: 4 } } })).to.deep.equal([
      'database.pool.min: must be a whole number of connections, 0 or more',
      'database.pool.max: must be a whole number of connections, 1 or more',
      "database.pool.maxx: there is no such option; did you mean 'max'?",
    ])
    expect(wrong({ database: { url, pool: { min: 20 } } })).to.deep.equal([
      'database.pool.min: must be at most max, which is 10, not 20',
    ])
    expect(wrong({ database: { url, pool: { min: 0, max: 2 } } })).to.deep.equal([])
    expect(wrong({ mongo: { url: 'localhost:27017' } })).to.deep.equal([
      "mongo.url: must look like 'mongodb://host:port/database'",
    ])
    expect(wrong({ mongo: { db: {} } })).to.deep.equal(['mongo.db: must be a database of the package mongodb, client.db()'])
    expect(wrong({ jobs: { backend: {} } })).to.deep.equal([
      "jobs.backend: must be 'memory' or an AgendaBackend, and has no connect()",
    ])
  })

  it('that are longer than a timer can be are refused, because they would end at once', () => {
    const long = 2 ** 40
    expect(wrong({ jobs: { drainForMs: long }, webhooks: { timeoutMs: long } })).to.deep.equal(
      ['jobs.drainForMs', 'webhooks.timeoutMs'].map((name) => `${name}: must be at most 2147483647 milliseconds`),
    )
    for (const takeOverAfterMs of [long, 0, 0.5, 1, 999, 1500.5, Number.NaN, -1]) {
      expect(wrong({ jobs: { takeOverAfterMs } }), String(takeOverAfterMs)).to.deep.equal([
        'jobs.takeOverAfterMs: must be whole milliseconds, from 1000 to 2147483647',
      ])
    }
  })

  it('have words that are texts, in languages that there are', () => {
    const words = {
      nl: 7,
      klingon: {},
      de: { fields: { subject: 7 }, value: {} },
      fr: { values: { 'task.status': 'x' }, mails: null, sentences: { blank: null } },
      'pt-BR': {
        fields: { subject: 'Assunto' },
        mails: { import_done: { subject: 'x', lines: ['y'] }, import_failed: { subject: 'x', lines: ['y', 7] } },
      },
      es: { mails: { webhook_disabled: { lines: 'text' }, webhook_exception: 'x', import_completed: undefined } },
      en: undefined,
    }
    expect(wrong({ words })).to.deep.equal([
      'words.nl: must be an object, not 7',
      "words.klingon: there is no such language; languages are called 'nl' or 'fr-CA'",
      'words.de.fields.subject: must be a text, not 7',
      "words.de.value: there are no such words; did you mean 'values'?",
      "words.fr.values.task.status: must be an object, not 'x'",
      'words.fr.mails: must be an object, not null',
      'words.fr.sentences.blank: must be a text, not null',
      'words.pt-BR.mails.import_done: there is no such mail',
      'words.pt-BR.mails.import_failed.lines[1]: must be a text, not 7',
      'words.es.mails.webhook_disabled.subject: must be a text, not undefined',
      "words.es.mails.webhook_disabled.lines: must be a list of texts, not 'text'",
      "words.es.mails.webhook_exception: must be an object, not 'x'",
    ])
  })

  it('come with extensions that are objects', () => {
    for (const wrong of [null, 7, 'text', [], undefined]) {
      const additions = wrong as never
      expect(() => extendRecord('request', additions)).to.throw(TypeError, "extendRecord('request'): the additions must be")
    }
  })

  it('that contradict each other are refused', () => {
    expect(wrong({ people: { provision: () => null } })).to.deep.equal([
      'people.provision: must be set together with signedIn or byCredentials, whose people it creates',
    ])
    expect(wrong({ people: { provision: () => null, signedIn: async () => null } })).to.deep.equal([])
    const lent = knex({ client: 'mysql2' })
    expect(wrong({ database: { url: 'mysql://a/b', knex: lent } })).to.deep.equal(['database: must have either knex or url'])
    expect(wrong({ mongo: { url: 'mongodb://a' }, jobs: { backend: 'memory' } })).to.deep.equal([
      'jobs.backend: must not be set together with mongo',
    ])
  })

  it('hold migrations that do something, each under a name of its own', () => {
    const up = async () => {}
    const migrations = [
      { name: 'host_0001', up, down: up },
      { name: 'host_0002', down: up },
      { name: 'host_0001', up },
      { name: '0001_create_system_tables', up },
      { name: ' ', up, down: 5 },
      { up },
    ]
    expect(wrong({ migrations })).to.deep.equal([
      'migrations[5]: must be a migration with a name',
      'migrations[1].up: must be a function',
      "migrations[2].name: 'host_0001' is the name of another migration; this one would never run",
      "migrations[3].name: '0001_create_system_tables' is the name of another migration; this one would never run",
      'migrations[4].name: must not be empty',
      'migrations[4].down: must be a function',
    ])
  })

  it('go with a level of the log that there is', () => {
    const before = process.env['ITSM_LOG_LEVEL']
    try {
      process.env['ITSM_LOG_LEVEL'] = 'loud'
      expect(wrong({ jobs: { work: 'no' } })).to.deep.equal([
        'jobs.work: must be a boolean',
        "ITSM_LOG_LEVEL: 'loud' is not a level; it must be trace, debug, info, warn, error, fatal or silent",
      ])
      const log = { debug() {}, info() {}, warn() {}, error() {} }
      expect(wrong({ log })).to.deep.equal([])
      for (const level of ['silent', '']) {
        process.env['ITSM_LOG_LEVEL'] = level
        expect(wrong({})).to.deep.equal([])
      }
    } finally {
      if (before === undefined) delete process.env['ITSM_LOG_LEVEL']
      else process.env['ITSM_LOG_LEVEL'] = before
    }
  })

  it('with values out of range are refused', () => {
    for (const baseUrl of ['desk', 'ftp://desk.example/v1', 5]) {
      expect(wrong({ baseUrl }).at(-1), String(baseUrl)).to.equal("baseUrl: must be a URL like 'https://desk.example/v1'")
    }
    for (const baseUrl of [
      'https://desk.example',
      'https://desk.example/v1/',
      'https://desk.example/v2',
      'https://desk.example/v1?a=/v1',
      'https://desk.example/v1#',
    ]) {
      expect(wrong({ baseUrl }), baseUrl).to.deep.equal([
        "baseUrl: must end with '/v1', without a slash, a query or a fragment after it",
      ])
    }
    expect(wrong({ baseUrl: 'http://desk.example/v1' })).to.deep.equal(['baseUrl: must be https, unless allowInsecure is set'])
    expect(wrong({ secret: 'x'.repeat(31) })).to.deep.equal(['secret: must be a text of at least 32 characters'])
    for (const tablePrefix of ['a-b', 'A', 'x'.repeat(21), 'a`b']) {
      expect(wrong({ tablePrefix })).to.deep.equal([
        'tablePrefix: must be at most 20 lower-case letters, digits and underscores',
      ])
    }
    expect(wrong({ headerPrefixes: ['X-A-', 'X_B-', 'X-C'] })).to.have.length(2)
    expect(wrong({ headerPrefixes: [] })).to.deep.equal(['headerPrefixes: must have at least one prefix'])
    const numbers = {
      jobs: { drainForMs: -1 },
      rateLimit: { perHour: Number.NaN, burst: -1 },
      signIn: { failuresPerAddress: Number.POSITIVE_INFINITY },
      webhooks: { timeoutMs: -5 },
    }
    expect(wrong(numbers)).to.deep.equal([
      'signIn.failuresPerAddress: must be a whole number, 1 or more',
      'jobs.drainForMs: must be a finite number, 0 or greater',
      'rateLimit.perHour: must be a finite number, 0 or greater',
      'rateLimit.burst: must be a finite number, 0 or greater',
      'webhooks.timeoutMs: must be a finite number, 0 or greater',
    ])
    expect(wrong({ signIn: { failuresPerAddress: 0 } })).to.have.length(1)
    for (const burstMs of [0, 0.5, -2000, 2 ** 31, Number.POSITIVE_INFINITY]) {
      const mistake = 'rateLimit.burstMs: must be whole milliseconds, from 1 to 2147483647'
      expect(wrong({ rateLimit: { burstMs } }), String(burstMs)).to.deep.equal([mistake])
    }
    expect(wrong({ timeouts: { callMs: 0, statementMs: 1.5 } })).to.deep.equal([
      'timeouts.callMs: must be whole milliseconds, from 1 to 2147483647',
      'timeouts.statementMs: must be whole milliseconds, from 1 to 2147483647',
    ])
    for (const timeouts of [{ hookMs: 20_000 }, { callMs: 5_000, hookMs: 5_000 }]) {
      expect(wrong({ timeouts })).to.deep.equal([
        'timeouts.hookMs: must be less than timeouts.callMs, otherwise the call ends first',
      ])
    }
    expect(wrong({ timeouts: { callMs: 2 ** 31, statementMs: '5', answer: 1 } })).to.deep.equal([
      'timeouts.statementMs: must be a number',
      'timeouts.answer: there is no such option',
      'timeouts.callMs: must be whole milliseconds, from 1 to 2147483647',
    ])
    expect(wrong({ webhooks: { allowNetworks: ['10.1.0.0/16', '10.1.2.3/16', 'lan', 7] } })).to.deep.equal([
      "webhooks.allowNetworks: '10.1.2.3/16' has more than the network before the slash; did you mean '10.1.0.0/16'?",
      "webhooks.allowNetworks: 'lan' must be a network, such as '10.1.0.0/16' or 'fd00::/8'",
      "webhooks.allowNetworks: 7 must be a network, such as '10.1.0.0/16' or 'fd00::/8'",
    ])
    for (const userAgent of ['a\nX-Evil: 1', ' a', 'ü', '']) {
      expect(wrong({ webhooks: { userAgent } }), userAgent).to.deep.equal([
        'webhooks.userAgent: must be printable ASCII, without spaces at its ends',
      ])
    }
    expect(wrong({ webhooks: { userAgent: 'Desk/2 (https://desk.example)' } })).to.deep.equal([])
    expect(wrong({ webhooks: { allowNetworks: '10.0.0.0/8' } })).to.deep.equal(['webhooks.allowNetworks: must be an array'])
    expect(wrong({ rateLimit: { burst: true } })).to.deep.equal([
      'rateLimit.burst: must be a number, or false for no such limit',
    ])
    expect(wrong({ webhooks: { timeoutMs: 0 }, files: { sizeLimit: 0.5 }, jobs: { drainForMs: 1.5 } })).to.deep.equal([
      'jobs.drainForMs: must be a whole number',
      'files.sizeLimit: must be a whole number',
      'webhooks.timeoutMs: must be more than 0, otherwise every delivery times out',
    ])
    for (const collection of ['', ' ', 'a b', 'a\0', '$jobs', 'system.jobs', '.jobs', 'x'.repeat(200)]) {
      expect(wrong({ jobs: { collection } }), collection).to.deep.equal([
        'jobs.collection: must be a name that a MongoDB collection can have',
      ])
    }
    for (const collection of ['j', 'itsm_jobs', 'desk.jobs']) expect(wrong({ jobs: { collection } })).to.deep.equal([])
    expect(wrong({ rateLimit: { store: 'redis' } })).to.deep.equal(["rateLimit.store: must be 'memory' or 'database'"])
  })

  it('of OAuth are looked into', () => {
    expect(wrong({ oauth: {} })).to.deep.equal([])
    expect(wrong({ oauth: true })).to.deep.equal(['oauth: must be an object'])
    expect(wrong({ oauth: { tokenLifetimeMs: '1h', tokenLifetime: 60 } })).to.deep.equal([
      'oauth.tokenLifetimeMs: must be a number',
      "oauth.tokenLifetime: there is no such option; did you mean 'tokenLifetimeMs'?",
    ])
    for (const tokenLifetimeMs of [0, -1, 59_999, 60_000.5, 86_400_001, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(wrong({ oauth: { tokenLifetimeMs } }), String(tokenLifetimeMs)).to.deep.equal([
        'oauth.tokenLifetimeMs: must be whole milliseconds, from 60000 to 86400000',
      ])
    }
  })

  it('of files are looked into', () => {
    expect(wrong({ files: { store: { write: async () => {}, read: 5 }, keep: 5 } })).to.deep.equal([
      'files.keep: there is no such option',
      'files.store.read: must be a function',
      'files.store.remove: must be a function',
    ])
    expect(
      wrong({ files: { sizeLimit: -1, allowedExtensions: ['png', '.pdf', 'a/b'], urlLifetimeMs: 60_000.5 } }),
    ).to.deep.equal([
      'files.sizeLimit: must be a finite number, 0 or greater',
      "files.allowedExtensions: must be extensions without the dot ('pdf'), not '.pdf'",
      "files.allowedExtensions: must be extensions without the dot ('pdf'), not 'a/b'",
      'files.urlLifetimeMs: must be whole milliseconds, at least 60000',
    ])
    expect(wrong({ files: { allowedExtensions: 'png', store: 's3' } })).to.deep.equal([
      'files.allowedExtensions: must be an array',
      'files.store: must be an object',
    ])
  })

  it('that list hooks, listeners and definitions are looked into', () => {
    expect(wrong({ before: { 'request.save': () => {} }, on: { 'request.create': ['log'] } })).to.deep.equal([
      'before.request.save: must be an array of functions',
      'on.request.create: must be an array of functions',
    ])
    expect(wrong({ records: [{}], extend: ['request'], migrations: [null] })).to.deep.equal([
      'records[0]: must be made by defineRecord()',
      'extend[0]: must be made by extendRecord()',
      'migrations[0]: must be a migration with a name',
    ])
    expect(
      wrong({
        before: { 'request.create': [() => {}], 'ship.save': [() => {}] },
        on: { 'request.created': [listener('pager', () => {})] },
      }),
    ).to.deep.equal([
      "before.request.create: must be '<record type>.save' or '<record type>.remove'",
      "before.ship.save: must be '<record type>.save' or '<record type>.remove'",
      "on.request.created: there is no such event; did you mean 'request.create'?",
    ])
    expect(wrong({ extend: [{ extends: 'ship' }] })[0]).to.match(
      /^extension of ship: there is no such record type; known are request,/,
    )
  })

  it('with another database than we know are refused', () => {
    expect(wrong({ database: { url: 'postgres://a/b' } })).to.deep.equal([
      "database.url: must look like 'mysql://user:password@host:port/database' or 'sqlite:file'",
    ])
    expect(wrong({ database: { knex: () => {} } })).to.deep.equal(['database.knex: must be made by knex()'])
  })
})
