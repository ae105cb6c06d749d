/** Each of the three facts of a call changes one thing in the pipeline, whatever the other two are. */
import { expect } from 'chai'
import { type Migration, partTable, recordTable } from '../../../migrations/tools.js'
import type { Acting } from '../../../plugin/core/call.js'
import { Forbidden } from '../../../plugin/core/errors.js'
import { identity } from '../../../plugin/schema/kinds/common-fields.js'
import { parts, string } from '../../../plugin/schema/kinds/fields.js'
import { defineRecord } from '../../../plugin/schema/language/define-record.js'
import { withHouse } from '../../support/house.js'

const collection = { fields: 'id', sort: 'id', filterable: 'id' } as const
const access = { create: ['specialist'], update: ['specialist'] } as const
const label = { label: string(80, { required: true }), seal: string(80, { readOnly: true }) }

const parcel = defineRecord('parcel', {
  path: 'parcels',
  title: 'label',
  fields: { ...identity, ...label, straps: parts('strap') },
  parts: ['strap'],
  collection,
  access,
})

const strap = defineRecord('strap', {
  path: 'straps',
  title: null,
  partOf: ['parcel'],
  fields: { ...identity, ...label },
  collection: { ...collection, fields: 'id label seal' },
  access,
  audit: false,
})

const createParcels: Migration = {
  name: 'host_0001_create_parcels',
  async up(schema) {
    for (const [build, name] of [
      [recordTable, 'parcels'],
      [partTable, 'straps'],
    ] as const) {
      await build(schema, name, (table) => {
        table.string('label', 80)
        table.string('seal', 80)
      })
    }
  },
  down: async () => {},
}

describe('the facts of a call', () => {
  const asked: string[] = []
  const house = withHouse({
    records: [parcel, strap],
    migrations: [createParcels],
    authorize: (question, decide) => {
      asked.push(`${question.type}.${question.action}`)
      return decide()
    },
  })

  for (const acts of ['caller', 'host', 'plugin'] as const satisfies readonly Acting[]) {
    for (const bypassesPermissions of [true, false]) {
      for (const setsReadOnly of [true, false]) {
        const name = `${acts}, ${bypassesPermissions ? 'past' : 'within'} permissions, ${setsReadOnly ? 'all' : 'open'} fields`
        it(`are independent: ${name}`, async () => {
          const plain = await house.addPerson(`Pia ${name}`)
          const id = await house.add('parcel', { label: 'Books' })
          const base = acts === 'caller' ? await house.by(plain) : await house.system()
          const call = { ...base, acts, bypassesPermissions, setsReadOnly }
          asked.length = 0
          const body = { label: 'Glass', seal: 'S-1', straps_attributes: [{ label: 'Belt', seal: 'S-2' }] }
          const [outcome] = await house.operations.saveAll(call, 'parcel', [{ id, body }])

          // Without a role and past no permissions the caller may read, and no more.
          if (!bypassesPermissions) expect(outcome).to.have.property('error').that.is.instanceOf(Forbidden)
          expect(outcome?.outcome).to.equal(bypassesPermissions ? 'updated' : 'denied')
          const isAsked = acts === 'caller' || !bypassesPermissions
          expect(asked.includes('parcel.update'), asked.join()).to.equal(isAsked)
          if (!bypassesPermissions) return
          expect(await house.row('parcel', id)).to.include({ label: 'Glass', seal: setsReadOnly ? 'S-1' : null })
          // What may be set in a record says nothing about its sub-records.
          const straps = (await house.table('straps')).filter((row) => Number(row['owner_id']) === id)
          expect(straps).to.have.length(1)
          expect(straps[0]).to.include({ label: 'Belt', seal: null })
          const lines = (await house.table('audit_lines')).filter((line) => line['owner_type'] === 'parcel')
          const line = lines.filter((one) => Number(one['owner_id']) === id).at(-1)
          const by = line?.['created_by_id'] ?? null
          expect(by === null ? null : Number(by)).to.equal(acts === 'caller' ? plain : null)
        })
      }
    }
  }

  it('let a person set read-only fields within the own permissions', async () => {
    const sam = await house.addPerson('Sam Specialist', ['specialist'])
    const id = await house.add('parcel', { label: 'Books' })
    const call = await house.by(sam)
    await house.operations.save(call, 'parcel', id, { seal: 'S-1' })
    expect(await house.row('parcel', id)).to.include({ seal: null })
    await house.operations.save({ ...call, setsReadOnly: true }, 'parcel', id, { seal: 'S-1' })
    expect(await house.row('parcel', id)).to.include({ seal: 'S-1' })
  })
})
