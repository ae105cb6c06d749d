/**
 * Values that product categories, products and configuration items share (behaviour: Enumeration values), and the people who
 * maintain these records.
 */
import type { Grant } from '../schema/language/who.js'

export const RULE_SETS = [
  'physical_asset',
  'logical_asset_with_financial_data',
  'logical_asset_without_financial_data',
  'server',
  'software',
  'software_distribution_package',
  'license_certificate',
] as const

export const CI_TYPES = ['software_version', 'software_license_certificate', 'hardware'] as const

export const DEPRECIATION_METHODS = [
  'not_depreciated',
  'double_declining_balance',
  'reducing_balance',
  'straight_line',
  'sum_of_the_years_digits',
] as const

/** People who maintain products and configuration items (behaviour: Configuration items). */
export const ASSET_MAINTAINERS: readonly Grant[] = ['configuration_manager', 'account_administrator']
