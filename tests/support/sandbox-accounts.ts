import { startSandbox } from '#sandbox/start-sandbox.ts'
import { createAmazonAds } from '#integrations/amazon-ads/index.ts'
import { createLoginWithAmazon } from '#integrations/login-with-amazon/index.ts'
import { createSellingPartner } from '#integrations/selling-partner/index.ts'
import type { HttpPolicy } from '#server/http-client/http-client.ts'
import { createAccessTokens } from './access-tokens.ts'
import { silentLog } from './scripted-host.ts'
import { histories } from './processes.ts'

const clientId = 'amzn1.application-oa2-client.demo'
const back = 'http://localhost:8080/back'
const quick: Partial<HttpPolicy> = { firstDelayMs: 1, maxDelayMs: 5, timeoutMs: 5_000 }

/** Answers a consent page as a person would, and returns the address that the browser is redirected to. */
async function answerConsent(address: string, fields: Record<string, string>): Promise<URLSearchParams> {
  const url = new URL(address)
  const body = new URLSearchParams([...url.searchParams, ...Object.entries(fields)])
  const reply = await fetch(url.origin + url.pathname, { method: 'POST', body, redirect: 'manual' })
  const location = reply.headers.get('location')
  if (!location) throw new Error(`no way back from the consent page: ${await reply.text()}`)
  return new URL(location).searchParams
}

/** An emulator with our three integrations connected to it; `login` gave the advertising consent through real redirects. */
export async function openSandboxAccounts(options: { scenario?: string; login: string }) {
  const sandbox = await startSandbox({ scenario: options.scenario ?? 'small', histories })
  const { url } = sandbox
  const clock = { now: () => sandbox.world.clock.now() }
  const regional = (path: string) => ({ NA: `${url}/${path}/na`, EU: `${url}/${path}/eu`, FE: `${url}/${path}/fe` })
  const authorize = `${url}/lwa/ap/oa`
  const login = createLoginWithAmazon({
    authorizeUrls: { NA: authorize, EU: authorize, FE: authorize },
    tokenUrl: `${url}/lwa/auth/o2/token`,
    clientId,
    clientSecret: 'amzn1.oa2-cs.v1.demo',
    clock,
    log: silentLog,
    policy: quick,
  })
  const grants = new Map<number, string>()
  const tokens = createAccessTokens({
    clock,
    refresh: connectionId => login.refresh(grants.get(connectionId) ?? ''),
  })

  const ads = createAmazonAds({
    baseUrls: regional('ads'),
    clientId,
    tokens,
    clock,
    log: silentLog,
    policy: quick,
    rate: { rate: 1000, burst: 1000 },
  })
  const partner = createSellingPartner({
    baseUrls: regional('sp'),
    applicationId: 'amzn1.sellerapps.app.demo',
    sellerCentralUrl: `${url}/sellercentral`,
    tokens,
    clock,
    log: silentLog,
    policy: quick,
  })

  /** Gives the advertising consent; answers the connection's number. */
  const connectAds = async (email: string): Promise<number> => {
    const consentUrl = login.authorizeUrl({ region: 'NA', state: 'state', redirectUri: back })
    const answer = await answerConsent(consentUrl, { login: email, answer: 'allow' })
    const grant = await login.exchangeCode({ code: answer.get('code') ?? '', redirectUri: back })
    grants.set(grants.size + 1, grant.refreshToken)
    return grants.size
  }

  /** Gives a seller's consent; `account` is the value that the consent page offers. */
  const connectSeller = async (email: string, sellerId: string) => {
    const consentUrl = partner.consentUrl({ marketplaceKey: 'US', state: 'state', redirectUri: back })
    const page = await (await fetch(consentUrl)).text()
    const account = [...page.matchAll(/value="([^"]*)"/g)]
      .map(m => m[1] ?? '')
      .find(v => v.includes(sellerId) && v.includes(email))
    const answer = await answerConsent(consentUrl, { account: account ?? '', answer: 'allow' })
    const grant = await login.exchangeCode({ code: answer.get('spapi_oauth_code') ?? '' })
    grants.set(grants.size + 1, grant.refreshToken)
    return { connectionId: grants.size, sellerId: answer.get('selling_partner_id') ?? '' }
  }

  const fault = async (fault: object) => {
    const reply = await sandbox.control('POST', 'faults', fault)
    if (reply.status !== 201) throw new Error(await reply.text())
  }

  return {
    sandbox,
    login,
    ads,
    partner,
    grants,
    connectAds,
    connectSeller,
    fault,
    connectionId: await connectAds(options.login),
    close: () => sandbox.close(),
  }
}

export type SandboxAccounts = Awaited<ReturnType<typeof openSandboxAccounts>>
