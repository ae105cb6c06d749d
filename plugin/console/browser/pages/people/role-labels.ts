/** What roles are called, and what each of them opens. */
import type { TextKey } from '../../core/texts.js'
import { useApp, useLoaded } from '../../core/use-app.js'

/** In the order in which the API shows them. What they open is in permissions.md. */
const HELP: Readonly<Record<string, TextKey>> = {
  account_owner: 'role_account_owner',
  account_administrator: 'role_account_administrator',
  auditor: 'role_auditor',
  specialist: 'role_specialist',
  service_desk_analyst: 'role_service_desk_analyst',
  service_desk_manager: 'role_service_desk_manager',
  problem_manager: 'role_problem_manager',
  change_manager: 'role_change_manager',
  release_manager: 'role_release_manager',
  project_manager: 'role_project_manager',
  service_level_manager: 'role_service_level_manager',
  configuration_manager: 'role_configuration_manager',
  knowledge_manager: 'role_knowledge_manager',
  key_contact: 'role_key_contact',
  financial_manager: 'role_financial_manager',
}
export const ROLES: readonly string[] = Object.keys(HELP)

export interface RoleLabels {
  readonly label: (role: string) => string
  /** Half a line about what it opens; undefined for a role that this page does not know. */
  readonly help: (role: string) => string | undefined
}

/** The labels that the API has, in the language of the reader; until they are here, and without them, the names of the roles. */
export function useRoleLabels(): RoleLabels {
  const { api, language, t } = useApp()
  const { data } = useLoaded(`roles in ${language}`, async (signal) => {
    const found = await api
      .get<{ readonly [key: string]: readonly { readonly id: string; readonly txt: string }[] }>(
        '/enums/permission.role',
        signal,
      )
      .catch(() => ({}))
    return new Map(
      Object.values(found)
        .flat()
        .map(({ id, txt }) => [id, txt]),
    )
  })
  return {
    label: (role) => data?.get(role) ?? named(role),
    help(role) {
      const key = HELP[role]
      return key && t(key)
    },
  }
}

function named(role: string): string {
  const text = role.replaceAll('_', ' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}
