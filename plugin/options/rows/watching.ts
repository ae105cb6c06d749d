/** Options with which hosts watch the plugin. */
import type { DeliveryFacts, JobFacts, RequestFacts, SaveFacts, StatementFacts } from '../../core/observe.js'
import { flag, group, typed } from '../kinds.js'

/** A function that is told facts; nothing waits for what it returns. */
type Told<Facts> = (facts: Facts) => unknown

export const WATCHING = {
  /**
   * Functions that are told what happens, for metrics and traces: see operating.md: Watching. They get no secrets, bodies or values of
   * records, and what they throw is only logged. Default: none.
   */
  observe: group({
    /** Called after each response: method, route, status, milliseconds, person, account, request id. Default: none. */
    request: typed<Told<RequestFacts>>('function'),
    /** Called after each batch of the write pipeline: type, number of records by outcome, milliseconds. Default: none. */
    save: typed<Told<SaveFacts>>('function'),
    /** Called after each statement: SQL without values, milliseconds. Default: none. */
    statement: typed<Told<StatementFacts>>('function'),
    /** Called after each job in the background: name, milliseconds. Default: none. */
    job: typed<Told<JobFacts>>('function'),
    /** Called after each attempt of a delivery: channel, event, status, milliseconds. Default: none. */
    delivery: typed<Told<DeliveryFacts>>('function'),
  }),
  /**
   * Logs each call of the API at level `info`: method, route, status, milliseconds, person, account, request id. Default:
   * `false`.
   */
  logRequests: flag(false),
  /**
   * `GET /health` and `GET /ready` answer what `itsm.health()` finds: without sign-in, HTTPS and limits, for a load balancer or a
   * monitor. Default: `false`.
   */
  healthPaths: flag(false),
}
