/** Errors of the token endpoint. Their form is that of RFC 6749, 5.2, which every OAuth client understands. */
import { ItsmError } from '../../core/errors.js'

/** Codes of RFC 6749, 5.2, that the token endpoint uses. */
export type OAuthCode = 'invalid_request' | 'invalid_client' | 'unsupported_grant_type' | 'invalid_scope'

/** A request for a token that is refused. Clients look at the code; the message is for their programmers, in English. */
export class OAuthRefusal extends ItsmError {
  readonly code: OAuthCode

  /** @param message printable ASCII without quotation marks and backslashes, as the RFC demands: never text of the caller */
  constructor(code: OAuthCode, message: string, options: { status?: number; headers?: Record<string, string> } = {}) {
    super(options.status ?? (code === 'invalid_client' ? 401 : 400), message, { headers: options.headers ?? {} })
    this.code = code
  }
}
