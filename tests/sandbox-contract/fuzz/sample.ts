/** A request that is taken as it stands, to be spoiled part by part. */
export interface Sample {
  method: 'POST' | 'PUT' | 'PATCH'
  url: string
  type: string
  body: unknown
}

/** Things of the world that samples are about. */
export interface Ids {
  seller: string
  campaignId: string
  adGroupId: string
  asin: string
  sku: string
  brandEntityId: string
  brandCampaignId: string
  brandAdGroupId: string
  brandAdId: string
  displayCampaignId: string
  displayAdGroupId: string
  /** An entity of the profile for each resource of Sponsored Products. */
  byKind: Record<string, string | undefined>
}

export const US = 'ATVPDKIKX0DER'
export const JSON_TYPE = 'application/json'
export const vendor = (name: string, version = 'v3'): string => `application/vnd.${name}.${version}+json`

export function listFilters(idFilter: string, campaignId: string) {
  return {
    stateFilter: { include: ['ENABLED'] },
    [idFilter]: { include: ['1'] },
    campaignIdFilter: { include: [campaignId] },
    adGroupIdFilter: { include: ['1'] },
    portfolioIdFilter: { include: ['1'] },
    nameFilter: { queryTermMatchType: 'BROAD_MATCH', include: ['a'] },
    keywordTextFilter: { queryTermMatchType: 'BROAD_MATCH', include: ['a'] },
    matchTypeFilter: ['EXACT'],
    expressionTypeFilter: { include: ['MANUAL'] },
    campaignTargetingTypeFilter: 'MANUAL',
    maxResults: 10,
    nextToken: '',
    includeExtendedDataFields: true,
    locale: 'de_DE',
  }
}
