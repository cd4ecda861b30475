import type { FastifyReply, FastifyRequest } from 'fastify'
import { storageFailure } from '../../core/storage-errors.ts'
import { sendError } from '../../core/error-wording.ts'
import type { SignedLinks } from './signed-links.ts'

/** Sends an error of the file storage, in XML. */
export const storageError = (reply: FastifyReply, status: number, code: string, message: string): FastifyReply =>
  sendError(reply, storageFailure(status, code, message))

/** Rejects a forged or expired link, and any other credentials; null when the file may be sent. */
export function checkedLink(
  request: FastifyRequest,
  reply: FastifyReply,
  links: SignedLinks,
  now: Date,
): FastifyReply | null {
  if (request.headers.authorization)
    return storageError(
      reply,
      400,
      'InvalidArgument',
      'Only one auth mechanism allowed; only the X-Amz-Algorithm query parameter, Signature query string parameter or the Authorization header should be specified',
    )
  const [path = ''] = request.url.split('?')
  const verdict = links.check(path, request.query as Record<string, string | undefined>, now)
  if (verdict === 'forged')
    return storageError(reply, 403, 'SignatureDoesNotMatch', 'The request signature we calculated does not match.')
  return verdict === 'expired' ? storageError(reply, 403, 'AccessDenied', 'Request has expired') : null
}
