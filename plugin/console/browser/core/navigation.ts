/** The order in which the navigation shows record types: by what people look for. */
import { titleOf } from './page-of-host.js'
import type { RecordType } from './read-catalog.js'
import { ADMINISTRATORS } from './roles.js'
import type { TextKey } from './texts.js'
import type { App } from './use-app.js'

export interface Group {
  readonly title: TextKey
  readonly types: readonly RecordType[]
  /** Pages that show no record type, after those that do. */
  readonly links: readonly { readonly to: string; readonly text: string }[]
}

/** A page that shows no record type. */
interface PageLink {
  readonly to: string
  readonly text: TextKey
  /** Shown to people with one of these roles alone. */
  readonly roles?: readonly string[]
}

/** Links of the plugin by group. */
const LINKS: Readonly<Partial<Record<TextKey, readonly PageLink[]>>> = {
  group_system: [
    { to: '/imports', text: 'imports', roles: ADMINISTRATORS },
    { to: '/audit', text: 'audit_title', roles: [...ADMINISTRATORS, 'auditor', 'specialist'] },
    { to: '/system', text: 'system_title', roles: ADMINISTRATORS },
    { to: '/account', text: 'account_page', roles: ADMINISTRATORS },
  ],
}

/** Types of the plugin by group. Types of the host come before them, as a group of their own. */
const GROUPS: readonly (readonly [title: TextKey, names: readonly string[]])[] = [
  ['group_work', ['request', 'problem', 'change', 'release', 'task', 'project', 'project_task']],
  [
    'group_people',
    ['person', 'organization', 'site', 'team', 'calendar', 'holiday', 'skill_pool', 'time_entry', 'time_allocation'],
  ],
  [
    'group_services',
    ['service', 'service_instance', 'service_category', 'service_offering', 'sla', 'affected_sla', 'flsa', 'contract'],
  ],
  ['group_assets', ['ci', 'product', 'product_category']],
  ['group_knowledge', ['knowledge_article', 'broadcast', 'note']],
  [
    'group_templates',
    [
      'request_template',
      'change_template',
      'task_template',
      'project_template',
      'project_task_template',
      'project_category',
      'project_risk_level',
      'ui_extension',
    ],
  ],
  ['group_system', ['webhook', 'view']],
]

/** Types whose records are on a page of another form. */
const ELSEWHERE: readonly string[] = ['audit_line']

/**
 * The groups of the types that have lists, and of pages.
 *
 * @param readable names of the types that the person may read
 * @param roles of the person
 */
export function groupsOf(
  { catalog, language, settings, t }: Pick<App, 'catalog' | 'language' | 'settings' | 't'>,
  readable: ReadonlySet<string>,
  roles: ReadonlySet<string>,
): readonly Group[] {
  const isFor = (link: { readonly roles?: readonly string[] }) => link.roles?.some((role) => roles.has(role)) ?? true
  const listed = catalog.types.filter(
    ({ name, path, operations }) => path !== null && operations.includes('list') && readable.has(name),
  )
  const ours = new Set([...GROUPS.flatMap(([, names]) => names), ...ELSEWHERE])
  const groups = GROUPS.map(([title, names]) => ({
    title,
    types: names.flatMap((name) => listed.filter((type) => type.name === name)),
    links: (LINKS[title] ?? []).filter(isFor).map(({ text, to }) => ({ to, text: t(text) })),
  }))
  const own: Group = {
    title: 'group_own',
    types: listed.filter(({ name }) => !ours.has(name)),
    links: settings.pages.filter(isFor).map((page) => ({ to: page.path, text: titleOf(page, language) })),
  }
  return [own, ...groups].filter(({ links, types }) => types.length + links.length > 0)
}
