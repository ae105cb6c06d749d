/**
 * The addresses of all endpoints, below the version. Endpoints can have no others, and record types none of these: an endpoint
 * would stand in the way of their records.
 */
export const ENDPOINT_PATHS = [
  '/',
  '/account',
  '/attachments',
  '/attachments/:account/:upload/:name',
  '/attachments/storage',
  '/calendars/:id/duration',
  '/enums',
  '/enums/:language/:name',
  '/enums/:name',
  // Events are submitted there (spec, Events), though not in this version.
  '/events',
  '/import',
  '/import/:token',
  '/imports/:day/:account/:file',
  '/me',
  '/me/reset_api_token',
  '/openapi',
  '/people/:id/permissions',
  '/people/:id/permissions/:account_id',
  '/people/me',
  '/pictures/:account/:upload/:name',
  '/requests/:id/dissatisfied',
  '/requests/:id/satisfied',
  '/sd',
  '/webhooks/:id/test',
] as const

/** The address of an endpoint. */
export type EndpointPath = (typeof ENDPOINT_PATHS)[number]
