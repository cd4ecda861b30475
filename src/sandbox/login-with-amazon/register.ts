import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { newRequestId } from '../core/new-id.ts'
import { sendError, type ErrorReply, type ErrorWording } from '../core/error-wording.ts'
import { textFields } from '../core/html.ts'
import type { World } from '../core/world.ts'
import { registerAuthorize } from './authorize.ts'
import { failed, invalidGrantText } from './token-service.ts'

function failure(status: number): ErrorReply {
  const [error, error_description] =
    status === 401
      ? ['invalid_client', 'Client authentication failed']
      : status < 500
        ? ['invalid_request', 'The request is malformed or cannot be served']
        : ['server_error', 'The authorization server encountered an unexpected condition']
  return { status, body: { error, error_description } }
}

function wordingOf(world: World): ErrorWording {
  return {
    statesRetryAfter: true,
    throttled: () => ({ status: 429, body: { error: 'slow_down', error_description: 'Too many requests' } }),
    failed: (_request, status) => failure(status),
    expiredToken: () => ({ status: 400, body: { error: 'invalid_grant', error_description: 'The code has expired.' } }),
    revokedGrant(request) {
      const { refresh_token: token } = textFields(request.body)
      if (token) world.lwa.revoke(token)
      return { status: 400, body: { error: 'invalid_grant', error_description: invalidGrantText('refresh_token') } }
    },
  }
}

/** Login with Amazon under `/lwa`: the authorize page and the token endpoint. */
export function registerLoginWithAmazon(app: FastifyInstance, world: World): void {
  world.errorWordings.set('lwa', wordingOf(world))
  registerAuthorize(app, world)
  app.setErrorHandler((error: { statusCode?: number }, _request, reply) =>
    sendError(reply, failure(error.statusCode ?? 500)),
  )
  void app.register(async scope => void scope.setNotFoundHandler((_request, reply) => sendError(reply, failure(404))), {
    prefix: '/lwa',
  })

  app.post('/lwa/auth/o2/token', (request, reply) => {
    void reply.headers({
      'cache-control': 'no-cache, no-store, must-revalidate',
      pragma: 'no-cache',
      'x-amz-rid': newRequestId(),
      'x-amzn-requestid': randomUUID(),
    })
    const { 'content-type': type = '' } = request.headers
    // The documentation mentions only forms. The real endpoint accepts JSON as well, and common clients send nothing else.
    const answer = /^application\/(x-www-form-urlencoded|json)\b/.test(type)
      ? world.lwa.token(textFields(request.body))
      : failed(400, 'invalid_request', 'The content type must be application/x-www-form-urlencoded')
    const { status, ...json } = answer.ok ? { status: 200, ...answer.reply } : answer.failure
    return reply.code(status).type('application/json;charset=UTF-8').send(JSON.stringify(json))
  })
}
