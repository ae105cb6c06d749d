/** All migrations, in the order in which they run. Released ones are frozen: neither their names nor their contents change. */
import { createSystemTables } from './0001_create_system_tables.js'
import { createRecordTables } from './0002_create_record_tables.js'
import { createWebhookHealth } from './0003_create_webhook_health.js'
import { createRateLimits } from './0004_create_rate_limits.js'
import { referToMoreRecords } from './0005_refer_to_more_records.js'
import type { Migration } from './tools.js'

export const migrations: readonly Migration[] = [
  createSystemTables,
  createRecordTables,
  createWebhookHealth,
  createRateLimits,
  referToMoreRecords,
]
