import { expect } from 'chai'
import { setByImport } from '../../plugin/rules/general/set-by-import.js'
import { businessUnits } from '../../plugin/rules/people/business-units.js'
import { keepDigits } from '../../plugin/rules/people/contact-labels.js'
import { defaultsOfPerson } from '../../plugin/rules/people/person-defaults.js'
import { requestTeam } from '../../plugin/rules/requests/request-team.js'
import { run } from './context.js'

describe('defaultsOfPerson', () => {
  const stored = {
    site: [
      { id: 3, time_zone: 'Tokyo' },
      { id: 4, time_zone: null },
    ],
  }
  const made = async (next: object, before: object | null = null) =>
    (await run(defaultsOfPerson(), { stored, before: before as never, next: next as never })).next

  it('gives new people the organization and the language of the account', async () => {
    expect(await made({})).to.deep.equal({ organization_id: 70, locale: 'nl', time_zone: 'Amsterdam' })
    expect(await made({ organization_id: 1, locale: 'de', time_zone: 'Berlin' })).to.deep.equal({
      organization_id: 1,
      locale: 'de',
      time_zone: 'Berlin',
    })
  })
  it('takes the time zone of the site, where it has one', async () => {
    expect(await made({ site_id: 3 })).to.include({ time_zone: 'Tokyo' })
    expect(await made({ site_id: 4 })).to.include({ time_zone: 'Amsterdam' })
  })
  it('leaves others as they are', async () => {
    expect(await made({}, { id: 1, locale: null })).to.deep.equal({ id: 1, locale: null })
  })
})

describe('businessUnits', () => {
  const use = businessUnits('renew_at')
  /** 70 is the account's own organization. */
  const stored = {
    organization: [
      { id: 1, business_unit: true, business_unit_organization_id: 1, region: 'North', parent_id: 70 },
      { id: 2, business_unit: false, business_unit_organization_id: null, region: null, parent_id: null },
      { id: 70, business_unit: false, business_unit_organization_id: null, region: null, parent_id: null },
    ],
  }
  const save = (next: object, was: object | null = null, account: object = {}) =>
    run(use, { type: 'organization', stored, account, before: was as never, next: next as never })
  const saved = async (next: object, was: object | null = null) => (await save(next, was)).next

  it('points at the record itself when it is a business unit', async () => {
    expect(await saved({ business_unit: true }, { id: 9, parent_id: 1 })).to.include({ business_unit_organization_id: 9 })
  })
  it('points at the one of the parent when it is none, and copies its region', async () => {
    expect(await saved({ parent_id: 1, region: 'Mine' })).to.include({ business_unit_organization_id: 1, region: 'North' })
  })
  it('points at nothing without a business unit above', async () => {
    expect(await saved({ parent_id: 2 })).to.include({ business_unit_organization_id: null })
    expect(await saved({})).to.include({ business_unit_organization_id: null })
  })
  it('leaves only business units a region of their own', async () => {
    expect(await saved({ business_unit: true, region: 'East' }, { id: 9 })).to.include({ region: 'East' })
    expect(await saved({ region: 'East' })).to.include({ region: null })
    expect(await saved({ parent_id: 2, region: 'East' })).to.include({ region: null })
  })
  it('completes a new business unit when its id is known', async () => {
    const { next } = await run(use, { next: { id: 9, business_unit: true } }, 'written')
    expect(next).to.include({ business_unit_organization_id: 9 })
  })

  const refused = [['business_unit', 'internal_only']]
  const unit = { id: 9, business_unit: true, business_unit_organization_id: 9, region: 'East', parent_id: 1 }
  const cases: readonly (readonly [string, object, was: object | null, fails: unknown, account?: object])[] = [
    ['a new one below a business unit', { business_unit: true, parent_id: 1 }, null, []],
    ['a new one below the own organization', { business_unit: true, parent_id: 70 }, null, []],
    ['a new one without a parent', { business_unit: true }, null, refused],
    ['a new one elsewhere', { business_unit: true, parent_id: 2 }, null, refused],
    ['the own organization', { business_unit: true }, { id: 70, business_unit: false }, []],
    ['one that is moved with its flag', { business_unit: true, parent_id: 2 }, unit, refused],
    ['one that stays, from before the rule', { business_unit: true, remarks: 'x' }, { ...unit, parent_id: 2 }, []],
    ['any, while the account has no organization', { business_unit: true, parent_id: 2 }, null, [], { organizationId: null }],
    ['none', { business_unit: false, parent_id: 2 }, unit, []],
  ]
  for (const [name, next, was, fails, account] of cases)
    it(`lets internal organizations only be business units: ${name}`, async () => {
      expect((await save(next, was, account)).fails).to.deep.equal(fails)
    })
  it('takes the flag and the region from one that is moved out, unless they are sent', async () => {
    const outside = { business_unit: false, business_unit_organization_id: null, region: null }
    expect(await saved({ parent_id: 2 }, unit)).to.include(outside)
    expect(await saved({ parent_id: null }, unit)).to.include(outside)
    expect(await saved({ parent_id: 70 }, unit)).to.include({ business_unit: true, region: 'East' })
  })

  it('passes changes on to all children that are none themselves and differ, however many', async () => {
    const children = [11, 12, 13, 14, 15].map((id) => ({
      id,
      parent: 1,
      business_unit: id === 13,
      region: id === 14 ? 'S' : 'N',
    }))
    const about = {
      type: 'organization',
      stored: { organization: children },
      before: { id: 1, business_unit_organization_id: null, region: 'N' },
      next: { region: 'S' },
    }
    const { saves } = await run(use, about, 'written')
    const body = { business_unit_organization_id: null, region: 'S' }
    expect(saves).to.deep.equal([11, 12, 15].map((id) => ['organization', id, body]))
    expect((await run(use, { ...about, next: {} }, 'written')).saves).to.deep.equal([])
  })
  it('takes values from above as they are, and passes them no further by itself', async () => {
    const next = { business_unit_organization: 1, business_unit_organization_id: 1, region: 'North' }
    const about = { type: 'organization', stored, before: { id: 70, parent_id: 2, region: null }, next }
    const { next: row, saves } = await run(use, about, 'all')
    expect(row).to.include({ business_unit_organization_id: 1, region: 'North' })
    expect(saves).to.deep.equal([])
  })
  it('takes the flag from all below one that is moved out', async () => {
    const below = [
      { id: 21, parent: 20, business_unit: false },
      { id: 22, parent: 21, business_unit: true },
      { id: 23, parent: 22, business_unit: true },
    ]
    const about = { type: 'organization', stored: { organization: [...stored.organization, ...below] } }
    const before = { id: 20, parent_id: 70, business_unit: false }
    const saves = async (next: object) => (await run(use, { ...about, before, next: next as never }, 'written')).saves
    const body = { business_unit: false }
    expect(await saves({ parent_id: 2 })).to.deep.equal([22, 23].map((id) => ['organization', id, body]))
    expect(await saves({ parent_id: 1 })).to.deep.equal([])
    expect(await saves({ remarks: 'x' })).to.deep.equal([])
  })
})

describe('requestTeam', () => {
  const stored = {
    service_instance: [
      { id: 1, service_id: 5, first_line_team_id: 10, support_team_id: 20 },
      { id: 2, service_id: 5, first_line_team_id: null, support_team_id: 20 },
      { id: 3, service_id: 5, first_line_team_id: null, support_team_id: null },
      { id: 4, service_id: null, first_line_team_id: null, support_team_id: null },
    ],
    service: [{ id: 5, first_line_team_id: 30, support_team_id: 40 }],
    team: [
      { id: 50, account_id: 'acme', disabled: true },
      { id: 51, account_id: 'acme', disabled: false },
      { id: 61, account_id: 'acme', disabled: false },
      { id: 62, account_id: 'acme', disabled: false },
      { id: 70, account_id: 'globex', disabled: false },
    ],
    organization: [
      { id: 80, parent_id: null },
      { id: 81, parent_id: 80 },
      { id: 82, parent_id: 81 },
      { id: 90, parent_id: 91 },
      { id: 91, parent_id: 90 },
    ],
    flsa: [
      { id: 1, status: 'expired', customer_id: 81, service_desk_team_id: 60 },
      { id: 2, status: 'active', customer_id: 80, service_desk_team_id: 61 },
      { id: 3, status: 'active', customer_id: 82, service_desk_team_id: 62 },
      { id: 4, status: 'active', customer_id: 90, service_desk_team_id: null },
      { id: 5, status: 'active', customer_id: 91, service_desk_team_id: 50 },
    ],
  }
  const team = async (next: object, links: readonly string[] = [], actor: number | null = 1) =>
    (await run(requestTeam(), { stored, links, actor, next: next as never })).next['team_id']

  it('keeps the one that is given', async () => {
    expect(await team({ team_id: 99, service_instance_id: 1 })).to.equal(99)
  })
  it('is the first line team of the service instance', async () => {
    expect(await team({ service_instance_id: 1 })).to.equal(10)
  })
  for (const [name, links, expected] of [
    ['the default team if the member belongs to it', ['team 10 members 7', 'team 51 members 7'], 10],
    ['the only team of the member otherwise', ['team 51 members 7', 'team 50 members 7'], 51],
    ['that of this account before those of others', ['team 51 members 7', 'team 70 members 7'], 51],
    ['one of a trusted account if there is none here', ['team 70 members 7'], 70],
    ['the default team, which the member is not in, if there are several', ['team 51 members 7', 'team 61 members 7'], 10],
    ['the default team, which the member is not in, if there is none', ['team 50 members 7'], 10],
  ] as const) {
    it(`is, with a member, ${name}`, async () => {
      expect(await team({ service_instance_id: 1, member_id: 7, member: 7 }, links)).to.equal(expected)
    })
  }
  it('is empty if the member is in several teams, and there is no default', async () => {
    expect(await team({ member_id: 7, member: 7 }, ['team 51 members 7', 'team 61 members 7'])).to.equal(null)
  })
  it('is the support team for callers of the first line or the support team', async () => {
    expect(await team({ service_instance_id: 1 }, ['team 10 members 1'])).to.equal(20)
    expect(await team({ service_instance_id: 1 }, ['team 20 members 1'])).to.equal(20)
  })
  it('is the support team where there is no first line team, if need be that of the service', async () => {
    expect(await team({ service_instance_id: 2 })).to.equal(20)
    expect(await team({ service_instance_id: 3 })).to.equal(40)
  })
  it('is the service desk that the nearest agreement names, without a service instance', async () => {
    expect(await team({ organization_id: 80 })).to.equal(61)
    expect(await team({ organization_id: 81 }, ['team 51 members 1'])).to.equal(61)
    expect(await team({ organization_id: 82 })).to.equal(62)
    expect(await team({ organization_id: 90 })).to.equal(null)
    expect(await team({ organization_id: 82, service_instance_id: 4 })).to.equal(null)
  })
  it('is any enabled team of the caller otherwise, or none', async () => {
    const links = ['team 50 members 1', 'team 51 members 1']
    expect(await team({}, links)).to.equal(51)
    expect(await team({ service_instance_id: 4 }, links)).to.equal(51)
    expect(await team({})).to.equal(null)
    expect(await team({}, links, null)).to.equal(null)
  })
})

describe('keepDigits', () => {
  const use = keepDigits('digits', { of: 'uri', protocol: 'protocol' })
  const digits = async (next: object) => (await run(use, { next: next as never })).next['digits']

  it('keeps the digits of telephone numbers, from the last one on', async () => {
    expect(await digits({ protocol: 'telephone', uri: '+31 20 100' })).to.equal('0010213')
    expect(await digits({ protocol: 'telephone', uri: null })).to.equal('')
  })
  it('keeps nothing of other contacts', async () => {
    expect(await digits({ protocol: 'email', uri: '12345@acme.example', digits: '54321' })).to.equal(null)
  })
})

describe('setByImport', () => {
  const use = setByImport('integration', { of: ['city', 'zip'] })
  const after = async (origin: 'api' | 'import', next: object, before: object | null = null) =>
    (await run(use, { origin, before: before as never, next: next as never })).next['integration']
  const rows: readonly (readonly [what: string, origin: 'api' | 'import', next: object, before: object | null, is: unknown])[] =
    [
      ['is true for an imported address', 'import', { city: 'Lyon' }, null, true],
      ['is false for an import without an address', 'import', { name: 'x' }, null, undefined],
      ['is false again after a change by hand', 'api', { city: 'Paris' }, { city: 'Lyon', integration: true }, false],
      ['stays while other fields change', 'api', { name: 'x' }, { city: 'Lyon', integration: true }, true],
      ['is true after an import has changed it', 'import', { zip: '1' }, { city: 'Lyon', integration: false }, true],
      [
        'is false when an import has removed it',
        'import',
        { city: null },
        { city: 'Lyon', zip: null, integration: true },
        false,
      ],
      ['is what the host says', 'api', { city: 'Lyon', integration: true }, null, true],
    ]
  for (const [what, origin, next, before, is] of rows) {
    it(what, async () => expect(await after(origin, next, before)).to.equal(is))
  }
})
