import { expect } from 'chai'
import { VERSION } from '../plugin/core/version.js'
import { readOptions } from '../plugin/options/options.js'
import { settingsWith, silent, TEST_SECRET } from './support/settings.js'

const database = { url: 'sqlite::memory:' }

describe('Settings', () => {
  it('have a value for every option that a host leaves out', () => {
    const { clock, words, sendMail, accountAddress, operations, ...settings } = readOptions({
      baseUrl: 'https://desk.example/v1',
      secret: TEST_SECRET,
      database,
      log: silent,
    })
    expect(settings).to.deep.equal({
      baseUrl: 'https://desk.example/v1',
      secret: TEST_SECRET,
      log: silent,
      hookMs: 10_000,
      observer: {},
      takeOverAfterMs: 60_000,
      catalog: { records: [], extend: [] },
      storage: { database, tablePrefix: 'itsm_', statementMs: 15_000, migrations: [] },
      access: { authorize: undefined, scope: undefined },
      hooked: { authorize: [], scope: [] },
      console: undefined,
      signIn: {
        ...{ byCredentials: undefined, signedIn: undefined, provision: undefined, failuresPerAddress: 50, oauth: undefined },
        sessions: false,
      },
      events: { keepDays: 30, on: {}, channels: [] },
      files: { store: undefined, sizeLimit: 20_971_520, allowedExtensions: [], urlLifetimeMs: 3_600_000 },
      imports: { keepDays: 90, history: false },
      webhooks: {
        allowPrivateAddresses: false,
        allowNetworks: [],
        fetch: undefined,
        timeoutMs: 10_000,
        userAgent: `koa-itsm/${VERSION} (https://desk.example/v1/openapi.json)`,
      },
      jobs: { backend: 'memory', collection: 'itsm_jobs', work: true, drainForMs: 30_000 },
      http: {
        allowInsecure: false,
        headerPrefixes: ['X-SVC-'],
        callMs: 20_000,
        docs: false,
        rateLimit: { perHour: 3600, burst: 20, burstMs: 2000 },
        countIn: 'memory',
        healthPaths: false,
        hostEndpoints: [],
        logRequests: false,
      },
    })
    expect(Math.abs(clock.now().getTime() - Date.now())).to.be.below(60_000)
    expect(words.languages).to.include.members(['en', 'nl', 'de', 'fr'])
    expect(accountAddress('acme')).to.equal('https://acme.desk.example')
    expect(sendMail).to.be.a('function')
    expect(operations).to.deep.include({ before: new Map(), byId: undefined })
    expect(['192.0.2.1', '127.0.0.1', '10.1.2.3', '8.8.8.8'].filter(operations.mayReach)).to.deep.equal(['8.8.8.8'])
  })

  it('take what a host says, also where it is false or 0', () => {
    const { http, jobs, files } = settingsWith({
      rateLimit: { burst: false, perHour: 1, store: 'database' },
      jobs: { work: false, drainForMs: 0, collection: 'own' },
      files: { allowedExtensions: ['PDF', 'Png'] },
      headerPrefixes: ['X-Desk-'],
    })
    expect([http.rateLimit, http.countIn]).to.deep.equal([{ perHour: 1, burst: false, burstMs: 2000 }, 'database'])
    expect(http.headerPrefixes).to.deep.equal(['X-Desk-'])
    expect(jobs).to.deep.equal({ backend: 'memory', collection: 'own', work: false, drainForMs: 0 })
    expect(files.allowedExtensions).to.deep.equal(['pdf', 'png'])
  })

  it('let webhooks reach what the host allows', () => {
    const reached = (webhooks: object) => ['127.0.0.1', '10.1.2.3'].filter(settingsWith({ webhooks }).operations.mayReach)
    expect(reached({ allowNetworks: ['10.1.0.0/16'] })).to.deep.equal(['10.1.2.3'])
    expect(reached({ allowPrivateAddresses: true })).to.deep.equal(['127.0.0.1', '10.1.2.3'])
  })

  it('let jobs wait where the host says: in its backend, in its MongoDB, else in memory', () => {
    const mongo = { url: 'mongodb://127.0.0.1:1/none' }
    expect(settingsWith({ mongo }).jobs.backend).to.equal(mongo)
    expect(settingsWith({ jobs: { backend: 'memory' } }).jobs.backend).to.equal('memory')
    expect(settingsWith({ mongo: { url: 'mongodb://127.0.0.1:1/none' }, jobs: { work: false } }).jobs.backend).to.include(mongo)
  })

  it('have what belongs to OAuth only if the host offers it', () => {
    expect(settingsWith({ oauth: {} }).signIn.oauth).to.deep.equal({ tokenLifetimeMs: 3_600_000 })
    expect(settingsWith({ oauth: { tokenLifetimeMs: 60_000 } }).signIn.oauth).to.deep.equal({ tokenLifetimeMs: 60_000 })
    expect(settingsWith().signIn.oauth).to.equal(undefined)
  })

  it('give hooks half of the time of a call at most', () => {
    expect(settingsWith({ timeouts: { callMs: 8000 } }).hookMs).to.equal(4000)
    expect(settingsWith({ timeouts: { callMs: 60_000 } }).hookMs).to.equal(10_000)
    expect(settingsWith({ timeouts: { callMs: 8000, hookMs: 7000 } }).hookMs).to.equal(7000)
  })

  it('say in the log that a mail is lost when nothing sends it', async () => {
    const warned: unknown[] = []
    const log = { ...silent, warn: (...line: unknown[]) => void warned.push(line) }
    await settingsWith({ log }).sendMail({ to: ['ada@acme.example'], subject: 'Done', text: 'All of it.' })
    expect(warned).to.deep.equal([[{ subject: 'Done' }, 'No sendMail option: a mail was not sent']])
  })
})
