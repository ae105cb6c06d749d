/** `/console/account`, for administrators: the account, who administers it, and the accounts that it trusts. */
import type { ComponentChildren } from 'preact'
import type { Json, Output } from '../../core/api.js'
import { ADMINISTRATORS } from '../../core/roles.js'
import { useTitle } from '../../core/title.js'
import { useApp, useIsAdministrator, useLoaded } from '../../core/use-app.js'
import { Empty, Link, Loading, Problem } from '../../parts/basics.js'
import { Nothing, Reference, Value } from '../../parts/value.js'
import type { OwnPageProps } from '../page-props.js'

export function AccountPage({ part }: OwnPageProps) {
  const { t } = useApp()
  const isAdministrator = useIsAdministrator()
  useTitle(t('account_page'))
  if (part !== undefined) return <Empty>{t('no_page')}</Empty>
  if (isAdministrator === undefined) return <Loading />
  return isAdministrator ? <Account /> : <Empty>{t('forbidden', { message: '' })}</Empty>
}

function Account() {
  const { api, t } = useApp()
  const { data, error, reload } = useLoaded('/account', (signal) => api.get('/account', signal))
  if (!data) return error === undefined ? <Loading /> : <Problem error={error} retry={reload} />
  return (
    <>
      <div class="title">
        <h1>{String(data['name'])}</h1>
        <span class="total">{String(data['id'])}</span>
      </div>
      <Facts account={data} />
      <p class="help">{t('account_set_by_host')}</p>
      <Administrators />
      <Trusts />
    </>
  )
}

function Facts({ account }: { account: Output }) {
  const { catalog, t } = useApp()
  const record = (name: string, type: string) =>
    account[name] ? <Reference record={account[name] as Output} type={type} /> : <Nothing />
  // The person has fields of the same meaning, with labels and values in the language of the reader.
  const likePerson = (name: string): readonly [string, ComponentChildren][] => {
    const field = catalog.typeNamed('person')?.fields.find((one) => one.name === name)
    return field ? [[field.label, <Value key={name} field={field} value={account[name] as Json} />]] : []
  }
  const directory = account['directory_account'] as Output | null
  const facts: readonly (readonly [string, ComponentChildren])[] = [
    [t('account_plan'), String(account['plan'])],
    [catalog.typeNamed('organization')?.label ?? 'organization', record('organization', 'organization')],
    [t('account_owner'), record('owner', 'person')],
    ...likePerson('locale'),
    ...likePerson('time_zone'),
    ...likePerson('time_format_24h'),
    [t('account_currency'), String(account['currency'])],
    [t('account_privacy'), t(account['strong_privacy'] === true ? 'yes' : 'no')],
    [t('account_directory'), directory ? `${directory['name']} (${directory['id']})` : <Nothing />],
    [t('account_url'), String(account['url'])],
  ]
  return (
    <dl class="details">
      {facts.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

const MOST = 100

function Administrators() {
  const { api, number, t } = useApp()
  const path = `/people?roles=${ADMINISTRATORS.join()}&fields=name&per_page=${MOST}`
  const { data, error, reload } = useLoaded(path, (signal) => api.call<readonly Output[]>('GET', path, { signal }))
  const total = Number(data?.headers.get('X-Pagination-Total-Entries') ?? 0)
  return (
    <section>
      <h2>{t('account_administrators')}</h2>
      {!data && (error === undefined ? <Loading /> : <Problem error={error} retry={reload} />)}
      {data && (
        <ul class="values">
          {data.data.map((person) => (
            <li key={String(person['id'])}>
              <Reference record={person} type="person" />
            </li>
          ))}
          {total > data.data.length && <li>{t('and_more', { count: number(total - data.data.length) })}</li>}
        </ul>
      )}
    </section>
  )
}

/** The API shows trusted accounts by their organizations. */
function Trusts() {
  const { api, catalog, t } = useApp()
  const path = `/organizations/trusted?fields=name&per_page=${MOST}`
  const { data, error, reload } = useLoaded(path, (signal) => api.call<readonly Output[]>('GET', path, { signal }))
  const byAccount = new Map<string, { readonly name: string; readonly organizations: Output[] }>()
  for (const organization of data?.data ?? []) {
    const account = organization['account'] as Output | undefined
    if (!account) continue
    const known = byAccount.get(String(account['id'])) ?? { name: String(account['name']), organizations: [] }
    known.organizations.push(organization)
    byAccount.set(String(account['id']), known)
  }
  const total = Number(data?.headers.get('X-Pagination-Total-Entries') ?? 0)
  return (
    <section>
      <h2>{t('account_trusts')}</h2>
      <p class="help">{t('account_trusts_help')}</p>
      {!data && (error === undefined ? <Loading /> : <Problem error={error} retry={reload} />)}
      {data && byAccount.size === 0 && <p class="empty">{t('account_no_trusts')}</p>}
      {byAccount.size > 0 && (
        <div class="table">
          <table>
            <thead>
              <tr>
                <th scope="col">{t('account')}</th>
                <th scope="col">{catalog.typeNamed('organization')?.label_of_many}</th>
              </tr>
            </thead>
            <tbody>
              {[...byAccount].map(([id, { name, organizations }]) => (
                <tr key={id}>
                  <td class="first">
                    {name} <span class="code">{id}</span>
                  </td>
                  <td data-label={catalog.typeNamed('organization')?.label_of_many}>
                    <ul class="values">
                      {organizations.map((one) => (
                        <li key={String(one['id'])}>
                          <Reference record={one} type="organization" />
                        </li>
                      ))}
                    </ul>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {data && total > data.data.length && <Link to="/organizations">{t('more')}</Link>}
    </section>
  )
}
