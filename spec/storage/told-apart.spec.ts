import { expect } from 'chai'
import { tellReasonsApart } from '../../migrations/0048_tell_reasons_apart.js'
import { completeWithGroup } from '../../migrations/0050_complete_with_group.js'
import { withDatabase } from '../support/database.js'

describe('the migration that tells completion reasons apart', () => {
  const database = withDatabase()
  const tools = () => ({ knex: database.knex, dialect: database.storage.dialect, table: database.storage.table })
  const table = (name: string) => database.knex(database.storage.table(name))

  for (const [owners, tasks, by] of [
    ['changes', 'tasks', 'change_id'],
    ['projects', 'project_tasks', 'project_id'],
  ] as const) {
    it(`finds ${owners} that their tasks have completed`, async () => {
      await tellReasonsApart.down(tools())
      const stored = [
        [1, 'completed', 'complete', ['completed', 'canceled']],
        [2, 'completed', 'complete', ['completed', 'failed']],
        [3, 'completed', 'withdrawn', ['canceled']],
        [4, 'progress_halted', null, ['failed']],
      ] as const
      for (const [id, status, completion_reason, statuses] of stored) {
        await table(owners).insert({ id, account_id: 'acme', status, completion_reason })
        await table(tasks).insert(statuses.map((one) => ({ account_id: 'acme', [by]: id, status: one })))
      }
      await tellReasonsApart.up(tools())
      // What broke in the middle is repeated.
      await tellReasonsApart.up(tools())
      const rows = await table(owners).orderBy('id').select('reason_from_tasks')
      expect(rows.map((row) => Boolean(row.reason_from_tasks))).to.deep.equal([true, false, false, false])
    })
  }
})

describe('the migration that tells which requests were completed with their group', () => {
  const database = withDatabase()
  const tools = () => ({ knex: database.knex, dialect: database.storage.dialect, table: database.storage.table })

  it('finds them by the time', async () => {
    await completeWithGroup.down(tools())
    const requests = () => database.knex(database.storage.table('requests'))
    const at = (day: number) => `2026-11-0${day} 09:30:00`
    for (const [id, more] of [
      [1, { grouping: 'group', status: 'completed', completed_at: at(2) }],
      [2, { grouping: 'grouped', grouped_into_id: 1, status: 'completed', completed_at: at(2) }],
      [3, { grouping: 'grouped', grouped_into_id: 1, status: 'completed', completed_at: at(1) }],
      [4, { grouping: 'group', status: 'assigned', completed_at: null }],
      [5, { grouping: 'grouped', grouped_into_id: 4, status: 'assigned', completed_at: null }],
    ] as const)
      await requests().insert({ id, account_id: 'acme', ...more })
    await completeWithGroup.up(tools())
    await completeWithGroup.up(tools())
    expect(await requests().where({ completed_with_group: true }).pluck('id')).to.deep.equal([2])
  })
})
