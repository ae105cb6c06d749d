import { expect } from 'chai'
import { Unavailable } from '../../../plugin/core/errors.js'
import type { SaveItem } from '../../../plugin/operations/contract.js'
import { rule } from '../../../plugin/schema/language/define-rule.js'
import { extendRecord } from '../../../plugin/schema/language/extend-record.js'
import { withHouse } from '../../support/house.js'

describe('operations/save/submit-each', () => {
  let saved = 0
  let fault: unknown = null
  const counts = rule('counts', () => ({
    written({ fail, next }) {
      saved += 1
      if (fault !== null) throw fault
      if (next['remarks'] === 'late') fail('remarks', 'Too late')
    },
  }))
  const house = withHouse({ extend: [extendRecord('site', { rules: [counts()] })] })
  let admin = 0
  before(async () => {
    admin = await house.addPerson('Ada Admin', ['account_administrator'])
  })
  const submitEach = async (items: readonly SaveItem[], isOver = () => false) => {
    const call = await house.by(admin)
    return house.operations.submitEach(
      call,
      'site',
      items.map((item) => ({ call, item })),
      isOver,
    )
  }
  const named = async (prefix: string) =>
    (await house.table('sites')).map(({ name }) => String(name)).filter((name) => name.startsWith(prefix))

  it('begins no further batch when the time is over, and keeps what is saved by then', async () => {
    const bodies = ['T 1', 'T 2', 'T 3', 'T 4'].map((name) => ({
      id: null,
      body: { name, remarks: name === 'T 4' ? 'late' : '' },
    }))
    saved = 0
    const outcomes = await submitEach(bodies, () => saved > 4)
    expect(outcomes.map((one) => (one.outcome === 'denied' ? one.error.constructor : one.outcome))).to.deep.equal([
      'created',
      'created',
      Unavailable,
      Unavailable,
    ])
    expect(await named('T ')).to.deep.equal(['T 1', 'T 2'])
  })

  it('gives one record its fault, and all of them that of the database', async () => {
    const one = { id: null, body: { name: 'F 1' } }
    fault = Object.assign(new Error('a mistake'), { code: 'EWHATEVER' })
    const [outcome] = await submitEach([one])
    expect(outcome?.outcome).to.equal('denied')
    fault = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
    const thrown: unknown = await submitEach([one, { id: null, body: { name: 'F 2' } }]).catch((error: unknown) => error)
    expect(thrown).to.equal(fault)
    fault = null
    expect(await named('F ')).to.deep.equal([])
  })
})
