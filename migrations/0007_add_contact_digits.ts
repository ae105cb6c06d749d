import type { Knex } from 'knex'
import { addColumns, addIndex, dropColumns, dropIndex, type Migration, type MigrationTools } from './tools.js'

interface Contact {
  readonly id: number
  readonly uri: string | null
}

/** Contacts per statement that sets their digits. */
const BATCH = 500

/** Makes telephone numbers searchable: by their digits, from the last one on, and by the support ID of people. */
export const addContactDigits: Migration = {
  name: '0007_add_contact_digits',

  async up(schema) {
    // Only what is missing: on MySQL a migration that failed is not rolled back.
    if (!(await schema.knex.schema.hasColumn(schema.table('contacts'), 'digits_reversed'))) {
      await addColumns(schema, 'contacts', (table) => {
        table.string('digits_reversed', 32)
        table.index('digits_reversed')
      })
    }
    await fillDigits(schema)
    await addIndex(schema, 'people', 'supportID')
  },

  async down(schema) {
    await dropIndex(schema, 'people', 'supportID')
    await dropColumns(schema, 'contacts', 'digits_reversed')
  },
}

async function fillDigits(schema: MigrationTools): Promise<void> {
  const contacts = schema.table('contacts')
  for (let last = 0; ; ) {
    const batch: readonly Contact[] = await schema
      .knex(contacts)
      .where('protocol', 'telephone')
      .where('id', '>', last)
      .orderBy('id')
      .limit(BATCH)
      .select('id', 'uri')
    if (batch.length === 0) return
    await schema
      .knex(contacts)
      .whereIn(
        'id',
        batch.map(({ id }) => id),
      )
      .update({ digits_reversed: digitsOf(schema.knex, batch) })
    last = Number(batch.at(-1)?.id)
  }
}

/** `CASE id WHEN 7 THEN '8765' … END`. */
function digitsOf(knex: Knex, batch: readonly Contact[]): Knex.Raw {
  const cases = batch.flatMap(({ id, uri }) => [id, reversedDigits(uri ?? '')])
  return knex.raw(`CASE id ${batch.map(() => 'WHEN ? THEN ?').join(' ')} END`, cases)
}

function reversedDigits(number: string): string {
  const digits = number.replace(/[^0-9]/g, '').replace(/^0+/, '')
  return [...digits.slice(-32)].reverse().join('')
}
