import type { FastifyInstance, FastifyReply } from 'fastify'
import { z } from 'zod'
import { consentPage, html, page } from '../core/html.ts'
import { sendBack, sendPage } from '../core/send-page.ts'
import type { World } from '../core/world.ts'

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
export function registerAuthorize(app: FastifyInstance, world: World): void {
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
