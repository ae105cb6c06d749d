/**
 * The paths of all endpoints, below the version. Endpoints cannot have others, and record types cannot have these: an endpoint
 * would hide their records.
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
  '/events',
  '/export',
  '/export/:token',
  '/exports/:day/:account/:file',
  '/import',
  '/import/:token',
  '/imports',
  '/imports/:day/:account/:file',
  '/imports/:id',
  '/imports/:id/failures',
  '/imports/template',
  '/me',
  '/me/oauth_clients',
  '/me/oauth_clients/:id',
  '/me/reset_api_token',
  '/me/tokens',
  '/me/tokens/:id',
  '/oauth/token',
  '/openapi',
  '/people/:id/oauth_clients',
  '/people/:id/oauth_clients/:client_number',
  '/people/:id/permissions',
  '/people/:id/permissions/:account_id',
  '/people/:id/tokens',
  '/people/:id/tokens/:token_number',
  '/people/me',
  '/pictures/:account/:upload/:name',
  '/requests/:id/dissatisfied',
  '/requests/:id/satisfied',
  '/sd',
  '/webhooks/:id/test',
] as const

/** The path of an endpoint. */
export type EndpointPath = (typeof ENDPOINT_PATHS)[number]
