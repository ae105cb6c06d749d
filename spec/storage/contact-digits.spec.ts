import { expect } from 'chai'
import { addContactDigits } from '../../migrations/0007_add_contact_digits.js'
import { reversedDigits } from '../../plugin/core/text/telephone-digits.js'
import { withDatabase } from '../support/database.js'

describe('the migration that makes telephone numbers searchable', () => {
  const database = withDatabase()
  const tools = () => ({ knex: database.knex, dialect: database.storage.dialect, table: database.storage.table })
  const contacts = () => database.knex(database.storage.table('contacts'))
  const contact = { account_id: 'acme', owner_type: 'person', owner_id: 1, label: 'work', integration: 0 }

  it('fills in the digits of the contacts that are there, as new ones get them', async () => {
    await addContactDigits.down(tools())
    const numbers = ['+31 20 555 4021', '0123 (4) 5', 'no digits', ...Array.from({ length: 1_100 }, (_, index) => `${index}00`)]
    for (let from = 0; from < numbers.length; from += 100) {
      await contacts().insert(numbers.slice(from, from + 100).map((uri) => ({ ...contact, protocol: 'telephone', uri })))
    }
    await contacts().insert({ ...contact, protocol: 'website', uri: 'https://1234567.example' })
    await addContactDigits.up(tools())
    const rows: { uri: string; digits_reversed: string | null }[] = await contacts()
      .select('uri', 'digits_reversed')
      .orderBy('id')
    expect(rows.map((row) => row.digits_reversed)).to.deep.equal([...numbers.map(reversedDigits), null])
  })

  it('may be repeated when it broke in the middle', async () => {
    await contacts().update({ digits_reversed: null })
    await addContactDigits.up(tools())
    expect(await contacts().whereNull('digits_reversed').pluck('protocol')).to.deep.equal(['website'])
  })
})
