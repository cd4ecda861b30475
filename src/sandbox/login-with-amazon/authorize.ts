import type { FastifyInstance, FastifyReply } from 'fastify'
import { z } from 'zod'
import type { World } from '../core/world.ts'
import { sendBack, sendPage } from '../core/send-page.ts'
import { type Html, hiddenFields, html, page } from '../core/html.ts'
import type { Login } from '../core/model/store.ts'

/** The consent page: choose who you are, then allow or refuse. `fields` are sent with the answer. */
function authorizePage(logins: readonly Login[], scope: string, fields: Record<string, string>): Html {
  return page(
    'Sign in and allow access',
    html`<p>An application asks for access to your advertising accounts (<code>${scope}</code>). This is the emulated marketplace: no password is needed.</p>
<form method="post" action="/lwa/ap/oa">
${hiddenFields(fields)}
<fieldset><legend>Sign in as</legend>
${logins.map(
  ({ email, name }, i) =>
    html`<label><input type="radio" name="login" value="${email}"${i === 0 && ' checked'}> ${name} (${email})</label>`,
)}
</fieldset>
<button name="answer" value="allow">Allow</button>
<button name="answer" value="refuse">Refuse</button>
</form>`,
  )
}

/** The page for a wrong request of the application. It does not redirect, because the address may be anybody's. */
function authorizeErrorPage(message: string): Html {
  return page("We're sorry, an error occurred", html`<p>Error Summary</p><p>400 Bad Request</p><p>${message}</p>`)
}

const requestSchema = z.object({
  client_id: z.string({ error: 'client_id is missing' }),
  scope: z.string({ error: 'scope is missing' }).min(1),
  response_type: z.literal('code', { error: 'response_type must be code' }),
  redirect_uri: z.url({ protocol: /^https?$/, error: 'redirect_uri is missing or no address' }),
  state: z.string().optional(),
  code_challenge: z.string().min(43).max(128).optional(),
  code_challenge_method: z.enum(['plain', 'S256']).optional(),
})
type AuthorizeRequest = z.output<typeof requestSchema>

const answer = z.object({ login: z.string().optional(), answer: z.enum(['allow', 'refuse']) })

function redirect(
  reply: FastifyReply,
  authorizeRequest: AuthorizeRequest,
  params: Record<string, string>,
): FastifyReply {
  return sendBack(reply, authorizeRequest.redirect_uri, { ...params, state: authorizeRequest.state })
}

/** `GET /lwa/ap/oa`, the page on which a person allows or refuses access, and the answer to it. */
export function registerAuthorize(app: FastifyInstance, world: World): void {
  const read = (values: unknown, reply: FastifyReply): AuthorizeRequest | null => {
    const parsed = requestSchema.safeParse(values)
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
    const authorizeRequest = read(http.query, reply)
    if (!authorizeRequest) return reply
    return sendPage(reply, 200, authorizePage(world.store.logins, authorizeRequest.scope, fieldsOf(authorizeRequest)))
  })

  app.post('/lwa/ap/oa', (http, reply) => {
    const authorizeRequest = read(http.body, reply)
    if (!authorizeRequest) return reply
    const { data: consent } = answer.safeParse(http.body)
    const login = world.store.logins.find(one => one.email === consent?.login)
    if (consent?.answer === 'refuse')
      return redirect(reply, authorizeRequest, {
        error: 'access_denied',
        error_description: 'Access not permitted.',
      })
    if (!consent || !login) return sendPage(reply, 400, authorizeErrorPage('Choose who you are.'))
    const code = world.lwa.issueCode({
      login: login.email,
      scope: authorizeRequest.scope,
      redirectUri: authorizeRequest.redirect_uri,
      clientId: authorizeRequest.client_id,
      codeChallenge: authorizeRequest.code_challenge
        ? { value: authorizeRequest.code_challenge, method: authorizeRequest.code_challenge_method ?? 'plain' }
        : null,
    })
    return redirect(reply, authorizeRequest, { code, scope: authorizeRequest.scope })
  })
}

function fieldsOf(authorizeRequest: AuthorizeRequest): Record<string, string> {
  return Object.fromEntries(Object.entries(authorizeRequest).filter(([, value]) => value !== undefined)) as Record<
    string,
    string
  >
}
