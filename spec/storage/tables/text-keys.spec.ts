import { expect } from 'chai'
import { keyTexts } from '../../../migrations/0078_key_texts.js'
import type { MigrationTools } from '../../../migrations/tools.js'
import { exactKey, foldedKey } from '../../../plugin/core/text/identity.js'
import { testStore, withDatabase } from '../../support/database.js'

/** Letters that are younger than the collation of our columns: it takes them for different. */
const [LARGE, SMALL] = ['\u{1E900}', '\u{1E922}']

describe('the migration that gives texts their keys', () => {
  const database = withDatabase({ migrated: true })
  const tools = (): MigrationTools => ({
    knex: database.knex,
    dialect: database.storage.dialect,
    table: database.storage.table,
  })
  const sites = () => database.knex('itsm_sites')
  const people = () => database.knex('itsm_people')
  const failure = () =>
    keyTexts.up(tools()).then(
      () => '',
      (error: Error) => error.message,
    )

  beforeEach(async () => {
    for (const table of [sites(), people()]) await table.delete()
    await keyTexts.down(tools())
  })
  afterEach(async () => {
    for (const table of [sites(), people()]) await table.delete()
    await keyTexts.up(tools())
  })

  it('fills them, and stores texts in one form', async () => {
    await sites().insert({ id: 1, account_id: 'acme', name: 'Cafe\u0301', source: 'tool', sourceID: 'D8cuI' })
    await sites().insert({ id: 2, account_id: 'acme', name: 'CAF\u00c9 2', source: null, sourceID: 'D8cuI' })
    await people().insert({ id: 3, account_id: 'acme', primary_email: 'Ines@acme.example' })
    await keyTexts.up(tools())
    const rows = await sites().orderBy('id').select('name', 'key_of_name', 'key_of_source_pair')
    expect(rows).to.deep.equal([
      { name: 'Caf\u00e9', key_of_name: foldedKey('caf\u00e9'), key_of_source_pair: exactKey(['tool', 'D8cuI']) },
      { name: 'CAF\u00c9 2', key_of_name: foldedKey('caf\u00e9 2'), key_of_source_pair: null },
    ])
    expect(await people().pluck('key_of_primary_email')).to.deep.equal([foldedKey('ines@acme.example')])
  })

  it('goes on where it was interrupted', async () => {
    const names = Array.from({ length: 1203 }, (_, index) => ({ id: index + 1, account_id: 'acme', name: `Site ${index}` }))
    await database.knex.batchInsert('itsm_sites', names, 100)
    await keyTexts.up(tools())
    await sites().where('id', '>', 700).update({ key_of_name: null })
    await keyTexts.up(tools())
    expect(await sites().whereNull('key_of_name')).to.deep.equal([])
    expect(await sites().where({ id: 1200 }).pluck('key_of_name')).to.deep.equal([foldedKey('site 1199')])
  })

  it('lists records that become one, and changes nothing', async () => {
    await sites().insert([
      { id: 1, account_id: 'acme', name: `x${LARGE}` },
      { id: 2, account_id: 'acme', name: `x${SMALL}` },
      { id: 3, account_id: 'other', name: `x${SMALL}` },
    ])
    const isEmbedded = testStore() === 'embedded'
    if (isEmbedded) {
      await sites().insert([4, 5].map((id) => ({ id, account_id: 'acme', name: id === 4 ? 'Z\u00fcrich' : 'Z\u00dcRICH' })))
      await sites().insert([6, 7].map((id) => ({ id, account_id: 'acme', name: id === 6 ? '\u00e9' : 'e\u0301' })))
    }
    const message = await failure()
    expect(message).to.include(`itsm_sites: ids 1 ("x${LARGE}") and 2 ("x${SMALL}")`)
    if (isEmbedded)
      expect(message).to.include('itsm_sites: ids 4 ("Z\u00fcrich") and 5 ("Z\u00dcRICH")').and.to.include('ids 6 (')
    for (const table of ['requests', 'sites', 'people'])
      expect(
        Object.keys(await database.knex(`itsm_${table}`).columnInfo()).filter((name) => name.startsWith('key_of_')),
      ).to.deep.equal([])
    await sites().whereIn('id', [2, 5, 7]).delete()
    expect(await failure()).to.equal('')
  })

  it('keeps source IDs apart that differ in case', async () => {
    const at = (id: number, sourceID: string) => ({ id, account_id: 'acme', name: `Site ${id}`, source: 'tool', sourceID })
    await keyTexts.up(tools())
    await sites().insert({ ...at(1, 'D8cuI'), key_of_source_pair: exactKey(['tool', 'D8cuI']) })
    await sites().insert({ ...at(2, 'D8cUI'), key_of_source_pair: exactKey(['tool', 'D8cUI']) })
    const taken = await sites()
      .insert({ ...at(3, 'D8cUI'), key_of_source_pair: exactKey(['tool', 'D8cUI']) })
      .catch(() => 'taken')
    expect(taken).to.equal('taken')
    await sites().whereIn('id', [2]).delete()
  })
})
