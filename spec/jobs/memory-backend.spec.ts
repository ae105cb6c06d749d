import type { JobParameters, JobRepository } from 'agenda'
import { expect } from 'chai'
import { createMemoryBackend } from '../../plugin/jobs/memory-backend.js'

const PAST = new Date(Date.now() - 60_000)
const FUTURE = new Date(Date.now() + 3_600_000)
const LONG_AGO = new Date(0)

function job(name: string, fields: Partial<JobParameters> = {}): JobParameters {
  return { name, priority: 0, nextRunAt: PAST, type: 'normal', data: {}, ...fields }
}

describe('the job store in memory', () => {
  let store: JobRepository

  const next = (name: string, lockDeadline = LONG_AGO) =>
    store.getNextJobToRun(name, new Date(), lockDeadline, undefined, { lastModifiedBy: 'me' })

  beforeEach(() => {
    store = createMemoryBackend().repository
  })

  it('hands out each due job once, the earliest first and the more important one of two at the same time', async () => {
    await store.saveJob(job('mail', { data: 'third' }), undefined)
    await store.saveJob(job('mail', { data: 'second', priority: 5 }), undefined)
    await store.saveJob(job('mail', { data: 'first', nextRunAt: new Date(PAST.getTime() - 1) }), undefined)
    await store.saveJob(job('mail', { data: 'not yet', nextRunAt: FUTURE }), undefined)
    await store.saveJob(job('other'), undefined)

    const handedOut = [await next('mail'), await next('mail'), await next('mail'), await next('mail')]

    expect(handedOut.map((found) => found?.data)).to.deep.equal(['first', 'second', 'third', undefined])
    expect(handedOut[0]?.lastModifiedBy).to.equal('me')
  })

  it('hands out a locked job again only when its lock is older than the deadline', async () => {
    await store.saveJob(job('mail'), undefined)
    const locked = await next('mail')
    expect(await next('mail')).to.equal(undefined)
    expect((await next('mail', new Date(Date.now() + 1)))?._id).to.equal(locked?._id)
  })

  it('does not hand out disabled jobs until they are enabled', async () => {
    await store.saveJob(job('mail'), undefined)
    expect(await store.disableJobs({ name: 'mail' })).to.equal(1)
    expect(await next('mail')).to.equal(undefined)
    expect(await store.enableJobs({ names: ['mail'] })).to.equal(1)
    expect(await next('mail')).to.not.equal(undefined)
  })

  it('locks a job by id unless it is locked or was moved meanwhile', async () => {
    const saved = await store.saveJob(job('mail'), undefined)
    expect(await store.lockJob({ ...saved, nextRunAt: FUTURE }, undefined)).to.equal(undefined)
    expect((await store.lockJob(saved, undefined))?.lockedAt).to.be.instanceOf(Date)
    expect(await store.lockJob(saved, undefined)).to.equal(undefined)
  })

  it('gives locks back, but that of a running job only when asked by id', async () => {
    const saved = await store.saveJob(job('mail'), undefined)
    const locked = await next('mail')
    await store.unlockJob(saved)
    expect(await next('mail')).to.not.equal(undefined)
    await store.saveJobState({ ...saved, ...locked, nextRunAt: null }, undefined)
    await store.unlockJob(saved)
    expect((await store.getJobById(String(saved._id)))?.lockedAt).to.be.instanceOf(Date)
    if (saved._id) await store.unlockJobs([saved._id])
    expect((await store.getJobById(String(saved._id)))?.lockedAt).to.equal(undefined)
  })

  it('keeps one job for the same unique values and leaves it as it is when it may only insert', async () => {
    const unique = { 'data.key': 'k', lockedAt: null }
    const wake = (details: object) =>
      store.saveJob(job('mail', { data: { key: 'k', ...details }, unique, uniqueOpts: { insertOnly: true } }), undefined)
    const saved = await Promise.all([wake({ n: 1 }), wake({ n: 2 }), wake({ n: 3 })])

    expect(new Set(saved.map((one) => one._id)).size).to.equal(1)
    expect(saved[2]?.data).to.deep.equal({ key: 'k', n: 1 })
    await next('mail')
    expect((await wake({ n: 4 })).data).to.deep.equal({ key: 'k', n: 4 })
  })

  it('keeps one single job per name, with its time when it is due', async () => {
    const first = await store.saveJob(job('sweep', { type: 'single', repeatInterval: 5 }), undefined)
    await store.saveJob(job('sweep', { type: 'single', repeatInterval: 9, nextRunAt: new Date() }), undefined)
    const { jobs } = await store.queryJobs({ name: 'sweep' })
    expect(jobs).to.have.length(1)
    expect(jobs[0]).to.include({ _id: first._id, repeatInterval: 9, nextRunAt: PAST })
  })

  it('does not bring back a job that was removed meanwhile', async () => {
    const saved = await store.saveJob(job('mail'), undefined)
    await store.removeJobs({ id: String(saved._id) })
    await store.saveJob(saved, undefined)
    const refused = await store.saveJobState(saved, undefined).catch((error: Error) => error.message)
    expect(refused).to.match(/no longer exists/)
    expect((await store.queryJobs()).total).to.equal(0)
  })

  it('refuses to debounce instead of doing something else', async () => {
    const refused = store.saveJob(job('mail', { unique: { name: 'mail' }, uniqueOpts: { debounce: { delay: 5 } } }), undefined)
    expect(await refused.catch((error: Error) => error.message)).to.match(/debounce/)
  })

  it('removes what is meant and nothing when nothing is meant', async () => {
    for (const name of ['a', 'b', 'c']) await store.saveJob(job(name, { data: { row: { id: name } } }), undefined)
    expect(await store.removeJobs({})).to.equal(0)
    expect(await store.removeJobs({ data: { row: { id: 'a' } } })).to.equal(1)
    expect(await store.removeJobs({ notNames: ['b'] })).to.equal(1)
    expect(await store.getDistinctJobNames()).to.deep.equal(['b'])
    expect(await store.purgeAllJobs()).to.equal(1)
    expect(await store.getJobById('1')).to.equal(null)
  })

  it('answers queries by state, text, order and page', async () => {
    await store.saveJob(job('mail.send'), undefined)
    await store.saveJob(job('mail.send', { nextRunAt: FUTURE }), undefined)
    await store.saveJob(job('mail.check', { disabled: true }), undefined)
    await store.saveJob(job('import'), undefined)
    await next('import')

    expect((await store.queryJobs({ state: 'scheduled' })).jobs.map((found) => found.nextRunAt)).to.deep.equal([FUTURE])
    expect((await store.queryJobs({ state: 'paused' })).jobs.map((found) => found.name)).to.deep.equal(['mail.check'])
    expect((await store.queryJobs({ search: 'MAIL', includeDisabled: false })).total).to.equal(2)
    const page = await store.queryJobs({ sort: { name: 'asc', nextRunAt: 'desc' }, skip: 2, limit: 1 })
    expect(page.total).to.equal(4)
    expect(page.jobs.map((found) => [found.name, found.nextRunAt])).to.deep.equal([['mail.send', FUTURE]])
    expect(await store.getQueueSize()).to.equal(3)
    expect(await store.getJobsOverview()).to.deep.include({
      ...{ name: 'mail.send', total: 2, queued: 1, scheduled: 1 },
      ...{ running: 0, completed: 0, failed: 0, repeating: 0, paused: 0 },
    })
  })

  it('does not change with the copies that it hands out', async () => {
    const saved = await store.saveJob(job('mail'), undefined)
    saved.name = 'changed'
    expect(await store.getDistinctJobNames()).to.deep.equal(['mail'])
  })
})
