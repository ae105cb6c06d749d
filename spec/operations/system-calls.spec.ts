/** The service itself works with records: `asSystem`, for which nobody acts and which is past all permissions. */
import { expect } from 'chai'
import type { RecordType } from '../../plugin/schema/catalog.js'
import { recordFixtures, withHostType } from '../support/contract.js'
import { type ContractDeps, createMaker, type Maker } from '../support/contract-place.js'
import { refusalOf } from '../support/house.js'
import { withMounted } from '../support/mounted.js'

/** People and teams that a person who acts gives to a record without naming them: the service itself has to name them. */
const INSTEAD_OF_CALLER: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  request: { requested_by_id: '@ines', team_id: '@service-desk' },
  time_entry: { person_id: '@sam' },
  view: { person_id: '@sam' },
  change: { manager_id: '@carl' },
  release: { manager_id: '@carl' },
}

describe('System calls', () => {
  const asked: string[] = []
  const mounted = withMounted('mounted under a prefix', {
    ...withHostType,
    authorize: (question, decide) => {
      asked.push(`${question.type}.${question.action}`)
      return decide()
    },
    scope: (question, decide) => {
      asked.push(`scope ${question.type}`)
      return decide()
    },
  })
  const system = () => mounted.itsm.asSystem('spec', 'widgets')

  const made = async (type: RecordType, maker: Maker, more: object = {}): Promise<{ readonly id: number }> => {
    const below = recordFixtures.get(type.name)?.below
    const owner = below === undefined ? null : mounted.itsm.catalog.type(below)
    const ownerId = owner && (await made(owner, maker)).id
    const child = owner && [...owner.children.values()].find(({ record }) => record === type.name)
    const body = {
      ...maker.body(type, 'minimal'),
      ...named(INSTEAD_OF_CALLER[type.name] ?? {}),
      ...(child ? { [`${child.by}_id`]: ownerId } : {}),
      ...more,
    }
    const isPart = owner !== null && type.partOf.includes(owner.name)
    const output = await system().create(type.name, body, isPart ? { type: owner.name, id: Number(ownerId) } : undefined)
    return { ...output, id: Number(output['id']) }
  }
  const named = (names: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(names).map(([field, name]) => [field, mounted.world.id(name)]))

  it('create a record of every type that callers can create, and ask no hook of the host', async () => {
    const { catalog } = mounted.itsm
    const deps: ContractDeps = { mounted, catalog, fixtures: recordFixtures }
    const maker = createMaker(deps)
    const creatable = [...catalog.types.values()].filter(({ name }) => recordFixtures.get(name)?.bodies['minimal'])
    expect(creatable.length).to.be.greaterThan(45)
    asked.length = 0
    const failures: string[] = []
    for (const type of creatable) {
      try {
        const record = await made(type, maker)
        expect(record.id).to.be.greaterThan(0)
      } catch (error) {
        failures.push(`${type.name}: ${String(error)} ${JSON.stringify(Object(error).violations)}`)
      }
    }
    expect(failures).to.deep.equal([])
    expect(asked).to.deep.equal([])
  })

  describe('of a request', () => {
    const body = (more: object = {}) => ({
      subject: 'The nightly backup failed',
      category: 'incident',
      impact: 'high',
      ...named({ requested_by_id: '@ines', team_id: '@service-desk' }),
      ...more,
    })
    const get = async (path: string) => {
      const reply = await mounted.ask('@owen', 'GET', path)
      expect(reply.status, reply.text).to.equal(200)
      return reply.json as Record<string, unknown>[] & Record<string, unknown>
    }

    it('leave its creator empty: in answers, lists, audit lines, notes and events', async () => {
      const made = await system().create('request', body({ note: 'Tape 3 is full.' }))
      expect(made['created_by']).to.equal(null)
      expect(made['requested_for']).to.include({ id: mounted.world.id('@ines') })
      const path = `/requests/${made['id']}`
      expect((await get(path))['created_by']).to.equal(null)
      expect(await get(`${path}/notes`)).to.have.nested.property('[0].person', null)
      expect(await get(`${path}/audit`)).to.have.nested.property('[0].created_by', null)
      expect((await get('/requests?created_by=')).map(({ id }) => id)).to.include(made['id'])
      const outbox = mounted.database.storage.table('outbox')
      const [event] = await mounted.database.knex(outbox).where({ record_id: Number(made['id']), event: 'request.create' })
      expect(event).to.include({ person_id: null, person_name: '' })
      const changed = await mounted.ask('@sam', 'PATCH', path, { subject: 'The backup failed' })
      expect(changed.status, changed.text).to.equal(200)
    })

    it('may name its creator, also one who is disabled, once', async () => {
      const creator = mounted.world.id('@hank')
      const made = await system().create('request', body({ created_by_id: creator }))
      expect(made['created_by']).to.include({ id: creator })
      await system().update('request', Number(made['id']), { subject: 'Changed' })
      const { id } = await system().create('person', { name: 'Gone', primary_email: 'gone@widgets.example', disabled: true })
      expect((await system().create('request', body({ created_by_id: id })))['created_by']).to.include({ id })
      expect(await refusalOf(system().create('request', body({ created_by_id: 999_999_999 })))).to.deep.equal([
        ['created_by', 'cannot_be_found'],
      ])
    })

    it('are the only ones that name the creator', async () => {
      const forged = { subject: 'Forged', category: 'other', created_by_id: mounted.world.id('@owen') }
      const reply = await mounted.ask('@sam', 'POST', '/requests', { ...forged, team_id: mounted.world.id('@service-desk') })
      expect(reply.status, reply.text).to.equal(201)
      expect(reply.headers['x-ignored-fields']).to.equal('created_by_id')
      expect(reply.json).to.have.nested.property('created_by.id', mounted.world.id('@sam'))
    })

    it('have to say who it is for, and spend no time', async () => {
      expect(await refusalOf(system().create('request', { subject: 'x', category: 'other' }))).to.deep.equal([
        ['requested_by', 'blank'],
        ['requested_for', 'blank'],
        ['team', 'blank'],
      ])
      expect(await refusalOf(system().create('request', body({ time_spent: 10 })))).to.deep.equal([
        ['time_spent', 'not_allowed'],
      ])
    })

    it('change, link and remove without asking a hook, whatever rules save with them', async () => {
      const made = await system().create('request', body())
      const id = Number(made['id'])
      asked.length = 0
      await system().link({ type: 'request', id }, 'cis', mounted.world.id('@mail-server'))
      await system().update('request', id, {
        note: 'Done.',
        status: 'completed',
        completion_reason: 'solved',
        ...named({ member_id: '@sam' }),
      })
      await system().list('request', { per_page: 1 })
      await system().read('request', id)
      const owner = { type: 'person', id: mounted.world.id('@ines') }
      const address = await system().create('address', { label: 'home' }, owner)
      await system().remove('address', Number(address['id']), owner)
      expect(asked).to.deep.equal([])
    })
  })
})
