import type { FastifyInstance, FastifyReply } from 'fastify'
import { z } from 'zod'
import type { World } from '../core/world.ts'
import { accountValue, consentErrorPage, consentPage } from './consent-page.ts'
import { sendBack, sendPage } from '../core/send-page.ts'

/** Scope that a Selling Partner consent grants. An advertising token has another and gives no access here. */
export const SELLING_PARTNER_SCOPE = 'sellingpartnerapi'

const PATH = '/sellercentral/apps/authorize/consent'

const consentRequest = z.object({
  application_id: z.string(),
  state: z.string().default(''),
  redirect_uri: z.url({ protocol: /^https?$/ }),
  version: z.string().optional(),
})
type ConsentRequest = z.output<typeof consentRequest>

/** An application's draft has its id with this ending, and is only shown on request. */
const DRAFT = '.draft'

/** Why a request is invalid, with the codes of the real page; null when it is valid. */
function problemOf({ application_id, version }: ConsentRequest, app: string): { code: string; message: string } | null {
  if (application_id === `${app}${DRAFT}` && version !== 'beta')
    return { code: 'MD1000', message: 'The application is a draft: its maker has to ask with version=beta.' }
  if (application_id !== app && application_id !== `${app}${DRAFT}`)
    return { code: 'MD5101', message: 'The application is not registered. Ask its maker.' }
  return null
}

const redirect = (reply: FastifyReply, request: ConsentRequest, values: Record<string, string>): FastifyReply =>
  sendBack(reply, request.redirect_uri, { ...values, state: request.state })

/** The seller's consent page, and the answer to it: a code for five minutes, bound to one seller. */
export function registerConsent(app: FastifyInstance, world: World): void {
  const read = (values: unknown, reply: FastifyReply): ConsentRequest | null => {
    const parsed = consentRequest.safeParse(values)
    const problem = parsed.success
      ? problemOf(parsed.data, world.config.sellingPartnerApp)
      : { code: 'MD5101', message: 'The redirect address is not registered. Ask the application’s maker.' }
    if (parsed.success && !problem) return parsed.data
    void sendPage(reply, 400, consentErrorPage(problem?.code ?? '', problem?.message ?? ''))
    return null
  }

  app.get(PATH, (http, reply) => {
    const request = read(http.query, reply)
    if (!request) return reply
    const { version, ...rest } = request
    const fields = version === undefined ? rest : { ...rest, version }
    return sendPage(reply, 200, consentPage(world.store, fields))
  })

  app.post<{ Body: { account?: string; answer?: string } | null }>(PATH, (http, reply) => {
    const request = read(http.body, reply)
    if (!request) return reply
    if (http.body?.answer !== 'allow') return redirect(reply, request, { error: 'access_denied' })
    const { logins, sellers } = world.store
    const account = logins
      .flatMap(login => login.sellerIds.flatMap(id => ({ login, seller: sellers.get(id) })))
      .find(({ login, seller }) => seller && accountValue(login, seller) === http.body?.account)
    if (!account?.seller) return sendPage(reply, 400, consentErrorPage('MD9100', 'Choose one of your accounts.'))
    const { sellerId } = account.seller
    const spapi_oauth_code = world.lwa.issueCode({
      login: account.login.email,
      sellerId,
      scope: SELLING_PARTNER_SCOPE,
      // Clients may omit the address when they exchange the code, so it is not bound to one.
      redirectUri: null,
      clientId: [...world.config.clients.keys()].at(-1) ?? '',
    })
    return redirect(reply, request, { selling_partner_id: sellerId, spapi_oauth_code })
  })
}
