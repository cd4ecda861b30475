import { randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { z } from 'zod'
import { newRequestId } from '../core/new-id.ts'
import { sendError, type ErrorReply, type ErrorWording } from '../core/error-wording.ts'
import { textFields, consentPage, html, page } from '../core/html.ts'
import type { World } from '../core/world.ts'
import { failed, invalidGrantText } from './token-service.ts'
import { sendBack, sendPage } from '../core/send-page.ts'

const PATH = '/lwa/ap/oa'

const authorizeRequest = z.object({
  client_id: z.string({ error: 'client_id is missing' }),
  scope: z.string({ error: 'scope is missing' }).min(1),
  response_type: z.literal('code', { error: 'response_type must be code' }),
  redirect_uri: z.url({ protocol: /^https?$/, error: 'redirect_uri is missing or no address' }),
  state: z.string().optional(),
  code_challenge: z.string().min(43).max(128).optional(),
  code_challenge_method: z.enum(['plain', 'S256']).optional(),
})
const consent = z.object({ login: z.string().optional(), answer: z.enum(['allow', 'refuse']) })

/** The page for a wrong request of the application. It does not redirect, because the address may be anybody's. */
function sendProblem(reply: FastifyReply, message: string): FastifyReply {
  const body = html`<p>Error Summary</p><p>400 Bad Request</p><p>${message}</p>`
  return sendPage(reply, 400, page("We're sorry, an error occurred", body))
}

/** `GET /lwa/ap/oa`, the page on which a person allows or refuses access, and the answer to it. */
function registerAuthorize(app: FastifyInstance, world: World): void {
  /** The request; null when it was invalid and has been answered. */
  const read = (values: unknown, reply: FastifyReply): z.output<typeof authorizeRequest> | null => {
    const { data, error } = authorizeRequest.safeParse(values)
    if (data && world.config.clients.has(data.client_id)) return data
    void sendProblem(reply, data ? 'Unknown client id.' : (error?.issues[0]?.message ?? 'The request is malformed'))
    return null
  }

  app.get(PATH, (http, reply) => {
    const request = read(http.query, reply)
    if (!request) return reply
    const { scope } = request
    const question = html`An application asks for access to your advertising accounts (<code>${scope}</code>).`
    const choices = html`<fieldset><legend>Sign in as</legend>
${world.store.logins.map(
  ({ email, name }, i) =>
    html`<label><input type="radio" name="login" value="${email}"${i === 0 && ' checked'}> ${name} (${email})</label>`,
)}
</fieldset>`
    return sendPage(reply, 200, consentPage('Sign in and allow access', question, PATH, request, choices))
  })

  app.post(PATH, (http, reply) => {
    const request = read(http.body, reply)
    if (!request) return reply
    const { scope, redirect_uri, state, client_id, code_challenge: value, code_challenge_method: method } = request
    const { data } = consent.safeParse(http.body)
    if (data?.answer === 'refuse') {
      const error = { error: 'access_denied', error_description: 'Access not permitted.' }
      return sendBack(reply, redirect_uri, { ...error, state })
    }
    const login = world.store.logins.find(one => one.email === data?.login)
    if (!data || !login) return sendProblem(reply, 'Choose who you are.')
    const code = world.lwa.issueCode({
      login: login.email,
      scope,
      redirectUri: redirect_uri,
      clientId: client_id,
      codeChallenge: value ? { value, method: method ?? 'plain' } : null,
    })
    return sendBack(reply, redirect_uri, { code, scope, state })
  })
}

function failure(status: number): ErrorReply {
  const [error, error_description] =
    status === 401
      ? ['invalid_client', 'Client authentication failed']
      : status < 500
        ? ['invalid_request', 'The request is malformed or cannot be served']
        : ['server_error', 'The authorization server encountered an unexpected condition']
  return { status, body: { error, error_description } }
}

const wording: ErrorWording = {
  statesRetryAfter: true,
  throttled: () => ({ status: 429, body: { error: 'slow_down', error_description: 'Too many requests' } }),
  failed: (_request, status) => failure(status),
  expiredToken: () => ({ status: 400, body: { error: 'invalid_grant', error_description: 'The code has expired.' } }),
  revokedGrant(request, revoke) {
    const { refresh_token: token } = textFields(request.body)
    if (token) revoke(token)
    return { status: 400, body: { error: 'invalid_grant', error_description: invalidGrantText('refresh_token') } }
  },
}

/** Login with Amazon under `/lwa`: the authorize page and the token endpoint. */
export function registerLoginWithAmazon(app: FastifyInstance, world: World): void {
  world.errorWordings.set('lwa', wording)
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
