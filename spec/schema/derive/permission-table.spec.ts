import { expect } from 'chai'
import { createPlugin } from '../../../plugin/index.js'
import type { FieldPermissions, RecordPermissions } from '../../../plugin/schema/derive/permission-table.js'
import { withHostType } from '../../support/contract.js'
import { TEST_SECRET } from '../../support/settings.js'

describe('schema/derive/permissions', () => {
  const plugin = createPlugin({
    baseUrl: 'https://desk.example/v1',
    secret: TEST_SECRET,
    database: { url: 'mysql://nobody@nowhere.example/none' },
    ...withHostType,
  })
  const permissions = plugin.permissions()
  const of = (type: string): RecordPermissions => {
    const found = permissions.find((one) => one.type === type)
    if (!found) throw new Error(type)
    return found
  }
  const fieldOf = (type: string, name: string): FieldPermissions | undefined =>
    of(type).fields.find((field) => field.name === name)

  it('cover each type of the catalog, those of the host included', () => {
    expect(permissions.map(({ type }) => type)).to.deep.equal([...plugin.catalog.types.keys()])
    expect(of('vehicle').update).to.deep.equal([
      { who: 'account_administrator', fields: null },
      { who: { person: 'driver' }, fields: null },
      { who: 'configuration_manager', fields: null },
      { who: { person: 'inspector' }, fields: ['color'] },
    ])
    expect(fieldOf('vehicle', 'price')?.read).to.deep.equal(['account_administrator', 'auditor', { person: 'driver' }])
  })

  it('are plain data, made anew for each reader', () => {
    expect(JSON.parse(JSON.stringify(permissions))).to.deep.equal(permissions)
    const [first] = plugin.permissions()
    if (first) (first.owners as string[]).push('nothing')
    expect(plugin.permissions()[0]?.owners).to.deep.equal([])
  })

  it('do not change what people may do when a reader changes them', () => {
    const emptied = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return
      Object.values(value).forEach(emptied)
      for (const name of Object.keys(value)) Reflect.deleteProperty(value, name)
    }
    emptied(plugin.permissions())
    expect(plugin.permissions()).to.deep.equal(permissions)
    expect(plugin.catalog.type('request').access.see?.otherwise).to.have.property('anyOf').with.property('length').above(2)
  })

  it('name the people who may do something, and the fields that this covers', () => {
    const request = of('request')
    expect(request.read).to.deep.equal([{ who: 'anyone', fields: null }])
    expect(request.create).to.deep.equal([{ who: 'anyone', fields: null }])
    expect(request.update).to.deep.include({ who: { person: 'requested_by' }, fields: ['note'] })
    expect(request.remove).to.equal(null)
    expect(of('task').update).to.deep.include({ who: { memberOf: 'team' }, fields: null })
    expect(of('webhook').read).to.deep.equal([{ who: 'account_administrator', fields: null }])
    expect(of('audit_line').create).to.equal(null)
  })

  it('tell which records people see', () => {
    const { all, otherwise, withOwner } = of('request').sees
    expect(all).to.include('specialist')
    expect(JSON.stringify(otherwise)).to.match(/^\{"anyOf":\[\{"requested_by":\{"placeholder":"me"\}\}/)
    expect(withOwner).to.equal(false)
    expect(of('person').sees).to.deep.equal({ all: null, otherwise: null, ofTrustedAccounts: null, withOwner: false })
    expect(of('note')).to.deep.include({ below: 'notes' })
    expect(of('note').sees).to.include({ withOwner: true })
    expect(of('note').owners).to.include.members(['request', 'vehicle'])
    expect(of('knowledge_article').sees.ofTrustedAccounts).to.not.equal(null)
  })

  it('tell what each field can be: set, changed, and read', () => {
    expect(fieldOf('request', 'addressed')).to.deep.equal({
      name: 'addressed',
      read: null,
      create: ['service_desk_manager'],
      update: ['service_desk_manager'],
      guardedBy: null,
      readOnly: false,
    })
    expect(fieldOf('request', 'completed_at')).to.deep.include({ create: [], update: [], readOnly: true })
    expect(fieldOf('request', 'created_by')).to.deep.include({ create: [], update: [], readOnly: false })
    expect(fieldOf('request', 'support_domain')).to.deep.include({ read: [], create: null, update: [] })
    expect(fieldOf('request', 'previous_team')).to.equal(undefined)
    expect(fieldOf('site', 'source')).to.deep.include({ create: null, update: ['account_administrator'] })
    expect(fieldOf('person', 'primary_email')).to.include({ guardedBy: 'account_owner' })
  })
})
