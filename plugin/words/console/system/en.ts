/** English texts of the pages about the system and its trail, and of the first page. */
export const systemTexts = {
  audit_from: 'From',
  audit_none: 'No change matches. Look at more days, or leave a field empty.',
  audit_search: 'Search',
  audit_title: 'Audit trail',
  audit_to: 'To',
  last_days: 'The last {count} days',
  most_a_day: 'at most {count} a day',
  system_database: 'Database',
  system_fails: 'Fails',
  system_files: 'Store of files',
  system_help: 'Version {version}. As it was at {time}, in the process that has answered.',
  system_idle: 'Nothing is being worked on at the moment.',
  system_imports: 'Imports that run',
  system_jobs: 'Background work',
  system_migrations: 'Migrations',
  system_no_delay: 'No delay',
  system_none_waits: 'Nothing waits',
  system_outbox: 'Oldest event that waits',
  system_parts: 'Parts',
  system_queues: 'Queues',
  system_running: 'Work in progress',
  system_timers: 'Most overdue timer',
  system_title: 'System',
  system_unknown: 'Unknown',
  system_waiting: 'Waiting: {count}. The oldest:',
  system_well: 'Works',
  what_fails: 'What fails',
} as const

/** Texts of these pages in one language. */
export type SystemTexts = { readonly [Key in keyof typeof systemTexts]: string }
