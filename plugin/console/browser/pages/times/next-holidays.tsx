/** The holidays of a calendar in the next twelve months, those that go on included. */
import type { Output } from '../../core/api.js'
import { localText, spanText } from '../../core/time-words.js'
import { useApp, useLoaded } from '../../core/use-app.js'
import { Loading, Problem } from '../../parts/basics.js'
import { Reference } from '../../parts/value.js'
import type { ExtraProps } from '../page-props.js'

const PER_PAGE = 100

export function NextHolidays({ path }: Pick<ExtraProps, 'path'>) {
  const { api, locale, t } = useApp()
  const { data, error, reload } = useLoaded(`${path}/holidays`, async (signal) => {
    const now = new Date()
    const query = new URLSearchParams({
      end_at: `>${localText(now)}`,
      start_at: `<${localText(new Date(now.getFullYear() + 1, now.getMonth(), now.getDate() + 1))}`,
      fields: 'name,start_at,end_at',
      per_page: String(PER_PAGE),
    })
    const { data: found, headers } = await api.call<readonly Output[]>('GET', `${path}/holidays?${query}`, { signal })
    const total = Number(headers.get('X-Pagination-Total-Entries') ?? found.length)
    return { holidays: found.toSorted((one, other) => (String(one['start_at']) < String(other['start_at']) ? -1 : 1)), total }
  })
  return (
    <section>
      <h2>{t('times_holidays')}</h2>
      {!data && (error === undefined ? <Loading /> : <Problem error={error} retry={reload} />)}
      {data?.total === 0 && <p class="help">{t('times_no_holidays')}</p>}
      {data && data.total > 0 && (
        <ul class="next-holidays">
          {data.holidays.map((holiday) => (
            <li key={String(holiday['id'])}>
              <Reference record={holiday} type="holiday" />
              <span class="span">{spanText(locale, String(holiday['start_at']), String(holiday['end_at']))}</span>
            </li>
          ))}
          {data.total > data.holidays.length && <li>{t('and_more', { count: data.total - data.holidays.length })}</li>}
        </ul>
      )}
    </section>
  )
}
