import { expect } from 'chai'
import { administratorsCall, type Call } from '../../plugin/core/call.js'
import { createReadExtras, type Outbound } from '../../plugin/webhooks/read-extras.js'
import { countStatements } from '../support/count-statements.js'
import { withHouse } from '../support/house.js'
import { keptLog } from '../support/webhooks.js'

describe('what bodies have of a record', () => {
  const log = keptLog()
  let fails = false
  const house = withHouse({
    authorize: ({ row, type, call }, decide) => {
      if (fails && type === 'request' && row === null && call.actor === null) throw new Error('The host has no time')
      return decide()
    },
  })
  let ada = 0
  let request = 0
  let foreign = 0
  let line = 0
  let caused = 0

  const callOf = async (accountId: string): Promise<Call> =>
    administratorsCall(await house.callers.pluginCall('deliveries of webhooks', accountId))
  const read = (...deliveries: readonly (Partial<Outbound> & { readonly id?: number; readonly line?: number | null })[]) =>
    createReadExtras({ administratorsCall: callOf, find: house.operations.find, log })(
      deliveries.map(({ id = request, line: auditLineId = line, ...more }) => ({
        accountId: 'acme',
        payload: 'reference',
        message: { recordType: 'request', recordId: id, auditLineId },
        ...more,
      })),
    )

  before(async () => {
    ada = await house.addPerson('Ada', ['account_administrator', 'specialist'])
    const team_id = await house.add('team', { name: 'Desk' })
    const asked = { category: 'other', requested_by_id: ada, internal_note: 'Hush', team_id }
    request = await house.add('request', { subject: 'No signal', ...asked })
    await house.operations.save(await house.by(ada), 'request', request, { subject: 'No signal at all' })
    await house.operations.save(await house.by(ada, { cause: 'import 17' }), 'request', request, { subject: 'A signal' })
    const stranger = await house.add('person', { name: 'Stan', primary_email: 'stan@globex.example' }, { account: 'globex' })
    const theirs = await house.add('team', { name: 'Their desk' }, { account: 'globex' })
    const other = { subject: 'Theirs', category: 'other', requested_by_id: stranger, team_id: theirs }
    foreign = await house.add('request', other, { account: 'globex' })
    const lines = await house.operations.find(
      await callOf('acme'),
      'audit_line',
      [{ path: ['owner_id'], op: 'in', values: [request] }],
      9,
    )
    const [before = 0, last = 0] = lines
      .map(({ id }) => Number(id))
      .toSorted((one, other) => one - other)
      .slice(-2)
    line = before
    caused = last
  })

  it('is nothing more for a reference', async () => {
    expect(await read({}, {})).to.deep.equal([{}, {}])
  })

  it('is the record as GET shows it to an administrator', async () => {
    const shown = await house.operations.read(await house.by(ada), 'request', request)
    const [extras] = await read({ payload: 'snapshot' })
    expect(Object.keys(Object(extras?.record))).to.deep.equal(Object.keys(shown))
    expect(extras?.record).to.deep.equal(shown)
    expect(JSON.stringify(extras)).to.not.contain('Hush')
  })

  it('is null for what an administrator of the account does not see, and for what is gone', async () => {
    expect(await read({ payload: 'snapshot', id: foreign }, { payload: 'snapshot', id: 999_999 })).to.deep.equal([
      { record: null },
      { record: null },
    ])
    const import_ = { recordType: 'import', recordId: 1, auditLineId: null }
    expect(await read({ payload: 'snapshot', message: import_ })).to.deep.equal([{ record: null }])
  })

  it('is what the save has changed, as the audit shows it', async () => {
    expect(await read({ payload: 'changes' }, { payload: 'changes', line: null })).to.deep.equal([
      { changes: { subject: ['No signal', 'No signal at all'] } },
      { changes: null },
    ])
    expect(await read({ payload: 'changes', accountId: 'globex' })).to.deep.equal([{ changes: null }])
  })

  it('is also what made the change, if no caller has chosen it', async () => {
    expect(await read({ payload: 'changes', line: caused })).to.deep.equal([
      { changes: { subject: ['No signal at all', 'A signal'] }, cause: 'import 17' },
    ])
    expect(await read({ payload: 'changes', line: caused, accountId: 'globex' })).to.deep.equal([{ changes: null }])
    expect(Object.keys(Object((await read({ payload: 'snapshot', line: caused }))[0]))).to.deep.equal(['record'])
  })

  it('is unknown while a hook of the host fails', async () => {
    fails = true
    // Who reads the audit is asked about the records, too.
    expect(await read({ payload: 'snapshot' }, { payload: 'changes' }, {})).to.deep.equal([null, null, {}])
    fails = false
    const said = 'A record for deliveries of webhooks could not be read'
    expect(log.lines.map(({ message }) => message)).to.deep.equal([said, said])
  })

  it('is read once, however many deliveries there are', async () => {
    const counter = countStatements(house.storage.knex)
    const many = (count: number) =>
      Array.from({ length: count }, () => [{ payload: 'snapshot' }, { payload: 'changes' }] as const).flat()
    await read(...many(1))
    const once = await counter.during(() => read(...many(1)))
    expect(await counter.during(() => read(...many(50)))).to.equal(once)
  })
})
