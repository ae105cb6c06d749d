/** The cases of fixtures/requests, behind a body parser that the host uses for all of its paths. */
import { describeRequests } from '../support/request-cases.js'

describeRequests('behind a body parser of the host')
