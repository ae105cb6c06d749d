/** How the system is, for administrators: whether its parts answer, how late its queues are, and what it works on. */
import type { ComponentChildren } from 'preact'
import type { TextKey } from '../../core/texts.js'
import { amountText } from '../../core/time-words.js'
import { useTitle } from '../../core/title.js'
import { useApp, useLoaded } from '../../core/use-app.js'
import { Empty, Link, Loading, Problem } from '../../parts/basics.js'

interface System {
  readonly version: string
  readonly ok: boolean
  readonly checks: Readonly<Record<Part, boolean>> & Readonly<Record<Figure, number | null>>
  readonly jobs: readonly { readonly name: string; readonly began_at: string }[]
}
const PARTS = ['database', 'migrations', 'jobs', 'filesStore'] as const
type Part = (typeof PARTS)[number]
type Figure = 'outboxAgeMs' | 'timersLateMs' | 'importsRunning'

const TEXTS: Readonly<Record<Part, TextKey>> = {
  database: 'system_database',
  migrations: 'system_migrations',
  jobs: 'system_jobs',
  filesStore: 'system_files',
}

/** What waits to be sent, and what was given up in the last day. */
interface Queue {
  readonly waiting: number
  readonly oldest: string | null
}

export function SystemPage() {
  const { api, t, time } = useApp()
  useTitle(t('system_title'))
  const { data, error, reload, isLoading } = useLoaded('system', async (signal) => {
    const [system, queue] = await Promise.all([api.get<System>('/system', signal), readQueue(signal)])
    return { system, queue, at: new Date().toISOString() }
  })
  async function readQueue(signal: AbortSignal): Promise<Queue> {
    const { data: first, headers } = await api.call<readonly { readonly created_at: string }[]>(
      'GET',
      '/deliveries?state=waiting&sort=id&per_page=1',
      { signal },
    )
    return { waiting: Number(headers.get('X-Pagination-Total-Entries') ?? 0), oldest: first[0]?.created_at ?? null }
  }
  if (!data) return error === undefined ? <Loading /> : <Problem error={error} retry={reload} />
  const { at, queue, system } = data
  return (
    <>
      <div class="title">
        <h1>{t('system_title')}</h1>
        <Mark isWell={system.ok} />
        <span class="actions">
          <button type="button" onClick={reload} disabled={isLoading}>
            {t('import_reload')}
          </button>
        </span>
      </div>
      {error !== undefined && <Problem error={error} />}
      <p class="help">{t('system_help', { version: system.version, time: time(at) })}</p>
      <section>
        <h2>{t('system_parts')}</h2>
        <dl class="details">
          {PARTS.map((part) => (
            <Fact key={part} text={TEXTS[part]}>
              <Mark isWell={system.checks[part]} />
            </Fact>
          ))}
        </dl>
      </section>
      <section>
        <h2>{t('system_queues')}</h2>
        <dl class="details">
          <Fact text="system_outbox">
            <Age milliseconds={system.checks.outboxAgeMs} />
          </Fact>
          <Fact text="system_timers">
            <Age milliseconds={system.checks.timersLateMs} />
          </Fact>
          <Fact text="deliveries">
            {queue.oldest === null ? (
              t('system_none_waits')
            ) : (
              <>
                {t('system_waiting', { count: queue.waiting })} <Age milliseconds={Date.parse(at) - Date.parse(queue.oldest)} />
              </>
            )}
          </Fact>
          <Fact text="system_imports">
            <Link to="/imports">{system.checks.importsRunning ?? '?'}</Link>
          </Fact>
        </dl>
      </section>
      <section>
        <h2>{t('system_running')}</h2>
        {system.jobs.length === 0 ? (
          <Empty>{t('system_idle')}</Empty>
        ) : (
          <ul class="parts">
            {system.jobs.map(({ began_at, name }, index) => (
              <li key={index}>
                <p>{name}</p>
                <p class="by">
                  <time dateTime={began_at}>{time(began_at)}</time>
                </p>
              </li>
            ))}
          </ul>
        )}
      </section>
    </>
  )
}

function Fact({ text, children }: { text: TextKey; children: ComponentChildren }) {
  const { t } = useApp()
  return (
    <div>
      <dt>{t(text)}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function Mark({ isWell }: { isWell: boolean }) {
  const { t } = useApp()
  return <span class={`chip ${isWell ? 'done' : 'failing'}`}>{t(isWell ? 'system_well' : 'system_fails')}</span>
}

const MINUTE = 60_000
/** Milliseconds that are no delay: a round of the sweeps. */
const NO_DELAY = 5000

/** How long something has waited, in whole minutes. */
function Age({ milliseconds }: { milliseconds: number | null }) {
  const { locale, t } = useApp()
  if (milliseconds === null) return <>{t('system_unknown')}</>
  if (milliseconds < NO_DELAY) return <>{t('system_no_delay')}</>
  return <>{amountText(locale, Math.ceil(milliseconds / MINUTE))}</>
}
