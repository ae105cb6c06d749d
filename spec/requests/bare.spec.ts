/** The cases of fixtures/requests, with `host.use(itsm.middleware)`. */
import { describeRequests } from '../support/request-cases.js'

describeRequests('bare')
