/** The roles of a person, one row per account, each with what it opens. */
import type { ComponentChildren } from 'preact'
import { useApp } from '../../core/use-app.js'
import type { AccountRoles } from '../../core/what-is-allowed.js'
import type { RoleLabels } from './role-labels.js'

interface RoleRowsProps {
  readonly rows: readonly AccountRoles[]
  readonly labels: RoleLabels
  /** What stands in the row of an account: a button, or a form in place of the roles. */
  readonly actionOf?: (row: AccountRoles) => ComponentChildren
  readonly formOf?: (row: AccountRoles) => ComponentChildren
}

export function RoleRows({ actionOf, formOf, labels, rows }: RoleRowsProps) {
  return (
    <ul class="parts role-rows">
      {rows.map((row) => {
        const form = formOf?.(row)
        return (
          <li key={row.account.id}>
            <div class="role-account">
              <h3>{row.account.name}</h3>
              <span class="code">{row.account.id}</span>
              {!form && actionOf?.(row)}
            </div>
            {form || <RoleList roles={row.roles} labels={labels} />}
          </li>
        )
      })}
    </ul>
  )
}

function RoleList({ labels, roles }: { roles: readonly string[]; labels: RoleLabels }) {
  const { t } = useApp()
  if (roles.length === 0) return <p class="help">{t('roles_none_here')}</p>
  return (
    <dl class="roles">
      {roles.map((role) => (
        <div key={role}>
          <dt>{labels.label(role)}</dt>
          <dd>{labels.help(role)}</dd>
        </div>
      ))}
    </dl>
  )
}
