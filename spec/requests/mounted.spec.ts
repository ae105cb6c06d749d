/** The cases of fixtures/requests, with `host.use(mount('/desk/api', itsm.app))`. */
import { describeRequests } from '../support/request-cases.js'

describeRequests('mounted under a prefix')
