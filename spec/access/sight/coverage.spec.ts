import { expect } from 'chai'
import {
  accountsCoveringMe,
  agreementsCoveringMe,
  criterionOf,
  myCoveredServiceInstances,
  myCoveredServices,
  type Placeholder,
} from '../../../plugin/schema/language/conditions.js'
import { countStatements } from '../../support/count-statements.js'
import { errorOf, withHouse } from '../../support/house.js'

/**
 * Acme has the organizations Corp > Sales > Export, and Plant; the sites North and South. Sia works for Export in the north,
 * Pia for Sales nowhere in particular, Otto for the Plant in the south; Max is a service level manager without a place.
 */
describe('coverage', () => {
  const house = withHouse()
  const ids = new Map<string, number>()
  const id = (name: string) => {
    const found = ids.get(name)
    if (found === undefined) throw new RangeError(`There is no '${name}'`)
    return found
  }
  const add = async (name: string, type: string, body: object, account = 'acme') => {
    ids.set(name, await house.add(type, body, { account }))
    return id(name)
  }
  const addService = async (name: string, account = 'acme') => {
    const provider_id = id(account === 'acme' ? 'Corp' : 'Globex')
    await add(`${name} service`, 'service', { name, provider_id }, account)
    await add(`${name} offering`, 'service_offering', { name, service_id: id(`${name} service`) }, account)
    await add(name, 'service_instance', { name, service_id: id(`${name} service`) }, account)
  }
  /** An active agreement about a service of the same name, of Corp unless something else is said. */
  const addAgreement = async (name: string, coverage: string, more: object = {}, account = 'acme') => {
    await addService(name, account)
    const about = { service_offering_id: id(`${name} offering`), service_instance_id: id(name) }
    const customer_id = id(account === 'acme' ? 'Corp' : 'Globex')
    await add(`${name} agreement`, 'sla', { name, coverage, status: 'active', customer_id, ...about, ...more }, account)
  }

  before(async function () {
    this.timeout(60_000)
    await add('Corp', 'organization', { name: 'Corp' })
    await add('Sales', 'organization', { name: 'Sales', parent_id: id('Corp') })
    await add('Export', 'organization', { name: 'Export', parent_id: id('Sales') })
    await add('Plant', 'organization', { name: 'Plant' })
    await add('Globex', 'organization', { name: 'Globex' }, 'globex')
    for (const name of ['North', 'South']) await add(name, 'site', { name })
    ids.set('Sia', await house.addPerson('Sia', [], { organization_id: id('Export'), site_id: id('North') }))
    ids.set('Pia', await house.addPerson('Pia', [], { organization_id: id('Sales') }))
    ids.set('Otto', await house.addPerson('Otto', [], { organization_id: id('Plant'), site_id: id('South') }))
    ids.set('Max', await house.addPerson('Max', ['service_level_manager']))
    const team = await add('Desk', 'team', { name: 'Desk' })
    const category = await add('Laptop', 'product_category', { name: 'Laptop', group: 'G', rule_set: 'physical_asset' })
    const product = await add('Notebook', 'product', { brand: 'B', model: 'M', category_id: category })

    await addAgreement('descendants', 'organizations_and_descendants', { organization_ids: [id('Sales')] })
    await addAgreement('organizations', 'organizations', { organization_ids: [id('Sales'), id('Plant')] })
    await addAgreement('sites', 'sites', { site_ids: [id('North')] })
    await addAgreement('both', 'organizations_and_sites', { organization_ids: [id('Export')], site_ids: [id('North')] })
    await addAgreement('neither', 'organizations_and_sites', { organization_ids: [id('Export')], site_ids: [id('South')] })
    await addAgreement('people', 'people', { person_ids: [id('Otto')] })
    await addAgreement('cis', 'cis_of_service_instance')
    const asset = { product_id: product, status: 'in_stock', support_team_id: team }
    await add('ci', 'ci', { ...asset, user_ids: [id('Pia')], service_instance_ids: [id('cis')] })
    await addAgreement('instances', 'service_instances', { service_instance_ids: [id('people')] })
    await addAgreement('instances of instances', 'service_instances', { service_instance_ids: [id('instances'), id('sites')] })
    await addAgreement('alone', 'service_instances')
    await house.operations.save(await house.system(), 'sla', id('alone agreement'), { service_instance_ids: [id('alone')] })
    await addAgreement('wrong links', 'people', { organization_ids: [id('Plant')], site_ids: [id('South')] })
    await addAgreement('prepared', 'people', { person_ids: [id('Otto')], status: 'being_prepared' })
    await addAgreement('expired', 'people', { person_ids: [id('Otto')], status: 'expired' })
    await addAgreement('elsewhere', 'people', { person_ids: [id('Sia')] }, 'globex')
  })

  const values = async (person: string, placeholder: Placeholder) => {
    const call = await house.by(id(person))
    const criterion = await house.scope.resolve(call, criterionOf({ id: placeholder }))
    return 'values' in criterion ? [...criterion.values] : []
  }
  const names = async (person: string, placeholder: Placeholder, ending = '') => {
    const found = new Set(await values(person, placeholder))
    return [...ids].flatMap(([name, one]) =>
      name.endsWith(ending) && found.has(one) ? [name.slice(0, name.length - ending.length)] : [],
    )
  }
  const agreements = (person: string) => names(person, agreementsCoveringMe, ' agreement')

  it('follows from each kind of coverage', async () => {
    expect(await agreements('Sia')).to.deep.equal(['descendants', 'sites', 'both', 'instances of instances', 'elsewhere'])
    expect(await agreements('Pia')).to.deep.equal(['descendants', 'organizations', 'cis'])
    expect(await agreements('Otto')).to.deep.equal(['organizations', 'people', 'instances', 'instances of instances'])
    expect(await agreements('Max')).to.deep.equal([])
  })

  it('brings the service instances, the services and the accounts of the agreements', async () => {
    const instances = (await values('Pia', myCoveredServiceInstances)).sort()
    expect(instances).to.deep.equal([id('descendants'), id('organizations'), id('cis')].sort())
    expect(await names('Pia', myCoveredServices, ' service')).to.deep.equal(['descendants', 'organizations', 'cis'])
    expect(await values('Sia', accountsCoveringMe)).to.have.members(['acme', 'globex'])
    expect(await values('Pia', accountsCoveringMe)).to.deep.equal(['acme'])
  })

  it('is of all people of the account that the customer belongs to, whoever is a customer there', async () => {
    await addAgreement('account', 'customer_account')
    expect(await agreements('Max')).to.deep.equal(['account'])
    await house.operations.save(await house.system(), 'sla', id('account agreement'), { customer_id: id('Globex') })
    expect(await agreements('Max')).to.deep.equal([])
    await house.accounts.put({ id: 'acme', name: 'ACME', organizationId: id('Globex') })
    expect(await agreements('Max')).to.deep.equal(['account'])
    await house.accounts.put({ id: 'acme', name: 'ACME', organizationId: null })
    await house.operations.save(await house.system(), 'sla', id('account agreement'), { status: 'expired' })
  })

  it('ends in circles of organizations and of agreements', async () => {
    await house.storage
      .knex(house.storage.table('organizations'))
      .where({ id: id('Corp') })
      .update({ parent_id: id('Export') })
    const save = async (name: string, others: readonly string[]) =>
      house.operations.save(await house.system(), 'sla', id(`${name} agreement`), { service_instance_ids: others.map(id) })
    await save('instances', ['people', 'instances of instances'])
    expect(await agreements('Sia')).to.include.members(['descendants', 'instances', 'instances of instances'])
    await save('instances', ['people'])
    await house.storage
      .knex(house.storage.table('organizations'))
      .where({ id: id('Corp') })
      .update({ parent_id: null })
  })

  it('costs the same number of statements whoever it is, and is found once in a call', async () => {
    const counter = countStatements(house.storage.knex)
    const costs: number[] = []
    for (const name of ['Sia', 'Pia', 'Otto']) {
      const call = await house.by(id(name))
      const all = criterionOf({ anyOf: [{ id: agreementsCoveringMe }, { service: myCoveredServices }] })
      costs.push(await counter.during(() => house.scope.resolve(call, all)))
      expect(await counter.during(() => house.scope.resolve(call, all))).to.equal(0)
    }
    expect(costs[0]).to.be.greaterThan(0)
    expect(new Set(costs).size, String(costs)).to.equal(1)
  })

  describe('in the lists of a person', () => {
    const listed = async (by: string, person: string, path: string, options: object = {}) => {
      const within = { within: { type: 'person', id: id(person), path } }
      const record = house.catalog.type('person').coverages.get(path)?.record ?? ''
      const page = await house.operations.list(await house.by(id(by)), record, { parameters: [], ...within, ...options })
      return page.items.map((one) => one['name'])
    }

    it('is shown to whoever sees the person and the records', async () => {
      expect(await listed('Max', 'Otto', 'sla_coverages')).to.deep.equal([
        'instances',
        'instances of instances',
        'organizations',
        'people',
      ])
      expect(await listed('Sia', 'Pia', 'service_instance_coverages')).to.deep.equal(['cis', 'descendants', 'organizations'])
      expect(await listed('Sia', 'Pia', 'service_coverages')).to.deep.equal(['cis', 'descendants', 'organizations'])
      expect(await listed('Max', 'Pia', 'ci_coverages')).to.have.length(1)
      expect(await listed('Pia', 'Pia', 'ci_coverages')).to.have.length(1)
      expect(await listed('Max', 'Otto', 'ci_coverages')).to.deep.equal([])
    })

    it('has no agreements, and no configuration items, that the caller does not see', async () => {
      expect(await listed('Otto', 'Otto', 'sla_coverages')).to.deep.equal([])
      expect(await listed('Otto', 'Pia', 'ci_coverages')).to.deep.equal([])
    })

    it('is paged, sorted, filtered and listed like the collection', async () => {
      const parameters = [
        ['sort', '-name'],
        ['per_page', '2'],
      ]
      expect(await listed('Max', 'Otto', 'sla_coverages', { parameters })).to.deep.equal(['people', 'organizations'])
      expect(await listed('Max', 'Otto', 'sla_coverages', { parameters: [['name', 'people']] })).to.deep.equal(['people'])
      expect(await listed('Max', 'Otto', 'sla_coverages', { list: 'active' })).to.have.length(4)
      expect(await listed('Max', 'Otto', 'sla_coverages', { list: 'inactive' })).to.deep.equal([])
      const wrong = listed('Max', 'Otto', 'sla_coverages', { parameters: [['sort', 'remarks']] })
      expect((await errorOf(wrong)).name).to.equal('BadRequest')
    })

    it('is not there below a person who is not there', async () => {
      const stranger = await house.add('person', { name: 'S', primary_email: 's@u.example' }, { account: 'umbrella' })
      ids.set('Stranger', stranger)
      expect((await errorOf(listed('Max', 'Stranger', 'sla_coverages'))).name).to.equal('NotFound')
    })
  })
})
