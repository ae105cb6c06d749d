/** How a webhook fares: its health, a test, its deliveries with all attempts, and another attempt. */
import { useEffect, useState } from 'preact/hooks'
import type { Output } from '../../core/api.js'
import { type ListStart, readPages } from '../../core/read-pages.js'
import { useApp, useLoaded } from '../../core/use-app.js'
import { useFollowed } from '../../core/use-followed.js'
import { useWanted } from '../../core/use-more.js'
import { explained, Loading, Problem } from '../../parts/basics.js'
import { MoreButton } from '../../parts/more-button.js'
import { ShownOnce } from '../../parts/shown-once.js'
import type { ExtraProps } from '../page-props.js'
import { type Delivery, DeliveryDetails, StateMark } from './webhook-delivery.js'

interface Health {
  readonly failing_since: string | null
  readonly failed_in_row: number
  readonly waiting: number
  readonly last_day: { readonly sent: number; readonly failed: number }
}

const AT_FIRST = 20
const MOST_FOLLOWED = 100
const hasSettled = ({ records }: ListStart<Delivery>) => records.every(({ state }) => state !== 'waiting')

export function WebhookLog({ path, record, mayChange }: Pick<ExtraProps, 'mayChange' | 'path' | 'record'>) {
  const { api, say, t } = useApp()
  const [isFailed, setFailed] = useState(false)
  const [open, setOpen] = useState<number | null>(null)
  const [secret, setSecret] = useState<string | null>(null)
  const wanted = useWanted(AT_FIRST)
  const url = `${path}/deliveries${isFailed ? '?state=failed' : ''}`
  // Only the newest are asked for again and again.
  const followed = Math.min(wanted.count, MOST_FOLLOWED)
  const list = useFollowed<ListStart<Delivery>>(
    `${url} ${followed}`,
    (signal) => readPages<Delivery>(api, url, followed, signal),
    hasSettled,
  )
  // From the first: what newer ones push off the followed page is here.
  const older = useLoaded(wanted.count > followed ? `${url} ${wanted.count}` : null, (signal) =>
    readPages<Delivery>(api, url, wanted.count, signal),
  )
  const newest = list.data?.records
  const known = new Set(newest?.map(({ id }) => id))
  const deliveries = newest && [...newest, ...(older.data?.records.filter(({ id }) => !known.has(id)) ?? [])]
  const announce = useOutcome(path)
  // Of the deliveries as they are: it is read again when one of them has changed.
  const seen = newest?.map(({ attempts, id, state }) => `${id} ${state} ${attempts}`).join()
  const health = useLoaded(`${path}/health ${seen}`, (signal) => api.get<Health>(`${path}/health`, signal))
  const attempt = async (work: () => Promise<unknown>, done: string) => {
    try {
      await work()
      say(done)
    } catch (failure) {
      say(explained(failure, t))
    }
  }
  const post = (end: string) => api.call<Output>('POST', path + end, { headers: { 'Idempotency-Key': crypto.randomUUID() } })
  const renew = async () => {
    if (!confirm(t('secret_sure'))) return
    await attempt(async () => setSecret(String((await post('/rotate_secret')).data['secret'])), t('saved'))
  }
  return (
    <section>
      <div class="title">
        <h2>{t('deliveries')}</h2>
        {health.data && <HealthMark health={health.data} isDisabled={record['disabled'] === true} />}
        {mayChange && (
          <span class="actions">
            <button type="button" onClick={() => void attempt(() => post('/test'), t('test_sent'))}>
              {t('send_test')}
            </button>
            {record['signed'] === true && (
              <button type="button" onClick={() => void renew()}>
                {t('new_secret')}
              </button>
            )}
          </span>
        )}
      </div>
      {health.error !== undefined && <Problem error={health.error} retry={health.reload} />}
      <label class="only-failed">
        <input type="checkbox" checked={isFailed} onChange={(event) => setFailed(event.currentTarget.checked)} />{' '}
        {t('only_failed')}
      </label>
      {list.error !== undefined && <Problem error={list.error} retry={list.reload} />}
      {!list.data && list.error === undefined && <Loading />}
      {deliveries?.length === 0 && <p class="empty">{t(isFailed ? 'none' : 'no_deliveries')}</p>}
      {deliveries && deliveries.length > 0 && (
        <ol class="deliveries">
          {deliveries.map((delivery) => (
            <li key={delivery.id}>
              <DeliveryLine
                delivery={delivery}
                isOpen={open === delivery.id}
                onOpen={() => setOpen(open === delivery.id ? null : delivery.id)}
                onRetry={
                  mayChange && delivery.state !== 'sent' && !delivery.test
                    ? () =>
                        void attempt(async () => {
                          const { data } = await post(`/deliveries/${delivery.id}/retry`)
                          // Of the answer: the list may be older than the last attempt.
                          announce({ ...delivery, attempts: Number(data['attempts']) })
                        }, t('retried'))
                    : undefined
                }
              />
              {open === delivery.id && (
                <DeliveryDetails path={`${path}/deliveries/${delivery.id}`} version={delivery.attempts} />
              )}
            </li>
          ))}
        </ol>
      )}
      {deliveries && <MoreButton {...wanted} records={deliveries} total={list.data?.total ?? 0} />}
      {secret !== null && <ShownOnce secret={secret} onClose={() => setSecret(null)} />}
    </section>
  )
}

/** Says how the next attempt of a delivery has ended. Returns a function that begins to wait for it. @param path of the webhook */
function useOutcome(path: string): (delivery: Delivery) => void {
  const { api, say, t } = useApp()
  const [before, setBefore] = useState<Delivery | null>(null)
  const hasEnded = ({ attempts }: Delivery) => attempts > (before?.attempts ?? 0)
  const { data } = useFollowed<Delivery>(
    before && `${before.id} ${before.attempts}`,
    (signal) => api.get(`${path}/deliveries/${before?.id}`, signal),
    hasEnded,
  )
  useEffect(() => {
    if (!before || data?.id !== before.id || !hasEnded(data)) return
    setBefore(null)
    say(data.state === 'sent' ? t('retry_sent') : t('retry_failed', { reason: data.last_error ?? '' }))
  }, [before, data])
  return setBefore
}

function HealthMark({ health, isDisabled }: { health: Health; isDisabled: boolean }) {
  const { number, t, time } = useApp()
  if (isDisabled) return <span class="chip ended">{t('disabled')}</span>
  if (health.failing_since !== null) {
    return (
      <span class="chip failing">
        {t('failing_since', { time: time(health.failing_since), count: number(health.failed_in_row) })}
      </span>
    )
  }
  const { failed, sent } = health.last_day
  return <span class="chip done">{t('last_day', { sent: number(sent), failed: number(failed) })}</span>
}

interface DeliveryLineProps {
  readonly delivery: Delivery
  readonly isOpen: boolean
  readonly onOpen: () => void
  readonly onRetry: (() => void) | undefined
}

function DeliveryLine({ delivery, isOpen, onOpen, onRetry }: DeliveryLineProps) {
  const { number, t, time } = useApp()
  return (
    <div class="delivery">
      <StateMark delivery={delivery} />
      <button type="button" class="plain" aria-expanded={isOpen} onClick={onOpen}>
        {delivery.test ? `${delivery.event} · ${t('is_test')}` : `${delivery.event} #${delivery.object_id}`}
      </button>
      <span class="by">
        <time dateTime={delivery.created_at}>{time(delivery.created_at)}</time> ·{' '}
        {t('attempts', { count: number(delivery.attempts) })}
        {delivery.last_error !== null && ` · ${delivery.last_error}`}
        {delivery.next_at !== null &&
          delivery.state === 'waiting' &&
          ` · ${t('next_attempt', { time: time(delivery.next_at) })}`}
      </span>
      {onRetry && (
        <button type="button" onClick={onRetry}>
          {t('retry')}
        </button>
      )}
    </div>
  )
}
