import { generatedLabel, nameOfProduct, onlyForCertificates, serialNumberOfBrand } from '../rules/assets/cis.js'
import { requiredWhen } from '../rules/general/by-status.js'
import { fillFrom } from '../rules/general/fill-from.js'
import { mirrored } from '../rules/general/mirrored.js'
import { identity, provenance, times } from '../schema/kinds/common-fields.js'
import { boolean, date, decimal, integer, json, oneOf, parts, ref, string, strings, text } from '../schema/kinds/fields.js'
import { anyOf, me, myTeams, not } from '../schema/language/conditions.js'
import { defineRecord } from '../schema/language/define-record.js'
import { ASSET_MAINTAINERS, CI_TYPES, DEPRECIATION_METHODS, RULE_SETS } from './asset-values.js'
import { STAFF } from './shared-values.js'

const IN_USE = [
  'ordered',
  'being_built',
  'in_stock',
  'reserved',
  'in_transit',
  'installed',
  'being_tested',
  'standby_for_continuity',
  'lent_out',
  'in_production',
  'undergoing_maintenance',
  'broken_down',
  'being_repaired',
] as const
const OUT_OF_USE = ['archived', 'to_be_removed', 'lost_or_stolen', 'removed'] as const

/**
 * People without a role in support see the CIs that they use, or that one of their teams supports (behaviour: Configuration
 * items).
 *
 * Creating a CI with the label or the name of an inactive one does not update that one: labels stay taken as long as the CI
 * exists, and all CIs of a product share names.
 */
export const ci = defineRecord('ci', {
  path: 'cis',
  reference: ['label'],
  fields: {
    ...identity,
    ...provenance,
    label: string(160, { ignoreCase: true }),
    name: string(160),
    product: ref('product', { required: true }),
    status: oneOf([...IN_USE, ...OUT_OF_USE], { required: true }),
    rule_set: oneOf(RULE_SETS, { derived: { from: 'product.category.rule_set', as: 'value' } }),
    ci_type: oneOf(CI_TYPES, { derived: { from: 'product.category.ci_type', as: 'value' } }),
    software: boolean({ derived: { from: 'product.category.software', as: 'value' } }),
    assetID: string(50),
    systemID: string(128),
    serial_nr: string(50, { ignoreCase: true }),
    location: string(128),
    site: ref('site'),
    service: ref('service'),
    support_team: ref('team'),
    supplier: ref('organization'),
    financial_owner: ref('organization'),
    in_use_since: date(),
    warranty_expiry_date: date(),
    license_expiry_date: date(),
    license_type: oneOf([
      'concurrent_user_license',
      'cpu_license',
      'installed_user_license',
      'named_user_license',
      'unlimited_user_license',
      'other_type_of_license',
    ]),
    nr_of_cores: integer({ minimum: 0 }),
    nr_of_processors: integer({ minimum: 0 }),
    nr_of_licenses: integer({ minimum: 0 }),
    site_license: boolean({ default: false }),
    temporary_license: boolean({ default: false }),
    po_nr: string(50),
    depreciation_method: oneOf(DEPRECIATION_METHODS),
    purchase_value: decimal(),
    salvage_value: decimal(),
    useful_life: integer({ minimum: 0, unit: 'years' }),
    rate: integer({ minimum: 0, maximum: 100, unit: 'percent' }),
    alternate_names: strings(160),
    remarks: text(),
    custom_data: json(),
    attachments: parts('attachment', { readOnly: true }),
    ...times,
  },
  collection: {
    fields: 'id sourceID software label name status product rule_set support_team service created_at updated_at',
    sort: 'label',
    countable: 'status updated_at',
    sortable: { except: 'software product rule_set service' },
    filterable: { also: 'source systemID assetID serial_nr site financial_owner', except: 'software' },
  },
  lists: {
    active: { status: not(...OUT_OF_USE) },
    inactive: { status: OUT_OF_USE },
    supported_by_my_teams: { support_team: myTeams },
  },
  links: {
    users: { record: 'person', table: 'ci_users', from: 'ci_id', to: 'person_id' },
    service_instances: {
      record: 'service_instance',
      table: 'ci_service_instances',
      from: 'ci_id',
      to: 'service_instance_id',
    },
    licensed_sites: { record: 'site', table: 'ci_licensed_sites', from: 'ci_id', to: 'site_id' },
    contracts: { record: 'contract', table: 'contract_cis', from: 'ci_id', to: 'contract_id' },
    requests: { record: 'request', table: 'request_cis', from: 'ci_id', to: 'request_id', write: 'none' },
    problems: { record: 'problem', table: 'problem_cis', from: 'ci_id', to: 'problem_id', write: 'none' },
    tasks: { record: 'task', table: 'task_cis', from: 'ci_id', to: 'task_id', write: 'none' },
  },
  parts: ['ci_relation'],
  access: {
    publicTitle: true,
    see: { roles: STAFF, otherwise: anyOf({ users: me }, { support_team: myTeams }) },
    create: ASSET_MAINTAINERS,
    update: [...ASSET_MAINTAINERS, { memberOf: 'support_team' }],
  },
  import: {
    type: 'cis',
    order: 23,
    columns: [
      'Product',
      'Label',
      'Name',
      { header: 'System ID', field: 'systemID' },
      'Status',
      'Site',
      'Location',
      'Support Team',
      'Remarks',
      'Nr of Processors',
      'Nr of Cores',
      'License Type',
      'Nr of Licenses',
      'Temporary License',
      'License Expiry Date',
      'Site License',
      'Licensed Sites',
      'Service',
      'Service Instances',
      'Users',
      'Supplier',
      { header: 'Serial Number', field: 'serial_nr' },
      'Financial Owner',
      { header: 'PO Number', field: 'po_nr' },
      { header: 'Asset ID', field: 'assetID' },
      'Depreciation Method',
      'Purchase Value',
      'In Use Since',
      'Useful Life',
      'Rate',
      'Salvage Value',
      'Warranty Expiry Date',
      'Custom Data',
      'Created At',
      'Updated At',
    ],
    ignored: ['Has CI Relations'],
    alsoNamedBy: 'name',
  },
  partImports: [
    {
      type: 'ci_relations',
      order: 24,
      owner: { header: 'CI Label', field: 'label', source: 'CI Source', sourceID: 'CI Source ID' },
      relates: {
        field: 'ci',
        to: { header: 'Related CI Label', field: 'label', source: 'Related CI Source', sourceID: 'Related CI Source ID' },
      },
      parts: {
        ci_relations: { columns: [{ header: 'Relation Type', field: 'relation_type' }], key: ['ci', 'relation_type'] },
      },
      ignored: ['Source'],
    },
  ],
  rules: [
    nameOfProduct(),
    fillFrom('product', ['support_team']),
    requiredWhen('support_team', { field: 'status', values: [...IN_USE, ...OUT_OF_USE].filter((one) => one !== 'removed') }),
    serialNumberOfBrand(),
    onlyForCertificates('license_type'),
    generatedLabel('CI-'),
  ],
  events: ['create', 'update'],
  unique: [['label']],
})

/** Shown from both sides; a parent here is a child there (behaviour: Configuration items). */
export const ciRelation = defineRecord('ci_relation', {
  path: 'ci_relations',
  title: null,
  partOf: ['ci'],
  fields: {
    ...identity,
    ci: ref('ci', { required: true, inputAs: 'related_ci' }),
    relation_type: oneOf(['parent', 'child', 'network_connection', 'redundancy', 'continuity', 'software_dependency'], {
      required: true,
    }),
  },
  collection: {
    sort: 'relation_type id',
  },
  access: { create: ASSET_MAINTAINERS, update: ASSET_MAINTAINERS, remove: ASSET_MAINTAINERS },
  rules: [mirrored('ci', { relation: 'relation_type', inverse: { parent: 'child', child: 'parent' } })],
  unique: [['relation_type', 'ci']],
  audit: false,
})
