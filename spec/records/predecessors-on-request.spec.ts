/** Tasks with those before them, as lists show them on request (behaviour: Selected fields, Tasks). */
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { countStatements } from '../support/count-statements.js'
import { withMounted } from '../support/mounted.js'

describe('predecessors on request', function () {
  this.timeout(60_000)
  const mounted = withMounted()

  it('are in a single task only if they are asked for, also after a change', async () => {
    const path = `/tasks/${mounted.world.id('approve-upgrade')}`
    const before = { id: mounted.world.id('assess-upgrade'), subject: 'Assess the risk of the upgrade', sourceID: 'T-1' }
    const plain = await mounted.ask('carl', 'GET', path)
    expect(plain.json).not.to.have.property('predecessors')
    const asked = await mounted.ask('carl', 'GET', `${path}?fields=predecessors`)
    expect(asked.json).to.deep.equal({ ...(plain.json as object), predecessors: [before] })
    const changed = await mounted.ask('carl', 'PATCH', `${path}?fields=predecessors`, { urgent: true })
    expect(changed.json).to.deep.include({ urgent: true, predecessors: [before] })
  })

  it('take one statement more for a whole page', async () => {
    const statements = countStatements(mounted.database.knex)
    const project_id = mounted.world.id('new-office')
    const tasks = `/projects/${project_id}/tasks`
    const bodies = Array.from({ length: 60 }, (_, index) => ({
      template_id: mounted.world.id('hire-movers'),
      subject: `Step ${index}`,
      ...(index % 2 === 1 ? { predecessor_ids: [mounted.world.id('choose-floor'), mounted.world.id('sign-lease')] } : {}),
    }))
    expect((await mounted.ask('petra', 'POST', tasks, bodies)).status).to.equal(200)
    const costOf = async (fields: string) => {
      const list = () => mounted.ask('petra', 'GET', `${tasks}?per_page=100&fields=${fields}`)
      await list()
      return statements.during(list)
    }
    expect((await costOf('subject,predecessors')) - (await costOf('subject'))).to.equal(1)
  })

  it('are described as shown on request alone', async () => {
    const { json } = await mounted.ask('carl', 'GET', '/catalog/task')
    const { types } = json as { readonly types: readonly { readonly fields: readonly { readonly name: string }[] }[] }
    expect(types[0]?.fields.find(({ name }) => name === 'predecessors')).to.include({
      kind: 'refs',
      record: 'task',
      input: 'predecessor_ids',
      on_request: true,
    })
  })
})
