import type { FastifyInstance, FastifyReply } from 'fastify'
import { z } from 'zod'
import { marketplaceByAmazonId } from '#shared/marketplaces.ts'
import { consentPage, type Html, html, page } from '../core/html.ts'
import type { Seller } from '../core/model/store.ts'
import { sendBack, sendPage } from '../core/send-page.ts'
import type { World } from '../core/world.ts'

/** Scope that a Selling Partner consent grants. An advertising token has another and gives no access here. */
export const SELLING_PARTNER_SCOPE = 'sellingpartnerapi'

const PATH = '/sellercentral/apps/authorize/consent'

const consentRequest = z.object({
  application_id: z.string(),
  state: z.string().default(''),
  redirect_uri: z.url({ protocol: /^https?$/ }),
  version: z.string().optional(),
})
const consentAnswer = z.object({ account: z.string().optional(), answer: z.string().optional() })

function accountsOf({ store }: World) {
  return store.logins.flatMap(({ email, sellerIds }) =>
    sellerIds.flatMap(id => {
      const seller = store.sellers.get(id)
      return seller ? { email, seller, value: `${email}|${id}` } : []
    }),
  )
}

function accountChoices(world: World): Html {
  const accounts = accountsOf(world)
  const countriesOf = ({ marketplaceIds }: Seller): string =>
    marketplaceIds.map(id => marketplaceByAmazonId(id)?.name ?? id).join(', ')
  return html`<h2>Which account?</h2>
${world.store.logins.map(
  ({ name, email }) => html`<fieldset><legend>${name} (${email})</legend>
${accounts.map(
  (account, i) =>
    account.email === email &&
    html`<label><input type="radio" name="account" value="${account.value}"${i === 0 && ' checked'}> ${account.seller.name} (${countriesOf(account.seller)})</label>`,
)}
</fieldset>`,
)}`
}

/** The page for a wrong request, with the codes of the real one. It does not redirect: the address may be anybody's. */
function sendProblem(reply: FastifyReply, code: string, message: string): FastifyReply {
  const body = html`<p>${message}</p><p>Error code: <strong>${code}</strong></p>`
  return sendPage(reply, 400, page('We’re sorry, we’ve encountered an error', body))
}

/** The request; null when it was invalid and has been answered. */
function read(world: World, values: unknown, reply: FastifyReply): z.output<typeof consentRequest> | null {
  const { data } = consentRequest.safeParse(values)
  const app = world.config.sellingPartnerApp
  // An application's draft is only shown on request.
  const isDraft = data?.application_id === `${app}.draft`
  if (!data) void sendProblem(reply, 'MD5101', 'The redirect address is not registered. Ask the application’s maker.')
  else if (isDraft && data.version !== 'beta')
    void sendProblem(reply, 'MD1000', 'The application is a draft: its maker has to ask with version=beta.')
  else if (data.application_id !== app && !isDraft)
    void sendProblem(reply, 'MD5101', 'The application is not registered. Ask its maker.')
  else return data
  return null
}

/** The seller's consent page, and the answer to it: a code for five minutes, bound to one seller. */
export function registerConsent(app: FastifyInstance, world: World): void {
  app.get(PATH, (http, reply) => {
    const request = read(world, http.query, reply)
    if (!request) return reply
    const question = 'An application asks for access to your selling account: your listings, stock and sales.'
    return sendPage(reply, 200, consentPage('Authorize application', question, PATH, request, accountChoices(world)))
  })

  app.post(PATH, (http, reply) => {
    const request = read(world, http.body, reply)
    if (!request) return reply
    const { redirect_uri, state } = request
    const answer = consentAnswer.parse(http.body)
    if (answer.answer !== 'allow') return sendBack(reply, redirect_uri, { error: 'access_denied', state })
    const account = accountsOf(world).find(one => one.value === answer.account)
    if (!account) return sendProblem(reply, 'MD9100', 'Choose one of your accounts.')
    const { sellerId } = account.seller
    const spapi_oauth_code = world.lwa.issueCode({
      login: account.email,
      sellerId,
      scope: SELLING_PARTNER_SCOPE,
      // Clients may omit the address when they exchange the code, so it is not bound to one.
      redirectUri: null,
      clientId: [...world.config.clients.keys()].at(-1) ?? '',
    })
    return sendBack(reply, redirect_uri, { selling_partner_id: sellerId, spapi_oauth_code, state })
  })
}
