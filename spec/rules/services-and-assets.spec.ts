import { expect } from 'chai'
import { generatedLabel, nameOfProduct, onlyForCertificates, serialNumberOfBrand } from '../../plugin/rules/assets/cis.js'
import { fixedWhileUsed, productName, valueBy } from '../../plugin/rules/assets/products.js'
import { agreesWithOwner, agreesWithOwners, agreesWithParts } from '../../plugin/rules/general/agrees-with-owner.js'
import { mustFollow } from '../../plugin/rules/general/must-follow.js'
import { referenceOf } from '../../plugin/rules/general/reference-of.js'
import type { Rule } from '../../plugin/schema/language/define-rule.js'
import { run } from './context.js'

describe('rules about services, products and configuration items', () => {
  describe('referenceOf', () => {
    const use = referenceOf('reference', { of: ['group', 'name'], max: 80 })
    it('joins what it is made of, in lower case and with underscores for blanks', async () => {
      const { next } = await run(use, { next: { group: 'Hardware', name: ' Desktop PC ' } })
      expect(next['reference']).to.equal('hardware/desktop_pc')
    })
    it('leaves out what is empty, and is empty itself when there is nothing', async () => {
      expect((await run(use, { next: { group: null, name: 'Web Site' } })).next['reference']).to.equal('web_site')
      expect((await run(use, { next: { group: null, name: '' } })).next['reference']).to.equal(null)
    })
    it('follows a change, and only that', async () => {
      const before = { id: 4, group: 'Hardware', name: 'PC', reference: 'hardware/pc' }
      expect((await run(use, { before, next: { name: 'Mac' } })).next['reference']).to.equal('hardware/mac')
      const older = { ...before, reference: 'hw/pc' }
      expect((await run(use, { before: older, next: { disabled: true } })).next['reference']).to.equal('hw/pc')
      expect((await run(use, { before: { ...before, reference: null }, next: {} })).next['reference']).to.equal('hardware/pc')
    })
    it('stays within its length, and differs from others with the same beginning', async () => {
      const referenceTo = async (name: string) =>
        String((await run(use, { next: { group: 'Hardware', name } })).next['reference'])
      expect(await referenceTo('x'.repeat(71))).to.equal(`hardware/${'x'.repeat(71)}`)
      const cases = [
        'x'.repeat(72),
        'x'.repeat(200),
        `${'x'.repeat(71)}-`,
        `${'x'.repeat(71)} 😀`,
        '😀'.repeat(127),
        'İ'.repeat(255),
      ]
      const references = await Promise.all(cases.map(referenceTo))
      for (const reference of references) {
        expect(reference).to.match(/^hardware\/.+~[0-9a-f]{8}$/u)
        expect([...reference]).to.have.length(80)
        expect(Buffer.from(reference).toString(), 'no half of a character').to.equal(reference)
      }
      expect(new Set(references)).to.have.property('size', cases.length)
      // Without regard to case, it is the same reference, which one record has.
      expect(await referenceTo('X'.repeat(72))).to.equal(references[0])
    })
  })

  describe('valueBy', () => {
    const use = valueBy('kind', { of: 'rules', values: { software: 'version' }, otherwise: 'hardware' })
    it('takes the value that belongs to that of the other field', async () => {
      expect((await run(use, { next: { rules: 'software' } })).next['kind']).to.equal('version')
    })
    it('takes the other value for everything that is not named', async () => {
      for (const rules of ['server', 'constructor', null])
        expect((await run(use, { next: { rules } })).next['kind'], String(rules)).to.equal('hardware')
    })
  })

  describe('fixedWhileUsed', () => {
    const use = fixedWhileUsed('rule_set', { by: 'product', as: 'category' })
    const before = { id: 7, rule_set: 'server' }
    const next = { rule_set: 'software' }
    it('refuses a change when there is somebody who relies on it', async () => {
      const { fails } = await run(use, { before, next, stored: { product: [{ id: 1, category_id: 7 }] } })
      expect(fails).to.deep.equal([['rule_set', 'cannot_be_changed']])
    })
    it('lets it be changed as long as there is nobody', async () => {
      const stored = { product: [{ id: 1, category_id: 8 }] }
      expect((await run(use, { before, next, stored })).fails).to.deep.equal([])
    })
    it('has nothing against a new record, nor against the value that is there', async () => {
      const stored = { product: [{ id: 1, category_id: 7 }] }
      expect((await run(use, { before, next: { ...before }, stored })).fails).to.deep.equal([])
      expect((await run(use, { next: { ...before }, stored })).fails).to.deep.equal([])
    })
  })

  describe('productName', () => {
    const stored = { product_category: [{ id: 5, name: 'Laptop' }] }
    it('is made of brand, model and category', async () => {
      const { next } = await run(productName(), {
        stored,
        next: { brand: 'Lumen', model: 'Note 14', category_id: 5 },
      })
      expect(next['name']).to.equal('Lumen Note 14 Laptop')
    })
    it('is kept when it is given', async () => {
      const { next } = await run(productName(), {
        stored,
        next: { name: 'Mine', brand: 'Lumen', category_id: 5 },
      })
      expect(next['name']).to.equal('Mine')
    })
    it('stays empty when there is nothing to make it of, and within 128 characters', async () => {
      expect((await run(productName(), { stored, next: { name: null } })).next['name']).to.equal(null)
      const { next } = await run(productName(), { stored, next: { brand: 'x'.repeat(128), model: 'y' } })
      expect(next['name']).to.equal('x'.repeat(128))
    })
  })

  describe('nameOfProduct', () => {
    const stored = { product: [{ id: 3, name: 'Lumen Note 14' }] }
    it('names a nameless CI after its product', async () => {
      for (const name of [null, ' ']) {
        const { next } = await run(nameOfProduct(), { stored, next: { product_id: 3, name } })
        expect(next['name']).to.equal('Lumen Note 14')
      }
    })
    it('keeps a name', async () => {
      const { next } = await run(nameOfProduct(), { stored, next: { product_id: 3, name: 'Mine' } })
      expect(next['name']).to.equal('Mine')
    })
  })

  describe('serialNumberOfBrand', () => {
    const use = serialNumberOfBrand()
    const stored = {
      product: [
        { id: 3, brand: 'Lumen' },
        { id: 4, brand: 'Quill' },
      ],
      ci: [{ id: 30, serial_nr: 'S1', 'product.brand': 'Lumen', product_id: 3 }],
    }
    const fails = async (next: { serial_nr: string | null; product_id: number }, before: { id: number } | null = null) =>
      (await run(use, { type: 'ci', stored, before, next })).fails
    it('is taken when another CI of the brand has it', async () => {
      expect(await fails({ serial_nr: 'S1', product_id: 3 })).to.deep.equal([['serial_nr', 'taken']])
    })
    it('is free for other brands, and for the CI that has it', async () => {
      expect(await fails({ serial_nr: 'S1', product_id: 4 })).to.deep.equal([])
      expect(await fails({ serial_nr: 'S1', product_id: 3 }, { id: 30 })).to.deep.equal([])
      expect(await fails({ serial_nr: null, product_id: 3 })).to.deep.equal([])
    })
  })

  describe('onlyForCertificates', () => {
    const use = onlyForCertificates('license_type')
    const stored = {
      product: [
        { id: 3, category_id: 5 },
        { id: 4, category_id: 6 },
      ],
      product_category: [
        { id: 5, rule_set: 'server' },
        { id: 6, rule_set: 'license_certificate' },
      ],
    }
    it('refuses a license of something else', async () => {
      const { fails } = await run(use, {
        stored,
        next: { product_id: 3, license_type: 'cpu_license' },
      })
      expect(fails).to.deep.equal([['license_type', 'not_allowed']])
    })
    it('has nothing against the license of a certificate, nor against none', async () => {
      const certificate = { product_id: 4, license_type: 'cpu_license' }
      expect((await run(use, { stored, next: certificate })).fails).to.deep.equal([])
      expect((await run(use, { stored, next: { product_id: 3, license_type: null } })).fails).to.deep.equal([])
    })
    it('takes the license away when the CI becomes something else', async () => {
      const before = { id: 9, product_id: 4, license_type: 'cpu_license' }
      const { next, fails } = await run(use, { stored, before, next: { product_id: 3 } })
      expect([next['license_type'], fails]).to.deep.equal([null, []])
    })
  })

  describe('generatedLabel', () => {
    const use = generatedLabel('CI-')
    it('is made of the id when a new record has none', async () => {
      const about = { type: 'ci', next: { id: 12, label: null } }
      expect((await run(use, about, 'before')).next['label']).to.equal(null)
      expect((await run(use, about, 'written')).next['label']).to.equal('CI-12')
    })
    it('is kept when it is given, and made again when it is taken away', async () => {
      expect((await run(use, { next: { id: 12, label: 'Mine' } }, 'written')).next['label']).to.equal('Mine')
      const emptied = { type: 'ci', before: { id: 12, label: 'CI-12' }, next: { label: null } }
      expect((await run(use, emptied)).next['label']).to.equal('CI-12')
    })
    it('gives way to a label that somebody gave by hand', async () => {
      const stored = {
        ci: [
          { id: 3, label: 'CI-12' },
          { id: 4, label: 'CI-12-2' },
        ],
      }
      const { next } = await run(use, { type: 'ci', stored, next: { id: 12, label: null } }, 'written')
      expect(next['label']).to.equal('CI-12-3')
    })
  })

  describe('agreesWithOwner', () => {
    const use = agreesWithOwner('template', { in: 'service', code: 'other_service' })
    const about = {
      refs: { template: 'request_template' },
      stored: {
        service_offering: [{ id: 1, service_id: 10 }],
        request_template: [
          { id: 20, service_id: 10 },
          { id: 21, service_id: 11 },
          { id: 22, service_id: null },
        ],
      },
    }
    const fails = async (template_id: number) => {
      const next = { owner_type: 'service_offering', owner_id: 1, template_id }
      return (await run(use, { ...about, next })).fails
    }
    it('wants both to refer to the same record', async () => {
      expect(await fails(20)).to.deep.equal([])
      expect(await fails(21)).to.deep.equal([['template', 'other_service']])
      expect(await fails(22)).to.deep.equal([['template', 'other_service']])
    })
    it('leaves records that are not there to the check of references', async () => {
      expect(await fails(99)).to.deep.equal([])
    })
  })

  describe('agreesWithParts and agreesWithOwners', () => {
    const stored = {
      offering: [{ id: 1, service_id: 10 }],
      template: [{ id: 20, service_id: 10 }],
      target: [{ id: 5, owner_type: 'offering', owner_id: 1, template_id: 20 }],
    }
    const refs = { service: 'service' }
    const ofOffering = agreesWithParts('service', { part: 'target', by: { field: 'template', record: 'template' } })
    const ofTemplate = agreesWithOwners('service', { part: 'target', by: 'template' })
    const fails = async (rule: Rule, type: string, id: number, service_id: number | null, was: number | null = 10) =>
      (await run(rule, { type, refs, stored, before: { id, service_id: was }, next: { service_id } })).fails.map(
        ([field]) => field,
      )
    it('keep the records together that a sub-record connects', async () => {
      expect(await fails(ofOffering, 'offering', 1, 11)).to.deep.equal(['service'])
      expect(await fails(ofTemplate, 'template', 20, null)).to.deep.equal(['service'])
    })
    it('let others change, and both become right again', async () => {
      expect(await fails(ofOffering, 'offering', 2, 11)).to.deep.equal([])
      expect(await fails(ofTemplate, 'template', 21, 11)).to.deep.equal([])
      expect(await fails(ofOffering, 'offering', 1, 10)).to.deep.equal([])
      expect(await fails(ofOffering, 'offering', 1, 10, 11)).to.deep.equal([])
      expect(await fails(ofTemplate, 'template', 20, 10, 11)).to.deep.equal([])
    })
  })

  describe('mustFollow', () => {
    it('says in its own words what is wrong', async () => {
      const use = mustFollow('expiry_date', { after: 'notice_date', code: 'expiry_before_notice' })
      const dates = { notice_date: '2027-10-01', expiry_date: '2027-10-01' }
      expect((await run(use, { next: dates })).fails).to.deep.equal([['expiry_date', 'expiry_before_notice']])
      expect((await run(use, { next: { ...dates, expiry_date: '2027-10-02' } })).fails).to.deep.equal([])
    })
  })
})
