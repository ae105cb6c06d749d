import { expect } from 'chai'
import { changedBy } from '../../plugin/rules/general/changed-by.js'
import { referenceOf } from '../../plugin/rules/general/reference-of.js'
import { uiExtensionVersions } from '../../plugin/rules/general/ui-extension-versions.js'
import { needsChangeManager } from '../../plugin/rules/templates/started-changes.js'
import type { Json } from '../../plugin/schema/kinds/fields.js'
import type { DraftRow, Row } from '../../plugin/schema/language/define-rule.js'
import { run } from './context.js'

describe('needsChangeManager', () => {
  const use = needsChangeManager('manager', { template: 'template', service: 'service' })
  const refs = { manager: 'person', template: 'change_template', service: 'service' }
  const stored = {
    service: [
      { id: 1, change_manager_id: 7 },
      { id: 2, change_manager_id: null },
    ],
  }
  const fails = async (next: DraftRow, before: Row | null = null) => (await run(use, { refs, stored, before, next })).fails
  const missing = [['manager', 'blank']]

  it('asks for somebody when there is a template and the service names nobody', async () => {
    expect(await fails({ template_id: 3 })).to.deep.equal(missing)
    expect(await fails({ template_id: 3, service_id: 2 })).to.deep.equal(missing)
  })
  it('asks for nobody otherwise', async () => {
    expect(await fails({ service_id: 2 })).to.deep.equal([])
    expect(await fails({ template_id: 3, service_id: 1 })).to.deep.equal([])
    expect(await fails({ template_id: 3, service_id: 2, manager_id: 9 })).to.deep.equal([])
  })
  it('asks again when one of the three changes, and lets other changes pass', async () => {
    const before = { template_id: 3, service_id: 2, manager_id: null, subject: 'a' }
    expect(await fails({ subject: 'b' }, before)).to.deep.equal([])
    expect(await fails({ template_id: 4 }, before)).to.deep.equal(missing)
    expect(await fails({ service_id: null }, before)).to.deep.equal(missing)
  })
})

describe('changedBy', () => {
  const refs = { updated_by: 'person' }
  const updated = async (about: { actor?: number | null; before?: Row; next?: DraftRow }) =>
    (await run(changedBy('updated_by'), { refs, ...about })).next['updated_by_id']

  it('names the acting person, and nobody when the service acts', async () => {
    expect(await updated({ actor: 4, next: { name: 'a' } })).to.equal(4)
    expect(await updated({ actor: 5, before: { name: 'a', updated_by_id: 4 }, next: { name: 'b' } })).to.equal(5)
    expect(await updated({ actor: null, before: { name: 'a', updated_by_id: 4 }, next: { name: 'b' } })).to.equal(null)
  })
  it('stays while nothing changes', async () => {
    expect(await updated({ actor: 5, before: { name: 'a', updated_by_id: 4 }, next: { name: 'a' } })).to.equal(4)
  })
})

describe('referenceOf with kept', () => {
  const use = referenceOf('reference', { of: ['name'], max: 128, kept: true })

  it('is made once', async () => {
    expect((await run(use, { next: { name: 'Very Large' } })).next['reference']).to.equal('very_large')
    const before = { name: 'Very Large', reference: 'very_large' }
    expect((await run(use, { before, next: { name: 'Huge' } })).next['reference']).to.equal('very_large')
  })
})

describe('uiExtensionVersions', () => {
  const stored = { ui_extension_version: [{ id: 31, name: '4' }] }
  const saved = (before: Row | null, next: DraftRow, input: { readonly [field: string]: Json } = {}) => {
    const about = { type: 'ui_extension', stored, before, next, input }
    return run(uiExtensionVersions(), about, 'all')
  }
  const active = { id: 8, html: 'a', css: null, javascript: null, active_version_id: 31, prepared_version_id: null }
  const prepared = { ...active, active_version_id: null, prepared_version_id: 31 }
  const owner = { type: 'ui_extension', id: 8 }

  it('makes a first version of the content of a new extension', async () => {
    const { next, saves } = await saved(null, { id: 8, html: 'a' })
    expect(saves).to.deep.equal([['ui_extension_version', null, { html: 'a', css: null, javascript: null, name: '1' }, owner]])
    expect(next).to.include({ prepared_version_id: 999 })
  })
  it('makes none without content', async () => {
    expect((await saved(null, { id: 8 }, { activate: true })).saves).to.deep.equal([])
    expect((await saved(active, { title: 'x' })).saves).to.deep.equal([])
  })
  it('waits with the versions of a new extension until it has an id', async () => {
    const about = { type: 'ui_extension', stored, next: { html: 'a' } }
    expect((await run(uiExtensionVersions(), about)).saves).to.deep.equal([])
    const again = { ...about, before: prepared }
    expect((await run(uiExtensionVersions(), again, 'written')).saves).to.deep.equal([])
  })
  it('writes into the prepared version as long as there is one', async () => {
    const { next, saves } = await saved(prepared, { css: 'b' })
    expect(saves).to.deep.equal([['ui_extension_version', 31, { html: 'a', css: 'b', javascript: null }]])
    expect(next).to.include({ active_version_id: null, prepared_version_id: 31 })
  })
  it('starts another version after the active one', async () => {
    const { next, saves } = await saved(active, { css: 'b' })
    expect(saves).to.deep.equal([['ui_extension_version', null, { html: 'a', css: 'b', javascript: null, name: '5' }, owner]])
    expect(next).to.include({ active_version_id: 31, prepared_version_id: 999 })
  })
  it('makes the prepared version active when it is told to', async () => {
    expect((await saved(prepared, {}, { activate: true })).next).to.include({
      active_version_id: 31,
      prepared_version_id: null,
    })
    expect((await saved(prepared, {}, { activate: false })).next).to.include({
      active_version_id: null,
      prepared_version_id: 31,
    })
    expect((await saved(active, {}, { activate: true })).next).to.include({ active_version_id: 31, prepared_version_id: null })
    const { next } = await saved(active, { html: 'c' }, { activate: true })
    expect(next).to.include({ active_version_id: 999, prepared_version_id: null })
  })
})
