import { expect } from 'chai'
import { compile } from '../../../plugin/schema/compile/compile.js'
import { date, datetime, integer, string } from '../../../plugin/schema/kinds/fields.js'
import { defineRecord } from '../../../plugin/schema/language/define-record.js'
import { asText } from '../../../plugin/storage/records/as-text.js'

const show = defineRecord('show', {
  path: 'shows',
  fields: {
    id: integer({ readOnly: true }),
    name: string(9),
    day: date(),
    begins_at: datetime(),
    ends_at: datetime({ keywords: ['never'] }),
  },
  collection: { fields: 'id', sort: 'id' },
  access: { create: [], update: [] },
})
const { fields } = compile([show], []).type('show')

describe('columns of a SELECT list', () => {
  it('are texts on MariaDB where they hold dates and timestamps', () => {
    const shown = ['id', 'name', 'day', 'begins_at', 'ends_at'].map((name) => asText(`t.${name}`, fields.get(name)))
    expect(shown).to.deep.equal([
      't.id',
      't.name',
      '/*M! CAST(*/t.day/*M! AS CHAR)*/',
      '/*M! CAST(*/t.begins_at/*M! AS CHAR)*/',
      't.ends_at',
    ])
  })

  it('are as they are where they hold no field', () => {
    expect(asText('t.account_id', undefined)).to.equal('t.account_id')
  })
})
