import { expect } from 'chai'
import { administratorsMayRead } from '../../plugin/access/sight/decide.js'
import { BadRequest } from '../../plugin/core/errors.js'
import { RESERVED_PARAMETERS } from '../../plugin/schema/check/check-collection.js'
import { readTerms } from '../../plugin/schema/derive/filter-text.js'
import { createQueries } from '../../plugin/storage/records/query.js'
import { type Asking, createMatch, type Match, type Question } from '../../plugin/webhooks/matches.js'
import { countStatements } from '../support/count-statements.js'
import { fixtures, withMounted } from '../support/mounted.js'
import { keptLog } from '../support/webhooks.js'

const ASKING: Asking = { event: 'request.update', events: ['task.*'], disabled: false, filter: null, exceptPersonId: null }
type Asked = Question['message']

function message(values: Partial<Asked> = {}): Asked {
  const event = { event: 'request.update', recordType: 'request', recordId: 1, personId: 7, auditLineId: null }
  return { ...event, snapshot: {}, ...values }
}

/** Filters of lists in the fixtures, by path; records in them by name. */
function filtersOfFixtures(): readonly (readonly [path: string, filter: string])[] {
  const steps = fixtures.topics.flatMap(({ cases }) => cases.flatMap((one) => ('steps' in one ? one.steps : [one])))
  const asked = steps.flatMap((step) => {
    const path = 'request' in step ? step.request.path : ''
    const [, list, query] = (typeof path === 'string' && /^\/v1\/([a-z_]+)\?(.+)$/.exec(path)) || []
    return list && query ? [[list, query] as const] : []
  })
  const filters = asked.flatMap(([list, query]) => {
    const terms = query
      .split('&')
      .filter((term) => !RESERVED_PARAMETERS.has(decodeURIComponent(/^[^=]*/.exec(term)?.[0] ?? '')))
    return terms.length > 0 ? [[list, terms.join('&')] as const] : []
  })
  return [...new Map(filters.map((one) => [one.join('?'), one])).values()]
}

describe('which messages a webhook wants', () => {
  const mounted = withMounted()
  const log = keptLog()
  let match: Match
  let decide: (asking: Partial<Asking>, ...messages: readonly Asked[]) => ReturnType<Match>

  before(() => {
    const { knex, storage } = mounted.database
    const { catalog } = mounted.itsm
    match = createMatch({ storage, catalog, queries: createQueries(storage, catalog), log })
    decide = (asking, ...messages) =>
      match(
        knex,
        messages.map((one) => ({ asking: { ...ASKING, ...asking }, message: one })),
      )
  })

  /** Rows of the account of the fixtures' people, as messages about them. */
  async function messagesAbout(type: string): Promise<readonly Asked[]> {
    const { knex, storage } = mounted.database
    const { columns, table } = mounted.itsm.catalog.type(type)
    const rows: Record<string, unknown>[] = await knex(storage.table(table)).where({ account_id: 'widgets' })
    const kept = (row: Record<string, unknown>, name: string) =>
      columns.has(name) && row[name] !== null ? { [name]: row[name] } : {}
    return rows.map((row) =>
      message({
        event: `${type}.update`,
        recordType: type,
        recordId: Number(row['id']),
        snapshot: { ...kept(row, 'status'), ...kept(row, 'team_id'), ...kept(row, 'member_id') },
      }),
    )
  }

  it('are those of its events that others than one person have caused', async () => {
    expect(await decide({}, message(), message({ event: 'task.create' }))).to.deep.equal([{ wanted: true }, { wanted: true }])
    expect(await decide({}, message({ event: 'request.create' }))).to.deep.equal([
      { wanted: false, because: 'event', term: 'request.update,task.*', met: 'request.create' },
    ])
    expect(await decide({ disabled: true }, message())).to.deep.equal([
      { wanted: false, because: 'disabled', term: 'disabled', met: true },
    ])
    expect(await decide({ exceptPersonId: 7 }, message(), message({ personId: 8 }), message({ personId: null }))).to.deep.equal(
      [{ wanted: false, because: 'own_change', term: 'except_person_id=7', met: 7 }, { wanted: true }, { wanted: true }],
    )
  })

  it('are those of records in the list with the same filter, for every filter in the fixtures', async function () {
    this.timeout(60_000)
    let compared = 0
    const refused: string[] = []
    for (const [path, written] of filtersOfFixtures()) {
      const filter = written.replace(/@([\w-]+)/g, (text, name) =>
        mounted.world.names.includes(name) ? `${mounted.world.id(name)}` : text,
      )
      const type = mounted.itsm.catalog.byPath.get(path)
      // Roles are not values of people: only their list has them.
      if (!type || filter.startsWith('roles=')) continue
      const { json, status } = await mounted.ask('owen', 'GET', `/${path}?${filter}&fields=id&per_page=100`)
      if (status === 400) {
        expect(() => readTerms(type, filter, administratorsMayRead), filter).to.throw(BadRequest)
        refused.push(filter)
        continue
      }
      if (status !== 200) continue
      const listed = (json as { readonly id: number }[]).map(({ id }) => id)
      const all = (await mounted.ask('owen', 'GET', `/${path}?fields=id&per_page=100`)).json as { readonly id: number }[]
      const messages = (await messagesAbout(type.name)).filter(({ recordId }) => all.some(({ id }) => id === recordId))
      const decisions = await decide({ event: `${type.name}.update`, filter }, ...messages)
      const wanted = messages.filter((_, index) => decisions[index]?.wanted).map(({ recordId }) => recordId)
      const here = new Set(messages.map(({ recordId }) => recordId))
      expect(wanted, `${path}?${filter}`).to.have.members(listed.filter((id) => here.has(id)))
      compared += 1
    }
    expect(compared).to.be.above(40)
    expect(refused.length).to.be.above(10)
    expect(log.lines).to.deep.equal([])
  })

  it('are decided on status, team and member as of the message, on other values as they are now', async () => {
    const id = mounted.world.id('forgotten-password')
    const then = { recordId: id, snapshot: { status: 'declined', team_id: 404 } }
    expect(await decide({ filter: 'status=declined&team=404&member=&category=incident' }, message(then))).to.deep.equal([
      { wanted: true },
    ])
    expect(await decide({ filter: 'team=!404' }, message(then))).to.deep.equal([
      { wanted: false, because: 'filter', term: 'team=!404', met: 404 },
    ])
    expect(await decide({ filter: 'status=declined&category=rfc' }, message(then))).to.deep.equal([
      { wanted: false, because: 'filter', term: 'category=rfc', met: 'incident' },
    ])
  })

  it('are all of those that cannot be decided any more, because the record is gone', async () => {
    const gone = message({ recordId: 999_999, snapshot: { status: 'completed' } })
    expect(await decide({ filter: 'category=rfc' }, gone)).to.deep.equal([{ wanted: true }])
    expect(await decide({ filter: 'category=rfc&status=!completed' }, gone)).to.deep.equal([
      { wanted: false, because: 'filter', term: 'status=!completed', met: 'completed' },
    ])
  })

  it('are those with a certain change, by their audit line', async () => {
    const { knex, storage } = mounted.database
    const id = mounted.world.id('forgotten-password')
    await mounted.ask('owen', 'PATCH', `/requests/${id}`, { subject: 'Forgotten again', impact: 'low' })
    const [line] = await knex(storage.table('audit_lines')).where({ owner_type: 'request', owner_id: id }).max({ id: 'id' })
    const changed = message({ recordId: id, auditLineId: Number(line?.['id']) })
    expect(await decide({ filter: 'changed=team,subject' }, changed)).to.deep.equal([{ wanted: true }])
    expect(await decide({ filter: 'changed=team' }, changed, message({ recordId: id }))).to.deep.equal([
      { wanted: false, because: 'filter', term: 'changed=team', met: ['subject', 'impact'] },
      { wanted: false, because: 'filter', term: 'changed=team', met: [] },
    ])
  })

  it('take a statement for each filter and record type, however many webhooks and messages there are', async () => {
    const { knex } = mounted.database
    const requests = await messagesAbout('request')
    const ask = (webhooks: number) => {
      const filters = ['category=incident&subject=!x', 'impact=low', 'changed=team', 'status=completed']
      const questions = Array.from({ length: webhooks }, () => requests).flat()
      return match(
        knex,
        filters.flatMap((filter) => questions.map((one) => ({ asking: { ...ASKING, filter }, message: one }))),
      )
    }
    const counter = countStatements(knex)
    expect(await counter.during(() => ask(1))).to.equal(2)
    expect(await counter.during(() => ask(40))).to.equal(2)
  })

  it('are all, with a warning, if the type has changed so that the filter does not fit it', async () => {
    expect(await decide({ filter: 'seats=4' }, message())).to.deep.equal([{ wanted: true }])
    expect(log.lines.map(({ message: text }) => text)).to.deep.equal([
      'The filter of a webhook does not fit the record type: it has no effect',
    ])
  })
})
