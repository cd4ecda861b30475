import { consentTo } from '../../../src/main/demonstration/outside-world.ts'
import type { Processes } from '../../support/processes.ts'
import { sellerLogin } from './people.ts'

const client = { client_id: 'amzn1.application-oa2-client.demo', client_secret: 'amzn1.oa2-cs.v1.demo' }
const unitedStates = 'ATVPDKIKX0DER'

/** The seller removes a US listing at the marketplace; the product is not notified. */
export async function takeDownListing({ url }: Processes['sandbox'], sku: string): Promise<void> {
  const query = new URLSearchParams({
    application_id: 'amzn1.sellerapps.app.demo',
    redirect_uri: 'http://localhost/own',
    state: 'own',
  })
  const back = await consentTo(`${url}/sellercentral/apps/authorize/consent?${query.toString()}`, {
    account: `${sellerLogin.login}|${sellerLogin.sellerId}`,
  })
  const code = back.searchParams.get('spapi_oauth_code') ?? ''
  const body = new URLSearchParams({ grant_type: 'authorization_code', code, ...client })
  const granted = await fetch(`${url}/lwa/auth/o2/token`, { method: 'POST', body })
  const { access_token = '' } = (await granted.json()) as { access_token?: string }
  const listing = `${url}/sp/na/listings/2021-08-01/items/${sellerLogin.sellerId}/${sku}?marketplaceIds=${unitedStates}`
  const taken = await fetch(listing, { method: 'DELETE', headers: { 'x-amz-access-token': access_token } })
  if (!taken.ok) throw new Error(`${sku} stays listed: ${taken.status} ${await taken.text()}`)
}
