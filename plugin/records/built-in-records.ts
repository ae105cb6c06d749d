/** The record types of the plugin by name, for the compiler: types only, so that importing them loads nothing. */
import type { attachment } from './attachment.js'
import type { auditLine } from './audit-line.js'
import type { broadcast, broadcastTranslation } from './broadcast.js'
import type { calendar, calendarHour, holiday } from './calendar.js'
import type { change } from './change.js'
import type { changeTemplate, recurrence, taskSequence } from './change-template.js'
import type { ci, ciRelation } from './ci.js'
import type { address, contact } from './contact-details.js'
import type { contract } from './contract.js'
import type { flsa } from './flsa.js'
import type { knowledgeArticle, knowledgeArticleTranslation } from './knowledge-article.js'
import type { note } from './note.js'
import type { organization } from './organization.js'
import type { person } from './person.js'
import type { problem } from './problem.js'
import type { product } from './product.js'
import type { productCategory, productCategoryTranslation } from './product-category.js'
import type { project, projectPhase } from './project.js'
import type { projectCategory, projectRiskLevel } from './project-category.js'
import type { projectTask, projectTaskAssignment } from './project-task.js'
import type { projectTaskTemplate, projectTaskTemplateAssignment, projectTemplate } from './project-task-template.js'
import type { release } from './release.js'
import type { request } from './request.js'
import type { requestTemplate, requestTemplateTranslation } from './request-template.js'
import type { childServiceInstance, parentServiceInstance, service, serviceInstance, serviceTranslation } from './service.js'
import type { serviceCategory, serviceCategoryTranslation } from './service-category.js'
import type { serviceOffering, standardServiceRequest } from './service-offering.js'
import type { site } from './site.js'
import type { skillPool } from './skill-pool.js'
import type { affectedSla, sla } from './sla.js'
import type { task, taskApproval } from './task.js'
import type { taskTemplate, taskTemplateApproval } from './task-template.js'
import type { team } from './team.js'
import type { timeAllocation, timeAllocationTranslation } from './time-allocation.js'
import type { timeEntry } from './time-entry.js'
import type { uiExtension, uiExtensionVersion } from './ui-extension.js'
import type { view } from './view.js'
import type { webhook } from './webhook.js'

/** The definition of each record type. `records.ts` has the same as a list. */
export interface BuiltInRecords {
  readonly request: typeof request
  readonly change: typeof change
  readonly task: typeof task
  readonly task_approval: typeof taskApproval
  readonly release: typeof release
  readonly problem: typeof problem
  readonly project: typeof project
  readonly project_phase: typeof projectPhase
  readonly project_task: typeof projectTask
  readonly project_task_assignment: typeof projectTaskAssignment
  readonly person: typeof person
  readonly organization: typeof organization
  readonly site: typeof site
  readonly team: typeof team
  readonly calendar: typeof calendar
  readonly calendar_hour: typeof calendarHour
  readonly holiday: typeof holiday
  readonly service: typeof service
  readonly service_translation: typeof serviceTranslation
  readonly service_instance: typeof serviceInstance
  readonly child_service_instance: typeof childServiceInstance
  readonly parent_service_instance: typeof parentServiceInstance
  readonly service_category: typeof serviceCategory
  readonly service_category_translation: typeof serviceCategoryTranslation
  readonly service_offering: typeof serviceOffering
  readonly standard_service_request: typeof standardServiceRequest
  readonly sla: typeof sla
  readonly affected_sla: typeof affectedSla
  readonly flsa: typeof flsa
  readonly contract: typeof contract
  readonly product_category: typeof productCategory
  readonly product_category_translation: typeof productCategoryTranslation
  readonly product: typeof product
  readonly ci: typeof ci
  readonly ci_relation: typeof ciRelation
  readonly skill_pool: typeof skillPool
  readonly request_template: typeof requestTemplate
  readonly request_template_translation: typeof requestTemplateTranslation
  readonly change_template: typeof changeTemplate
  readonly recurrence: typeof recurrence
  readonly task_sequence: typeof taskSequence
  readonly task_template: typeof taskTemplate
  readonly task_template_approval: typeof taskTemplateApproval
  readonly project_template: typeof projectTemplate
  readonly project_task_template: typeof projectTaskTemplate
  readonly project_task_template_assignment: typeof projectTaskTemplateAssignment
  readonly project_category: typeof projectCategory
  readonly project_risk_level: typeof projectRiskLevel
  readonly ui_extension: typeof uiExtension
  readonly ui_extension_version: typeof uiExtensionVersion
  readonly address: typeof address
  readonly contact: typeof contact
  readonly note: typeof note
  readonly attachment: typeof attachment
  readonly knowledge_article: typeof knowledgeArticle
  readonly knowledge_article_translation: typeof knowledgeArticleTranslation
  readonly broadcast: typeof broadcast
  readonly broadcast_translation: typeof broadcastTranslation
  readonly time_allocation: typeof timeAllocation
  readonly time_allocation_translation: typeof timeAllocationTranslation
  readonly time_entry: typeof timeEntry
  readonly webhook: typeof webhook
  readonly view: typeof view
  readonly audit_line: typeof auditLine
}
