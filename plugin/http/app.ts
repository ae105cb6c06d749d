/** The API as a Koa application: the chain that every request below /v1 passes through, in order. */
import Koa, { type Middleware } from 'koa'
import type { HttpDeps } from './deps.js'
import { answerErrors } from './middleware/answer-errors.js'
import { commonHeaders } from './middleware/common-headers.js'
import { compress } from './middleware/compress.js'
import { conditional } from './middleware/conditional.js'
import { countAnonymous, countBodies, countCall } from './middleware/count-calls.js'
import { countTraffic } from './middleware/count-traffic.js'
import { dependsOn } from './middleware/depends-on.js'
import { endBody } from './middleware/end-body.js'
import { authenticate } from './middleware/identify-caller.js'
import { jsonOnly } from './middleware/json-only.js'
import { jsonP } from './middleware/jsonp.js'
import { limitToken } from './middleware/limit-token.js'
import { logFailures } from './middleware/log-failures.js'
import { openCall } from './middleware/open-call.js'
import { ownPaths } from './middleware/own-paths.js'
import { prefer } from './middleware/prefer.js'
import { readBody } from './middleware/read-body.js'
import { findRoute, runRoute } from './middleware/route.js'
import { runOutside } from './middleware/run-outside.js'
import { secureOnly } from './middleware/secure-only.js'
import { watchRequests } from './middleware/watch-requests.js'
import { withinTime } from './middleware/within-time.js'
import { createRouter } from './router.js'

/** An application to mount: `host.use(mount('/api', createApp(deps)))`. Paths outside of /v1 continue to the host. */
export function createApp(deps: HttpDeps, middleware = createMiddleware(deps)): Koa {
  const app = new Koa()
  app.use(middleware)
  return app
}

/** Returns the API as a middleware: `host.use(createMiddleware(deps))`. */
export function createMiddleware(deps: HttpDeps): Middleware {
  return ownPaths([
    endBody(), //                     closes connections that still send after the response
    countTraffic(deps), //            work in the background gives way
    commonHeaders(), //               request id, run time, security headers
    findRoute(createRouter(deps)), // finds the endpoint; unknown ones are reported after authentication
    watchRequests(deps), //           tells the host of each call
    runOutside(), //                  health, without all that follows
    logFailures(deps), //             logs errors while the response is being sent
    compress(), //                    gzip
    answerErrors(deps), //            turns errors from below into a JSON response
    jsonP(deps), //                   wraps responses, errors too, in a call of the callback
    withinTime(deps), //              504 if all of the following takes too long
    countAnonymous(deps), //          counts calls without a known caller by their IP address
    secureOnly(deps), //              403 without HTTPS
    dependsOn(deps), //               Vary, Content-Language
    authenticate(deps), //            finds the caller: 401
    countCall(deps), //               rate limits: 429
    conditional(), //                 ETag and 304
    jsonOnly(), //                    404, 406
    limitToken(), //                  403 for what the token of the caller does not allow
    prefer(), //                      422 for parameters without effect, if the client prefers that
    readBody(deps), //                400, 413
    countBodies(deps), //             429 for arrays that count as several calls
    openCall(deps), //                account, language and source of the call: 403
    runRoute(deps), //                the endpoint; a POST once for its key
  ])
}
