import { expect } from 'chai'
import { extendRecord, rule } from '../../../plugin/index.js'
import { withHouse } from '../../support/house.js'
import { namedMoves, unnamed, watchMoves } from '../../support/status-moves.js'

const halts = rule('halts', () => ({
  fill({ next }) {
    if (next['subject'] === 'Halt') next['status'] = 'progress_halted'
  },
}))

describe('moves of a status', () => {
  const house = withHouse({
    extend: [extendRecord('problem', { rules: [halts()] })],
    before: {
      'problem.save': [
        ({ next }) => {
          if (next['subject'] === 'Hook') next['status'] = 'analyzed'
        },
      ],
    },
  })
  let [service, team, manager] = [0, 0, 0]

  before(async () => {
    manager = await house.addPerson('Marc', ['problem_manager'])
    team = await house.add('team', { name: 'Desk', manager_id: manager })
    const provider_id = await house.add('organization', { name: 'ACME' })
    service = await house.add('service', { name: 'Email', provider_id, support_team_id: team, problem_manager_id: manager })
  })

  const movesOf = async (work: () => Promise<unknown>) => {
    const watch = watchMoves()
    await work().finally(() => watch.stop())
    return watch.moved.filter(({ type }) => type === 'problem').map(({ by, from, to }) => `${from} → ${to} by ${by}`)
  }
  const problem = (subject: string, more: object = {}) =>
    house.add('problem', { subject, service_id: service, impact: 'low', ...more })

  it('are published with what has made them', async () => {
    expect(await movesOf(() => problem('Slow'))).to.deep.equal(['null → assigned by default'])
    expect(await movesOf(() => problem('Hook'))).to.deep.equal(['null → assigned by default', 'assigned → analyzed by hook'])
    const id = await problem('Slow')
    const save = async (body: object) => house.operations.save(await house.system(), 'problem', id, body)
    expect(await movesOf(() => save({ status: 'accepted' }))).to.deep.equal(['assigned → accepted by hand'])
    expect(await movesOf(() => save({ status: 'accepted', impact: 'high' }))).to.deep.equal([])
    expect(await movesOf(() => save({ subject: 'Halt' }))).to.deep.equal([
      'accepted → progress_halted by rule halts of problem',
    ])
  })

  it('are not published for what is refused', async () => {
    const refused = problem('Slow', { status: 'waiting_for', service_id: null }).catch(() => {})
    expect(await movesOf(() => refused)).to.deep.equal([])
  })

  it('must be named by the rule that makes them', async () => {
    const watch = watchMoves()
    await problem('Halt').finally(() => watch.stop())
    expect(unnamed(house.catalog, watch.moved)).to.deep.equal(['problem: assigned → progress_halted by rule halts of problem'])
  })

  it('name statuses that their type has', () => {
    for (const { from, move, to, type } of namedMoves(house.catalog)) {
      const statuses = house.catalog.type(type).fields.get('status')?.values ?? []
      expect(statuses, `${type}: ${move.when}`).to.include.members([...to, ...from.filter((one) => one !== null)])
      expect([from, to], `${type}: ${move.when}`).to.not.deep.include([])
    }
  })
})
