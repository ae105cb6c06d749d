import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'chai'
import { type OtherRecords, type Row, type RuleContext, rule } from '../../../plugin/schema/language/define-rule.js'
import { createFestival, festival } from '../../support/festival.js'
import { errorOf, refusalOf, withHouse } from '../../support/house.js'

/** The refusal of a genre with a name that is too long, as the caller gets it. */
const NOT_SAVED = [['base', 'other_not_saved', { record: 'A genre', reasons: 'Name is too long (maximum is 60 characters)' }]]

type Written = RuleContext & OtherRecords

describe('a careless rule', () => {
  let genre = 0
  /** What happened when a rule had ended. */
  const later: unknown[] = []
  const note = (work: Promise<unknown>) =>
    work.then(
      (answer) => later.push(answer),
      (error: unknown) => later.push(error),
    )
  const changed = (row: Readonly<Record<string, unknown>> | null, column: string) => {
    if (row) (row as Record<string, unknown>)[column] = 'changed'
  }
  const tooLong = { id: null, body: { name: 'x'.repeat(100) } }

  const checks: { readonly [name: string]: (context: RuleContext) => void | Promise<void> } = {
    async 'changes what it has loaded'({ load }) {
      changed(await load('genre', genre), 'name')
    },
    async 'changes what it has found'({ findBy }) {
      changed((await findBy('genre', 'name', 'Folk'))[0] ?? null, 'name')
    },
    'changes what was stored'({ before }) {
      changed(before, 'name')
    },
    'does not wait for its answer'({ fail, load }) {
      void load('genre', genre).then(() => fail('name', 'locked'))
    },
    'does not wait for any answer'({ fail, findBy, load }) {
      void load('genre', genre)
        .then(() => findBy('genre', 'name', 'Folk'))
        .then(() => fail('name', 'locked'))
    },
    'asks too late'({ load }) {
      void pause(20).then(() => note(load('genre', genre)))
    },
    'refuses too late'({ fail }) {
      void note(pause(20).then(() => fail('name', 'locked')))
    },
    async 'asks for what is no id'({ hasRole, isReferred, valuesOf }) {
      later.push(await hasRole('x' as never, 'specialist'), await isReferred('act', 'stage', 'x' as never))
      later.push(await valuesOf('act', 'subject', 'stage', 'x' as never))
    },
    'asks for what is not there'({ find }) {
      void find('ship', {}).catch((error: unknown) => later.push(error))
    },
  }
  const works: { readonly [name: string]: (context: Written) => void | Promise<void> } = {
    async 'catches a refusal'({ saveAll }) {
      await saveAll('genre', [{ id: null, body: { name: 'Half' } }, tooLong]).catch(() => {})
    },
    async 'says a refusal in its own words'({ fail, saveAll }) {
      await saveAll('genre', [{ id: null, body: { name: 'Half' } }, tooLong]).catch(() => fail('name', 'locked'))
    },
    'does not wait for what it saves'({ save }) {
      void save('genre', null, { name: 'Forgotten' })
    },
    'does not wait for what is refused'({ saveAll }) {
      void saveAll('genre', [{ id: null, body: { name: 'Half' } }, tooLong])
    },
    async 'saves side by side'({ save }) {
      await Promise.all([save('genre', genre, { code: 'side' }), save('genre', genre, { disabled: true })])
    },
    'saves too late'({ save }) {
      void pause(20).then(() => note(save('genre', null, { name: 'Late' })))
    },
    'counts too late'({ addTo }) {
      void note(pause(20).then(() => addTo('genre', genre, 'times_played', 1)))
    },
  }
  const filling: { readonly [name: string]: object } = {
    'sets a misspelled column': { nmae: 'x' },
    'sets a field by its name': { genre: 5 },
    'sets what is nowhere': { 'nothing of ours': 5 },
  }
  const inFields = rule('inFields', () => ({ fill: ({ next }) => void Object.assign(next, filling[String(next['subject'])]) }))
  const careless = rule('careless', () => ({
    fill: ({ next }) => void Object.assign(next, filling[String(next['name'])]),
    check: (context) => checks[String(context.next['name'])]?.(context),
    written: (context) => works[String(context.next['name'])]?.(context),
    removed({ fail, next }) {
      if (next['name'] === 'refuses when it is gone') fail('base', 'locked')
    },
  }))
  const counting = rule('counting', () => ({
    written({ addTo, next }) {
      if (next['name'] === 'Counts itself') addTo('genre', next['id'], 'times_played', 5)
    },
  }))
  const house = withHouse({
    records: festival,
    migrations: [createFestival],
    before: { 'stage.save': [({ next }) => void (next['name'] === 'Hooked' && Object.assign(next, { titel: 'x' }))] },
    extend: [
      { extends: 'performer', rules: [careless()] },
      { extends: 'genre', rules: [counting()] },
      { extends: 'act', rules: [inFields()] },
    ],
  })
  beforeEach(() => later.splice(0))
  /** What would end a process. */
  const unhandled: unknown[] = []
  const noteUnhandled = (error: unknown) => void unhandled.push(error)
  const listeners = process.listeners('unhandledRejection')
  before(async () => {
    genre = await house.add('genre', { name: 'Folk' })
    process.removeAllListeners('unhandledRejection').on('unhandledRejection', noteUnhandled)
  })
  after(() => {
    process.off('unhandledRejection', noteUnhandled)
    for (const listener of listeners) process.on('unhandledRejection', listener)
  })
  afterEach(async () => {
    await pause(0)
    expect(unhandled.splice(0)).to.deep.equal([])
  })
  const perform = (name: string) => house.add('performer', { name })
  const genres = async () => (await house.table('genres')).map((row) => row['name'])
  /** What was kept for later, once it has happened. */
  const whatFollowed = async () => {
    await pause(60)
    return later.map((one) => (one instanceof Error ? one.message : one))
  }

  for (const name of ['changes what it has loaded', 'changes what it has found']) {
    it(`fails when it ${name}`, async () => {
      const error = await errorOf(perform(name))
      expect(error.cause).to.be.instanceOf(TypeError)
      expect(error.message).to.contain('rule careless of performer failed')
    })
  }

  it('fails when it sets what no column holds', async () => {
    const says = async (work: Promise<unknown>) => (await errorOf(work)).message
    expect(await says(perform('sets a misspelled column'))).to.equal(
      "The rule careless of performer failed: it sets 'nmae', which is no stored column of performer; did you mean 'name'?",
    )
    expect(await says(perform('sets what is nowhere'))).to.equal(
      "The rule careless of performer failed: it sets 'nothing of ours', which is no stored column of performer",
    )
    const stage = await house.add('stage', { name: 'Main' })
    expect(await says(house.add('act', { subject: 'sets a field by its name', stage_id: stage }))).to.equal(
      "The rule inFields of act failed: it sets 'genre', which is no stored column of act; its column is 'genre_id'",
    )
    expect(await says(house.add('stage', { name: 'Hooked' }))).to.match(/before hook of stage.save failed: it sets 'titel'/)
  })

  it('fails when it changes what was stored', async () => {
    const id = await house.add('performer', { name: 'Bea' })
    const work = house.operations.save(await house.system(), 'performer', id, { name: 'changes what was stored' })
    expect((await errorOf(work)).cause).to.be.instanceOf(TypeError)
  })

  for (const name of ['does not wait for its answer', 'does not wait for any answer']) {
    it(`refuses all the same when it ${name}`, async () => {
      expect(await refusalOf(perform(name))).to.deep.equal([['name', 'locked']])
    })
  }

  for (const name of ['asks too late', 'refuses too late', 'saves too late', 'counts too late']) {
    it(`learns that it ${name}`, async () => {
      await perform(name)
      const [message] = await whatFollowed()
      expect(message).to.match(
        /^A function of rule .*careless.* of performer continued after the phase '(check|written)': it must wait/,
      )
      expect(await genres()).to.deep.equal(['Folk'])
    })
  }

  it('hears what was wrong with a question that it does not wait for', async () => {
    await perform('asks for what is not there')
    expect(await whatFollowed()).to.deep.equal(["There is no record type 'ship'"])
  })

  it('finds nothing for what is no id, on every database', async () => {
    await perform('asks for what is no id')
    expect(later).to.deep.equal([false, false, []])
  })

  it('leaves nothing half written when it catches a refusal', async () => {
    expect(await refusalOf(perform('catches a refusal'))).to.deep.equal(NOT_SAVED)
    expect(await genres()).to.deep.equal(['Folk'])
  })

  it('may refuse in its own words', async () => {
    expect(await refusalOf(perform('says a refusal in its own words'))).to.deep.equal([['name', 'locked']])
    expect(await genres()).to.deep.equal(['Folk'])
  })

  it('is waited for when it does not wait for what it saves', async () => {
    await perform('does not wait for what it saves')
    expect(await genres()).to.deep.equal(['Folk', 'Forgotten'])
    expect(await refusalOf(perform('does not wait for what is refused'))).to.deep.equal(NOT_SAVED)
    expect(await genres()).to.deep.equal(['Folk', 'Forgotten'])
  })

  it('saves one after the other what it saves side by side', async () => {
    await perform('saves side by side')
    expect(await house.row('genre', genre)).to.include({ code: 'side', disabled: true })
  })

  it('cannot refuse a removal in silence when the record is gone', async () => {
    const id = await perform('refuses when it is gone')
    const work = house.operations.remove(await house.system(), 'performer', id)
    expect(await refusalOf(work)).to.deep.equal([['base', 'locked']])
    expect(await house.row('performer', id)).to.include({ id })
  })

  it('gets the record back as its counters have left it', async () => {
    const saved: Row = await house.operations.save(await house.system(), 'genre', null, { name: 'Counts itself' })
    expect(saved).to.deep.equal(await house.row('genre', Number(saved['id'])))
    expect(saved).to.include({ times_played: 5 })
  })
})
