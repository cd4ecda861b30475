import type { FastifyInstance, FastifyReply } from 'fastify'
import { z } from 'zod'
import type { World } from '../core/world.ts'
import { authorizeErrorPage, authorizePage } from './authorize-page.ts'
import { sendBack, sendPage } from '../core/send-page.ts'

const request = z.object({
  client_id: z.string({ error: 'client_id is missing' }),
  scope: z.string({ error: 'scope is missing' }).min(1),
  response_type: z.literal('code', { error: 'response_type must be code' }),
  redirect_uri: z.url({ protocol: /^https?$/, error: 'redirect_uri is missing or no address' }),
  state: z.string().optional(),
  code_challenge: z.string().min(43).max(128).optional(),
  code_challenge_method: z.enum(['plain', 'S256']).optional(),
})
type AuthorizeRequest = z.output<typeof request>

const answer = z.object({ login: z.string().optional(), answer: z.enum(['allow', 'refuse']) })

const redirect = (reply: FastifyReply, asked: AuthorizeRequest, params: Record<string, string>): FastifyReply =>
  sendBack(reply, asked.redirect_uri, { ...params, state: asked.state })

/** `GET /lwa/ap/oa`, the page on which a login allows or refuses, and the answer to it. */
export function registerAuthorize(app: FastifyInstance, world: World): void {
  const read = (values: unknown, reply: FastifyReply): AuthorizeRequest | null => {
    const parsed = request.safeParse(values)
    const message = parsed.success
      ? world.lwa.knowsClient(parsed.data.client_id)
        ? null
        : 'Unknown client id.'
      : (parsed.error.issues[0]?.message ?? 'The request is malformed')
    if (message === null && parsed.success) return parsed.data
    void sendPage(reply, 400, authorizeErrorPage(message ?? ''))
    return null
  }

  app.get('/lwa/ap/oa', (http, reply) => {
    const asked = read(http.query, reply)
    if (!asked) return reply
    return sendPage(reply, 200, authorizePage(world.store.logins, asked.scope, textOf(asked)))
  })

  app.post('/lwa/ap/oa', (http, reply) => {
    const asked = read(http.body, reply)
    if (!asked) return reply
    const { data: answered } = answer.safeParse(http.body)
    const login = world.store.logins.find(one => one.email === answered?.login)
    if (answered?.answer === 'refuse')
      return redirect(reply, asked, {
        error: 'access_denied',
        error_description: 'Access not permitted.',
      })
    if (!answered || !login) return sendPage(reply, 400, authorizeErrorPage('Choose who you are.'))
    const code = world.lwa.issueCode({
      login: login.email,
      scope: asked.scope,
      redirectUri: asked.redirect_uri,
      clientId: asked.client_id,
      codeChallenge: asked.code_challenge
        ? { value: asked.code_challenge, method: asked.code_challenge_method ?? 'plain' }
        : null,
    })
    return redirect(reply, asked, { code, scope: asked.scope })
  })
}

const textOf = (asked: AuthorizeRequest): Record<string, string> =>
  Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined)) as Record<string, string>
