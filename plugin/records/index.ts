/** The record types that every instance has. Only `create-plugin.ts` imports them; all other code gets the catalog. */
import type { Definition } from '../schema/define-record.js'
import { auditLine } from './audit-line.js'
import { calendar, calendarHour, holiday } from './calendar.js'
import { address, contact } from './contact-details.js'
import { note } from './note.js'
import { organization } from './organization.js'
import { person } from './person.js'
import { request } from './request.js'
import { service, serviceInstance } from './service.js'
import { site } from './site.js'
import { team } from './team.js'
import { webhook } from './webhook.js'

export const records: readonly Definition[] = [
  request,
  person,
  organization,
  site,
  team,
  calendar,
  calendarHour,
  holiday,
  service,
  serviceInstance,
  address,
  contact,
  note,
  webhook,
  auditLine,
]
