import { expect } from 'chai'
import type { Call, Role } from '../../../plugin/core/call.js'
import { BadRequest } from '../../../plugin/core/errors.js'
import { createReadList } from '../../../plugin/operations/read/list-parameters.js'
import { compile } from '../../../plugin/schema/compile/compile.js'
import { common } from '../../../plugin/schema/kinds/common-fields.js'
import { integer, string } from '../../../plugin/schema/kinds/fields.js'
import { defineRecord } from '../../../plugin/schema/language/define-record.js'

const thing = defineRecord('thing', {
  path: 'things',
  fields: { ...common, name: string(40), size: integer(), cost: integer({ read: ['auditor'] }) },
  collection: { fields: 'id', sort: 'id', sortable: 'id name size cost', filterable: 'id name size cost' },
  access: { create: [], update: [] },
})
const type = compile([thing], []).type('thing')
const { sort, below } = type.collection
const callOf = (...roles: Role[]) =>
  ({
    actor: { id: 1, accountId: 'x' },
    account: { id: 'x' },
    roles: new Set(roles),
    bypassesPermissions: false,
  }) as unknown as Call
const asked = (query: string) => [...new URLSearchParams(query)]

describe('parameters of lists', () => {
  it('are read once for all pages of a choice of fields, filters and order', () => {
    const readList = createReadList()
    const first = readList(callOf(), type, asked('fields=name&name=x&sort=-size&page=1'), sort)
    const third = readList(callOf(), type, asked('page=3&fields=name&name=x&sort=-size&per_page=7'), sort)
    expect(third).to.deep.equal({ ...first, page: 3, perPage: 7 })
    expect(third.where).to.equal(first.where)
    expect(third.fields).to.equal(first.fields)
    const [other] = readList(callOf(), type, asked('fields=name&name=y&sort=-size&page=1'), sort).where
    expect(other).to.deep.include({ values: ['y'] })
  })

  it('are others below an owner', () => {
    const readList = createReadList()
    expect(readList(callOf(), type, [], sort).sort).to.equal(sort)
    expect(readList(callOf(), type, [], below.sort).sort).to.equal(below.sort)
  })

  it('never let a caller filter or sort by what another caller may read', () => {
    const readList = createReadList()
    for (const query of ['cost=5', 'sort=cost']) {
      expect(readList(callOf('auditor'), type, asked(query), sort).page).to.equal(1)
      expect(() => readList(callOf(), type, asked(query), sort)).to.throw(BadRequest, 'not allowed on fields: cost')
    }
  })

  it('are refused each time when they are wrong', () => {
    const readList = createReadList()
    for (const query of ['nothing=1', 'page=0', 'name=x&page=0', 'name=x']) {
      const read = () => readList(callOf(), type, asked(query), sort)
      if (query === 'name=x') expect(read().perPage).to.equal(20)
      else for (const _ of [1, 2]) expect(read, query).to.throw(BadRequest)
    }
  })

  it('are not confused by values that look like other parameters', () => {
    const readList = createReadList()
    const pairs: [string, string][][] = [
      [
        ['name', 'a'],
        ['size', '1'],
      ],
      [['name', 'a 4 1 size1']],
      [
        ['name', 'a'],
        ['size', ''],
      ],
    ]
    const read = () => pairs.map((parameters) => JSON.stringify(readList(callOf(), type, parameters, sort).where))
    expect(read()).to.deep.equal(read())
    expect(new Set(read()).size).to.equal(pairs.length)
  })

  it('are read again where they hold a secret', () => {
    const readList = createReadList()
    const read = () => readList(callOf(), type, asked('name=x&api_token=secret'), sort)
    expect(read().where).to.not.equal(read().where)
  })
})
