/** The part of the generated suite that counts statements: a long list needs as many as a short one. */
import { expect } from 'chai'
import { it } from 'mocha'
import type { RecordType } from '../../plugin/schema/catalog.js'
import type { ContractDeps, Maker, Place } from './contract-place.js'
import { countStatements } from './count-statements.js'

const MANY = 50

export function describeCounting({ mounted, catalog }: ContractDeps, maker: Maker, place: Place): void {
  const { type } = place

  it(`costs as many statements for ${MANY} records as for 2`, async () => {
    const address = await place.address()
    const made = await maker.create(type, address, maker.body(type, 'full'))
    await copies(type, Number(made['id']))
    const counter = countStatements(mounted.database.knex)
    const fields = [...type.fields.keys()].join(',')
    const costOf = async (length: number) => {
      const read = async () => {
        const answer = await mounted.ask(maker.maker(type), 'GET', `${address}?per_page=${length}&sort=-id&fields=${fields}`)
        expect((answer.json as unknown[]).length, answer.text).to.equal(length)
      }
      // Everything that is cached for a while is cached by now.
      await read()
      return counter.during(read)
    }
    const short = await costOf(2)
    expect(short).to.be.greaterThan(0)
    expect(await costOf(MANY)).to.equal(short)
  })

  /**
   * Copies a record, each copy with its own references, so that looking them up one by one would show. Returns their ids.
   * Values that must differ are numbered from `first` on.
   */
  async function copies(of: RecordType, id: number, first = 0): Promise<readonly number[]> {
    const { knex, storage } = mounted.database
    const table = storage.table(of.table)
    const { id: _, ...row } = await knex(table).where({ id }).first()
    const idsIn = async (name: string, where: object) => {
      const rows = await knex(name).where(where).select('id').orderBy('id', 'desc').limit(MANY)
      return rows.map((one) => Number(one.id))
    }
    const unique = new Set(of.unique.flatMap((group) => group.slice(-1)))
    const others = new Map<string, readonly number[]>()
    for (const [column, field] of of.columns) {
      if (field.kind !== 'ref' || (of === type && field.name === place.by)) continue
      const target = catalog.type(field.record ?? '')
      const known = await idsIn(storage.table(target.table), { account_id: row.account_id })
      // If no two copies may refer to the same record, there have to be enough records.
      others.set(column, unique.has(column) ? await copies(target, row[column], known[0]) : known)
    }
    const rows = Array.from({ length: MANY }, (_, index) =>
      Object.fromEntries(
        Object.entries(row).map(([column, value]) => {
          const choice = others.get(column)
          if (choice && choice.length > 0) return [column, choice[index % choice.length]]
          if (of.keys.has(column) && value !== null) return [column, `${first + index}x${value}`.slice(0, 32)]
          return unique.has(column) && typeof value === 'string'
            ? [column, `${first + index}x${value}`.slice(0, 60)]
            : [column, value]
        }),
      ),
    )
    for (let from = 0; from < rows.length; from += 10) await knex(table).insert(rows.slice(from, from + 10))
    return idsIn(table, {})
  }
}
