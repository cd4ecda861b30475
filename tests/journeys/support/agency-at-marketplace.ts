import { consentTo } from '../../../src/main/demonstration/outside-world.ts'
import type { Processes } from '../../support/processes.ts'

/** The agency's seller with running campaigns of every ad type. */
export const agency = { login: 'agency@sandbox.test', sellerId: 'A1HARBORLANEUS', profileId: 1100000000000011 }
/** Its seller in Europe, whom no other journey of the shared world connects. */
export const agencyInEurope = { login: agency.login, sellerId: 'A2NORDHAFENDE1', regionId: 2 }
const client = { client_id: 'amzn1.application-oa2-client.demo', client_secret: 'amzn1.oa2-cs.v1.demo' }

export type Entity = Record<string, unknown>

/** The test's own calls of the marketplace's advertising API, as the agency. */
export interface Marketplace {
  call(method: string, path: string, mediaType: string, body: object): Promise<Entity>
  /** Every entity of a Sponsored Products list: keywords, negativeKeywords, campaigns. */
  list(path: string, type: string, filter?: object, key?: string): Promise<Entity[]>
}

async function answerOf(answer: Response): Promise<Entity> {
  if (!answer.ok) throw new Error(`${answer.url} answered ${answer.status}: ${await answer.text()}`)
  return (await answer.json()) as Entity
}

export async function openMarketplace({ url }: Processes['sandbox']): Promise<Marketplace> {
  const redirect_uri = 'http://localhost/own'
  const query = {
    client_id: client.client_id,
    scope: 'advertising::campaign_management',
    response_type: 'code',
    redirect_uri,
  }
  const back = await consentTo(`${url}/lwa/ap/oa?${new URLSearchParams(query).toString()}`, { login: agency.login })
  const code = back.searchParams.get('code') ?? ''
  const body = new URLSearchParams({ grant_type: 'authorization_code', code, redirect_uri, ...client })
  const { access_token: token } = await answerOf(await fetch(`${url}/lwa/auth/o2/token`, { method: 'POST', body }))
  const call: Marketplace['call'] = async (method, path, mediaType, content) =>
    answerOf(
      await fetch(`${url}/ads/na${path}`, {
        method,
        headers: {
          authorization: `Bearer ${String(token)}`,
          'amazon-advertising-api-clientid': client.client_id,
          'amazon-advertising-api-scope': String(agency.profileId),
          'content-type': mediaType,
          accept: mediaType,
        },
        body: JSON.stringify(content),
      }),
    )
  return {
    call,
    list: async (path, type, filter = {}, key = path) => {
      const all: Entity[] = []
      let nextToken: unknown
      do {
        const page = await call('POST', `/sp/${path}/list`, `application/vnd.${type}.v3+json`, {
          maxResults: 1000,
          ...filter,
          ...(nextToken !== undefined && { nextToken }),
        })
        all.push(...((page[key] ?? []) as Entity[]))
        nextToken = page['nextToken'] ?? undefined
      } while (nextToken !== undefined)
      return all
    },
  }
}

export const thousand = { adGroup: 'A thousand keywords', bid: 0.5, campaign: 'Yoga Mats – Exact' }

/** Adds an ad group with a thousand keywords, each with a bid of its own, to a running campaign. */
export async function addThousandKeywords(marketplace: Marketplace): Promise<void> {
  const [campaign] = await marketplace.list('campaigns', 'spCampaign', {
    nameFilter: { queryTermMatchType: 'EXACT_MATCH', include: [thousand.campaign] },
  })
  const campaignId = campaign?.['campaignId']
  const made = await marketplace.call('POST', '/sp/adGroups', 'application/vnd.spAdGroup.v3+json', {
    adGroups: [{ campaignId, name: thousand.adGroup, state: 'ENABLED', defaultBid: thousand.bid }],
  })
  const { success } = made['adGroups'] as { success: { adGroupId: string }[] }
  const adGroupId = success[0]?.adGroupId
  const keywords = Array.from({ length: 1000 }, (_, i) => ({
    campaignId,
    adGroupId,
    keywordText: `yoga mat number ${i + 1}`,
    matchType: 'EXACT',
    state: 'ENABLED',
    bid: thousand.bid,
  }))
  await marketplace.call('POST', '/sp/keywords', 'application/vnd.spKeyword.v3+json', { keywords })
}
