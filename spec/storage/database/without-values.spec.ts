/** Errors of the database, as they are logged: no values, but all names. */
import { expect } from 'chai'
import { pino } from 'pino'
import { withoutValues } from '../../../plugin/storage/database/without-values.js'
import { testStore, withDatabase } from '../../support/database.js'
import { errorOf } from '../../support/house.js'

const SQL = 'select `name` from `itsm_sites` where `name` = ? limt ?'

/** What is left of messages of MySQL, MariaDB and SQLite; an s in place of each value. */
const LEFT: Readonly<Record<string, string>> = {
  "Duplicate entry 's-s' for key 'itsm_sites.name'": "Duplicate entry '…' for key 'itsm_sites.name'",
  "Duplicate entry 's' for key 's' for key 'name'": "Duplicate entry '…' for key 'name'",
  "Duplicate entry 's for value s' for key 'name'": "Duplicate entry '…' for key 'name'",
  "Duplicate entry 's's for column 's' at row 1' for key 'name'": "Duplicate entry '…' for key 'name'",
  "Foreign key constraint for table 'sites', record 's' would lead to a duplicate entry in a child table":
    "Foreign key constraint for table 'sites', record '…' would lead to a duplicate entry in a child table",
  "Incorrect integer value: 's' for column `acme`.`sites`.`age` at row 1":
    "Incorrect integer value: '…' for column `acme`.`sites`.`age` at row 1",
  "Incorrect integer value: 's' for column 'age' at row 1": "Incorrect integer value: '…' for column 'age' at row 1",
  "Incorrect datetime value: 's' for function str_to_date": "Incorrect datetime value: '…' for function str_to_date",
  "Incorrect DATE value: 's'": "Incorrect DATE value: '…'",
  "Truncated incorrect DOUBLE value: 's'": "Truncated incorrect DOUBLE value: '…'",
  "Illegal double 's' value found during parsing": "Illegal double '…' value found during parsing",
  "Invalid utf8mb4 character string: 's'": "Invalid utf8mb4 character string: '…'",
  "Cannot convert string 's' from utf8mb4 to latin1": "Cannot convert string '…' from utf8mb4 to latin1",
  "BIGINT UNSIGNED value is out of range in '(`acme`.`sites`.`age` - s)'": "BIGINT UNSIGNED value is out of range in '…'",
  "Column 'kind' has duplicated value 's' in SET": "Column 'kind' has duplicated value '…' in SET",
  "Encountered illegal value 's' when converting to DOUBLE": "Encountered illegal value '…' when converting to DOUBLE",
  'Table has no partition for value s': 'Table has no partition for value …',
  "Unknown or incorrect time zone: 's'": "Unknown or incorrect time zone: '…'",
  "Variable 'sql_mode' can't be set to the value of 's'": "Variable 'sql_mode' can't be set to the value of '…'",
  "You have an error in your SQL syntax; check the manual that corresponds to your MariaDB server version for the right syntax to use near 'limt 's'' at line 1":
    "You have an error in your SQL syntax; check the manual that corresponds to your MariaDB server version for the right syntax to use near '…' at line 1",
  "bad JSON path: 's'": "bad JSON path: '…'",
}
/** Messages without values stay as they are. */
const KEPT = [
  "You have an error in your SQL syntax near 'limt ?' at line 1",
  "Unknown column 'itsm_sites.nme' in 'field list'",
  "Unknown column 'nme' in 'where clause'",
  "Column 'name' in field list is ambiguous",
  "Table 'acme.itsm_sites' doesn't exist",
  "Column 'name' cannot be null",
  "Field 'name' doesn't have a default value",
  "Data too long for column 'name' at row 1",
  "Out of range value for column 'age' at row 1",
  "Check constraint 'sites_chk_1' is violated.",
  'CONSTRAINT `sites.age` failed for `acme`.`sites`',
  'Cannot add or update a child row: a foreign key constraint fails (`acme`.`parts`, CONSTRAINT `of` FOREIGN KEY (`id`) REFERENCES `sites` (`id`))',
  'Invalid JSON text: "Invalid value." at position 0 in value for column \'sites.data\'.',
  "Incorrect parameter count in the call to native function 'lpad'",
  'SQLITE_CONSTRAINT: UNIQUE constraint failed: itsm_sites.name',
  'no such column: nme',
  'malformed JSON',
]

describe('an error of a statement', () => {
  const left = (message: string) => (withoutValues(new Error(message), SQL) as Error).message

  for (const [message, expected] of Object.entries(LEFT)) {
    const secret = message.replace(/(?<![A-Za-z_])s(?![A-Za-z_])/g, 'Ines')
    it(`has no value: ${message}`, () => expect(left(secret)).to.equal(expected))
    it(`has none of several lines: ${message}`, () => expect(left(secret.replaceAll('Ines', 'I\nn'))).to.equal(expected))
  }
  for (const message of KEPT) it(`keeps its names: ${message}`, () => expect(left(message)).to.equal(message))

  describe('of a database', () => {
    const database = withDatabase({ migrated: false })
    const WRONG: Readonly<Record<string, readonly unknown[]>> = {
      'select 1 from names wher name = ?': ['Ines'],
      'update names set age = age - ?': [918273645],
      'update names set age = age * ?': [Number.MAX_SAFE_INTEGER],
      'update names set name = _utf8mb4 ?': [Buffer.from([0xff, 0x49])],
      'update names set data = ?': ['{Ines'],
      'update names set day = ?': ['Ines'],
      "update names set age = json_extract(name, concat('Ines', ?))": ['Ines'],
      'update names set age = json_extract(data, ?)': ['Ines'],
      'update names set name = convert_tz(?, ?, ?)': ['Ines', 'Ines', 'Ines'],
      "insert into names (name) values ('x'), (?), (?)": ['Ines', 'Ines'],
    }
    before(async () => {
      await database.knex.schema.createTable('names', (table) => {
        table.string('name', 20).unique()
        table.integer('age').unsigned()
        table.json('data')
        table.date('day')
      })
      await database.knex('names').insert({ name: 'Folk', age: 1 })
    })
    for (const [sql, values] of Object.entries(WRONG)) {
      it(`shows no value of it: ${sql}`, async function () {
        const outcome = await database.knex.raw(sql, values as never).then(
          () => null,
          (error: unknown) => error,
        )
        // Some databases take what others refuse.
        if (outcome === null) this.skip()
        const shown = JSON.stringify(pino.stdSerializers.err(outcome as Error)).replaceAll(sql, '')
        expect(shown).to.not.match(/Ines|918273645|9007199254740991/)
      })
    }
    it('is the one of the database', async () => {
      const error = await errorOf(database.knex('nams').then())
      expect(error.message).to.match(testStore() === 'server' ? /Table '\w+\.nams' doesn't exist/ : /no such table: nams/)
    })
  })
})
