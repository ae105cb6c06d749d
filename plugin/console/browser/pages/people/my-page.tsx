/** `/console/me`: who the person is here, the own roles, and what was made for programs that act as the person. */
import { useTitle } from '../../core/title.js'
import { useApp, useLoaded } from '../../core/use-app.js'
import { Empty, Link, Loading, Problem } from '../../parts/basics.js'
import type { OwnPageProps } from '../page-props.js'
import { CLIENTS, type CredentialKind, TOKENS } from './credential-kinds.js'
import { Credentials } from './credential-section.js'
import { useRoleLabels } from './role-labels.js'
import { RoleRows } from './roles-by-account.js'

export function MyPage({ part }: OwnPageProps) {
  const { me, session, settings, t } = useApp()
  useTitle(t('me_page'))
  if (part !== undefined) return <Empty>{t('no_page')}</Empty>
  const { account, token } = session.callerNow()
  const isAtHome = account === null || account === me.account.id
  return (
    <>
      <div class="title">
        <h1>{me.name}</h1>
        {isAtHome && (
          <span class="actions">
            <Link to={`/people/${me.id}`} class="button">
              {t('me_record')}
            </Link>
          </span>
        )}
      </div>
      <dl class="details">
        <div>
          <dt>{t('email')}</dt>
          <dd>{me.primary_email}</dd>
        </div>
        <div>
          <dt>{t('account')}</dt>
          <dd>
            {me.account.name} <span class="code">{me.account.id}</span>
          </dd>
        </div>
      </dl>
      <MyRoles />
      {token === null ? (
        <>
          <Mine kind={TOKENS} />
          {settings.oauth && <Mine kind={CLIENTS} />}
        </>
      ) : (
        <section>
          <h2>{t('tokens')}</h2>
          <p class="help">{t('tokens_in_person')}</p>
        </section>
      )}
    </>
  )
}

function MyRoles() {
  const { allowances, me, t } = useApp()
  const labels = useRoleLabels()
  const { data, error, reload } = useLoaded('own roles', () => allowances.rolesByAccount(me.id))
  return (
    <section>
      <h2>{t('me_roles')}</h2>
      {!data && (error === undefined ? <Loading /> : <Problem error={error} retry={reload} />)}
      {data?.length === 0 && <p class="help">{t('roles_none')}</p>}
      {data && data.length > 0 && <RoleRows rows={data} labels={labels} />}
    </section>
  )
}

function Mine({ kind }: { kind: CredentialKind }) {
  const { t } = useApp()
  return (
    <section>
      <h2>{t(kind.texts.title)}</h2>
      <p class="help">{t(kind.texts.help)}</p>
      <Credentials kind={kind} path={`/me/${kind.path}`} mayMake />
    </section>
  )
}
