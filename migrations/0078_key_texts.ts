import { addTextKeys, dropTextKeys, type KeyedTable, type TextsOfKey } from './text-keys.js'
import type { Migration } from './tools.js'

/** Tables whose source and source ID are unique. */
const WITH_SOURCE =
  'requests changes tasks releases problems projects project_tasks people organizations sites teams calendars holidays services ' +
  'service_instances service_categories service_offerings slas flsas contracts product_categories products cis skill_pools ' +
  'request_templates change_templates task_templates project_templates project_task_templates project_categories ' +
  'project_risk_levels ui_extensions knowledge_articles broadcasts time_allocations webhooks'

/** Texts by which records are found, and that are unique, by table. */
const UNIQUE: Readonly<Record<string, string>> = {
  ...{ people: 'primary_email', teams: 'name inbound_email_local_part', cis: 'label' },
  ...{ product_categories: 'reference', project_categories: 'reference', project_risk_levels: 'reference' },
  ...{ organizations: 'name', sites: 'name', calendars: 'name', holidays: 'name', services: 'name', contracts: 'name' },
  ...{ service_instances: 'name', service_categories: 'name', service_offerings: 'name', slas: 'name', flsas: 'name' },
  ...{ products: 'name', skill_pools: 'name', ui_extensions: 'name', time_allocations: 'name' },
}
/** Texts that are unique within an owner. */
const UNIQUE_PARTS: Readonly<Record<string, string>> = { project_phases: 'name', ui_extension_versions: 'name' }

/** Texts by which records are found, although several may have them. */
const FOUND: Readonly<Record<string, string>> = {
  ...{ people: 'supportID', calendars: 'sourceID', holidays: 'sourceID', broadcasts: 'sourceID', cis: 'name serial_nr' },
  ...{ product_categories: 'source sourceID name', project_categories: 'source sourceID name' },
  ...{ project_risk_levels: 'source sourceID name', project_templates: 'subject', project_task_templates: 'subject' },
  ...{ webhooks: 'name', views: 'name' },
}

/** Records are found by keys of their texts, which are the same on every database. */
export const keyTexts: Migration = {
  name: '0078_key_texts',
  up: (schema) => addTextKeys(schema, TABLES),
  down: (schema) => dropTextKeys(schema, TABLES),
}

const words = (text = '') => text.split(' ').filter((word) => word !== '')

const TABLES: readonly KeyedTable[] = [
  ...new Set([...words(WITH_SOURCE), ...Object.keys({ ...UNIQUE, ...UNIQUE_PARTS, ...FOUND })]),
].map(tableOf)

function tableOf(name: string): KeyedTable {
  const within = name in UNIQUE_PARTS ? ['owner_type', 'owner_id'] : ['account_id']
  const [unique, found] = [words(UNIQUE[name] ?? UNIQUE_PARTS[name]), words(FOUND[name])]
  const pair = words(WITH_SOURCE).includes(name) ? ['key_of_source_pair'] : []
  const folded = [...unique, ...found].map((column) => [`key_of_${column}`, { of: [column], form: 'folded' }] as const)
  const exact = pair.map((key) => [key, { of: ['source', 'sourceID'], form: 'exact' }] as const)
  return {
    name,
    keys: new Map<string, TextsOfKey>([...folded, ...exact]),
    unique: [...unique.map((column) => [...within, `key_of_${column}`]), ...pair.map((key) => [...within, key])],
    // People sign in with their address alone.
    indexes: [
      ...found.map((column) => [...within, `key_of_${column}`]),
      ...(name === 'people' ? [['key_of_primary_email']] : []),
    ],
  }
}
