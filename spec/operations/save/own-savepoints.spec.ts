/** A `db.transaction()` of a rule beside everything else that runs in the transaction of the save. */
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'chai'
import type { Knex } from 'knex'
import {
  createPlugin,
  extendRecord,
  type OtherRecords,
  type Plugin,
  type PluginOptions,
  type RuleContext,
  rule,
} from '../../../plugin/index.js'
import { withDatabase } from '../../support/database.js'
import { silent, TEST_SECRET } from '../../support/settings.js'

type Written = RuleContext & OtherRecords

describe('a transaction() of db', () => {
  const database = withDatabase({ file: true })
  const closing: Plugin[] = []
  const visits = async (): Promise<string[]> => (await database.knex('visits').pluck('place')).sort()
  const names = async (): Promise<string[]> => (await database.knex('itsm_sites').pluck('name')).sort()
  const insert = (db: Knex, place: string) => db('visits').insert({ place })

  before(async () => {
    await database.knex.schema.createTable('visits', (table) => {
      table.increments('id')
      table.string('place').unique()
    })
    await plugin({}).accounts.put({ id: 'acme', name: 'Acme' })
  })
  after(async () => {
    for (const itsm of closing) await itsm.stop()
  })
  afterEach(async () => {
    await database.knex('visits').delete()
    await database.knex('itsm_sites').delete()
    await database.knex('itsm_organizations').delete()
  })

  function plugin(more: Partial<PluginOptions>): Plugin {
    const itsm = createPlugin({
      ...{ baseUrl: 'http://127.0.0.1:9/v1', allowInsecure: true, secret: TEST_SECRET, log: silent },
      ...{ database: { knex: database.lent }, rateLimit: { burst: false } },
      ...more,
    })
    closing.push(itsm)
    return itsm
  }
  /** Saves an organization with this rule; sites have a hook that notes their name in the table of the host. */
  async function saving(written: (context: Written) => Promise<unknown>): Promise<void> {
    const beside = rule('beside', () => ({ written: async (context) => void (await written(context as Written)) }))
    const itsm = plugin({
      extend: [extendRecord('organization', { rules: [beside()] })],
      before: {
        'site.save': [
          async ({ db, fail, next }) => {
            const name = String(next['name'])
            await db.transaction((part) => insert(part, name))
            if (name.startsWith('refused')) fail('name', 'blank')
          },
        ],
      },
    })
    await itsm.asSystem('the spec', 'acme').create('organization', { name: 'Widgets' })
  }
  const undone = (db: Knex) =>
    db.transaction(async (part) => {
      await insert(part, 'undone')
      await pause(30)
      throw new Error('undo')
    })

  it('that is undone leaves what the rule saves at the same time', async () => {
    await saving(async ({ db, save }) => {
      const outcomes = await Promise.allSettled([undone(db), save('site', null, { name: 'Delft' })])
      expect(outcomes.map(({ status }) => status)).to.deep.equal(['rejected', 'fulfilled'])
    })
    expect(await names()).to.deep.equal(['Delft'])
    expect(await visits()).to.deep.equal(['Delft'])
  })

  it('that is undone leaves what was being saved when it began', async () => {
    await saving(async ({ db, save }) => {
      const saved = save('site', null, { name: 'Delft' })
      await Promise.allSettled([saved, pause(1).then(() => undone(db))])
    })
    expect(await names()).to.deep.equal(['Delft'])
    expect(await visits()).to.deep.equal(['Delft'])
  })

  it('keeps what an attempt beside it loses', async () => {
    await saving(async ({ attempt, db }) => {
      const refused = attempt('site', { id: null, body: { name: 'refused' } })
      const kept = [insert(db, 'kept'), db.transaction((part) => insert(part, 'kept as well'))]
      const [outcome] = await Promise.all([refused, ...kept])
      expect(outcome).to.have.property('violations')
    })
    expect(await names()).to.deep.equal([])
    expect(await visits()).to.deep.equal(['kept', 'kept as well'])
  })

  it('contains saves and attempts, and undoes them', async () => {
    await saving(async ({ attempt, db, save }) => {
      await db.transaction(async (part) => {
        const both = [save('site', null, { name: 'Delft' }), attempt('site', { id: null, body: { name: 'Gouda' } })]
        await Promise.all([...both, insert(db, 'outer'), insert(part, 'inner')])
        await attempt('site', { id: null, body: { name: 'refused' } })
      })
      await db
        .transaction(async () => {
          await save('site', null, { name: 'undone' })
          throw new Error('undo')
        })
        .catch(() => {})
    })
    expect(await names()).to.deep.equal(['Delft', 'Gouda'])
    expect(await visits()).to.deep.equal(['Delft', 'Gouda', 'inner', 'outer'])
  })

  it('contains what others wait for as well: a lookup, or work that several records share', async () => {
    await saving(async ({ db, load, next, save }) => {
      let shared: Promise<unknown> | null = null
      const memo = () => {
        shared ??= save('site', null, { name: 'shared' })
        return shared
      }
      const outside = load('organization', next['id'], { lock: true })
      const parts = [1, 2].map((number) =>
        db.transaction(async (part) => {
          await Promise.all([memo(), load('organization', next['id']), outside])
          await insert(part, `part ${number}`)
        }),
      )
      await Promise.all([...parts, load('organization', next['id'], { lock: true })])
    })
    expect(await visits()).to.deep.equal(['part 1', 'part 2', 'shared'])
  })

  it('may wait for what the rule reads outside of it', async () => {
    await saving(async ({ db }) => {
      let read = () => {}
      const isRead = new Promise<void>((resolve) => {
        read = resolve
      })
      const part = db.transaction(async (inner) => {
        await isRead
        await insert(inner, 'Delft')
      })
      await pause(5)
      await db('visits').count()
      read()
      await part
    })
    expect(await visits()).to.deep.equal(['Delft'])
  })
})
