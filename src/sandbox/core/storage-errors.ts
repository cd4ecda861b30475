import { randomUUID } from 'node:crypto'
import type { ErrorReply, ErrorWording } from './error-wording.ts'

export function storageFailure(status: number, code: string, message: string): ErrorReply {
  const requestId = randomUUID().replaceAll('-', '').slice(0, 16).toUpperCase()
  return {
    status,
    body: `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${message}</Message><RequestId>${requestId}</RequestId></Error>`,
    headers: { 'content-type': 'application/xml', 'x-amz-request-id': requestId },
  }
}

export const noSuchKey = (): ErrorReply => storageFailure(404, 'NoSuchKey', 'The specified key does not exist.')

function failed(status: number): ErrorReply {
  if (status === 404) return noSuchKey()
  if (status === 403) return storageFailure(403, 'AccessDenied', 'Access Denied')
  if (status === 503) return storageFailure(503, 'SlowDown', 'Please reduce your request rate.')
  if (status < 500) return storageFailure(status, 'InvalidRequest', 'Invalid request')
  return storageFailure(status, 'InternalError', 'We encountered an internal error. Please try again.')
}

/** How the file storage words its errors. It has neither tokens nor grants, and throttles by 503. */
export const storageWording: ErrorWording = {
  throttled: () => failed(503),
  failed: (_request, status) => failed(status),
  expiredToken: () => storageFailure(403, 'AccessDenied', 'Request has expired'),
  revokedGrant: () => failed(403),
}
