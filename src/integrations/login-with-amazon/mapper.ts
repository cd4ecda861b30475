import { UpstreamRejected, UpstreamUnauthorized } from '#server/http-client/upstream-errors.ts'
import { ClientRejected, GrantRevoked } from './grant-errors.ts'

/** Names what a refused grant means; any other error is answered as it is. */
export function explainRefusal(error: unknown): unknown {
  if (!(error instanceof UpstreamRejected || error instanceof UpstreamUnauthorized)) return error
  const context = {
    upstream: error.upstream,
    operation: error.operation,
    status: error.status,
    code: error.code,
    requestId: error.requestId,
    cause: error,
  }
  if (error.code === 'invalid_grant') return new GrantRevoked(error.message, context)
  if (error.code === 'invalid_client' || error.code === 'unauthorized_client')
    return new ClientRejected(error.message, context)
  return error
}
