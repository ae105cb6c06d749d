/** Every type is exported through the whole service, and its file is imported again (behaviour: Exports). */
import { readdirSync, readFileSync } from 'node:fs'
import { expect } from 'chai'
import { before, describe, it } from 'mocha'
import { records } from '../../plugin/records/records.js'
import { compileChecked } from '../../plugin/schema/compile/compile.js'
import { importKinds } from '../../plugin/schema/derive/import-kinds.js'
import { SHARED_LISTS } from '../../plugin/words/shared-lists.js'
import { rowsOfCsv } from '../support/csv.js'
import { exportedFile, imported } from '../support/file-clients.js'
import { withMounted } from '../support/mounted.js'

const ADMIN = '@owen'
const types = importKinds(compileChecked(records, [], SHARED_LISTS)).map(({ type }) => type)

describe('Exports of a type', () => {
  const place = withMounted('bare', { log: { debug() {}, info() {}, warn: console.log, error: console.log } as never })
  /** Replaces `{{patch-servers}}` by the id of that record of the world: some types are named by their ids. */
  const withIds = (text: string) => text.replace(/\{\{(.+?)\}\}/g, (_, name: string) => String(place.world.id(name)))
  const auditLines = async () => Number((await place.database.knex('itsm_audit_lines').max({ id: 'id' }))[0]?.['id'])

  before('imports the files of the fixtures', async () => {
    await place.itsm.start()
    const files = readdirSync('fixtures/imports', { recursive: true, encoding: 'utf8' }).sort()
    for (const type of types)
      for (const file of files.filter((one) => one.startsWith(`${type}/`) && one.endsWith('.csv')))
        await imported(place, ADMIN, type, withIds(readFileSync(`fixtures/imports/${file}`, 'utf8')))
  })

  for (const type of types) {
    it(`${type}: the file changes nothing when it is imported`, async () => {
      const text = await exportedFile(place, ADMIN, type)
      const rows = (await rowsOfCsv(text)).length - 1
      expect(rows).to.be.greaterThan(0)
      const before = await auditLines()
      const { log, results, state } = await imported(place, ADMIN, type, text)
      expect({ state, ...results }, log).to.deep.equal({
        state: 'done',
        ...{ created: 0, updated: 0, deleted: 0, unchanged: rows, failures: 0, errors: 0 },
      })
      expect(log.split('\n')).to.have.lengthOf(3)
      expect(await auditLines()).to.equal(before)
    }).timeout(20_000)
  }
})
