/** The record types that every instance has. Only `create-plugin.ts` imports them; all other code gets the catalog. */
import type { Definition } from '../schema/language/define-record.js'
import { attachment } from './attachment.js'
import { auditLine } from './audit-line.js'
import { broadcast, broadcastTranslation } from './broadcast.js'
import { calendar, calendarHour, holiday } from './calendar.js'
import { change } from './change.js'
import { changeTemplate, recurrence, taskSequence } from './change-template.js'
import { ci, ciRelation } from './ci.js'
import { address, contact } from './contact-details.js'
import { contract } from './contract.js'
import { flsa } from './flsa.js'
import { knowledgeArticle, knowledgeArticleTranslation } from './knowledge-article.js'
import { note } from './note.js'
import { organization } from './organization.js'
import { person } from './person.js'
import { problem } from './problem.js'
import { product } from './product.js'
import { productCategory, productCategoryTranslation } from './product-category.js'
import { project, projectPhase } from './project.js'
import { projectCategory, projectRiskLevel } from './project-category.js'
import { projectTask, projectTaskAssignment } from './project-task.js'
import { projectTaskTemplate, projectTaskTemplateAssignment, projectTemplate } from './project-task-template.js'
import { release } from './release.js'
import { request } from './request.js'
import { requestTemplate, requestTemplateTranslation } from './request-template.js'
import { childServiceInstance, parentServiceInstance, service, serviceInstance, serviceTranslation } from './service.js'
import { serviceCategory, serviceCategoryTranslation } from './service-category.js'
import { serviceOffering, standardServiceRequest } from './service-offering.js'
import { site } from './site.js'
import { skillPool } from './skill-pool.js'
import { affectedSla, sla } from './sla.js'
import { task, taskApproval } from './task.js'
import { taskTemplate, taskTemplateApproval } from './task-template.js'
import { team } from './team.js'
import { timeAllocation, timeAllocationTranslation } from './time-allocation.js'
import { timeEntry } from './time-entry.js'
import { uiExtension, uiExtensionVersion } from './ui-extension.js'
import { view } from './view.js'
import { webhook } from './webhook.js'

export type { BuiltInRecords } from './built-in-records.js'

export const records: readonly Definition[] = [
  request,
  change,
  task,
  taskApproval,
  release,
  problem,
  project,
  projectPhase,
  projectTask,
  projectTaskAssignment,
  person,
  organization,
  site,
  team,
  calendar,
  calendarHour,
  holiday,
  service,
  serviceTranslation,
  serviceInstance,
  childServiceInstance,
  parentServiceInstance,
  serviceCategory,
  serviceCategoryTranslation,
  serviceOffering,
  standardServiceRequest,
  sla,
  affectedSla,
  flsa,
  contract,
  productCategory,
  productCategoryTranslation,
  product,
  ci,
  ciRelation,
  skillPool,
  requestTemplate,
  requestTemplateTranslation,
  changeTemplate,
  recurrence,
  taskSequence,
  taskTemplate,
  taskTemplateApproval,
  projectTemplate,
  projectTaskTemplate,
  projectTaskTemplateAssignment,
  projectCategory,
  projectRiskLevel,
  uiExtension,
  uiExtensionVersion,
  address,
  contact,
  note,
  attachment,
  knowledgeArticle,
  knowledgeArticleTranslation,
  broadcast,
  broadcastTranslation,
  timeAllocation,
  timeAllocationTranslation,
  timeEntry,
  webhook,
  view,
  auditLine,
]
