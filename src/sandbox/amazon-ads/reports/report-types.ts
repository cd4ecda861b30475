// Sponsored Products report types as published with Reporting version 3: which columns, groups and filters each takes.

const windows = ['1d', '7d', '14d', '30d'] as const
const each = (...names: string[]): string[] => names.flatMap(name => windows.map(window => name + window))

const books = ['addToList', 'qualifiedBorrows', 'royaltyQualifiedBorrows']
const kindle = ['kindleEditionNormalizedPagesRead14d', 'kindleEditionNormalizedPagesRoyalties14d']
const days = ['date', 'startDate', 'endDate']
const traffic = ['impressions', 'clicks', 'cost', 'costPerClick', 'clickThroughRate']
const results = [
  ...each('purchases', 'purchasesSameSku', 'unitsSoldClicks', 'sales', 'attributedSalesSameSku', 'unitsSoldSameSku'),
]
const other = [
  'salesOtherSku7d',
  'unitsSoldOtherSku7d',
  'acosClicks7d',
  'acosClicks14d',
  'roasClicks7d',
  'roasClicks14d',
]
const campaign = [
  'campaignName',
  'campaignId',
  'campaignStatus',
  'campaignBudgetAmount',
  'campaignBudgetType',
  'campaignBudgetCurrencyCode',
]
const rules = ['campaignRuleBasedBudgetAmount', 'campaignApplicableBudgetRuleId', 'campaignApplicableBudgetRuleName']
const keyword = ['keywordId', 'keyword', 'keywordBid', 'keywordType', 'matchType', 'targeting']
const adGroup = ['adGroupName', 'adGroupId']
const keywordTypes = ['BROAD', 'PHRASE', 'EXACT', 'TARGETING_EXPRESSION', 'TARGETING_EXPRESSION_PREDEFINED']
const states = ['ENABLED', 'PAUSED', 'ARCHIVED']

interface Group {
  columns: readonly string[]
  /** Values a filter may name, by its field. */
  filters: Readonly<Record<string, readonly string[]>>
}

export interface ReportType {
  columns: readonly string[]
  groups: Readonly<Record<string, Group>>
  mostDays: number
  retentionDays: number
}

const type = (columns: readonly string[], groups: ReportType['groups']): ReportType => ({
  columns,
  groups,
  mostDays: 31,
  retentionDays: 95,
})

/** By reportTypeId. */
export const reportTypes: Readonly<Record<string, ReportType>> = {
  spCampaigns: type([...days, ...books, ...kindle, ...traffic, 'spend', ...results, 'campaignBiddingStrategy'], {
    campaign: { columns: [...campaign, ...rules, 'topOfSearchImpressionShare'], filters: { campaignStatus: states } },
    adGroup: { columns: [...adGroup, 'adStatus'], filters: { adStatus: states } },
    campaignPlacement: {
      columns: ['placementClassification', ...campaign, ...rules, 'topOfSearchImpressionShare'],
      filters: { campaignSite: ['AmazonBusiness'] },
    },
  }),
  spTargeting: type(
    [
      ...days,
      ...books,
      ...kindle,
      ...traffic,
      ...results,
      ...other,
      ...campaign,
      ...adGroup,
      ...keyword,
      'portfolioId',
      'topOfSearchImpressionShare',
    ],
    { targeting: { columns: ['adKeywordStatus'], filters: { adKeywordStatus: states, keywordType: keywordTypes } } },
  ),
  spSearchTerm: type(
    [
      ...days,
      ...books,
      ...kindle,
      ...traffic,
      ...results,
      ...other,
      ...campaign,
      ...adGroup,
      ...keyword,
      'portfolioId',
      'searchTerm',
      'adKeywordStatus',
    ],
    { searchTerm: { columns: ['adKeywordStatus'], filters: { keywordType: keywordTypes } } },
  ),
  spAdvertisedProduct: type(
    [
      ...days,
      ...books,
      ...kindle,
      ...traffic,
      'spend',
      ...results,
      ...other,
      ...campaign,
      ...adGroup,
      'adId',
      'portfolioId',
      'advertisedAsin',
      'advertisedSku',
    ],
    { advertiser: { columns: [], filters: { adCreativeStatus: states } } },
  ),
  spPurchasedProduct: type(
    [
      ...days,
      ...books,
      'addToListFromClicks',
      'qualifiedBorrowsFromClicks',
      'royaltyQualifiedBorrowsFromClicks',
      ...kindle,
      'portfolioId',
      'campaignName',
      'campaignId',
      'campaignBudgetCurrencyCode',
      ...adGroup,
      'keywordId',
      'keyword',
      'keywordType',
      'matchType',
      'advertisedAsin',
      'advertisedSku',
      'purchasedAsin',
      ...each('unitsSoldClicks', 'sales', 'purchases', 'unitsSoldOtherSku', 'salesOtherSku', 'purchasesOtherSku'),
    ],
    { asin: { columns: [], filters: {} } },
  ),
}
