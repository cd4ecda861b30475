import { PROFILE } from './whole-emulator.ts'
import { type Ids, JSON_TYPE, listFilters, type Sample, vendor } from './sample.ts'

export function accountWide(ids: Ids): Sample[] {
  const budget = { policy: 'DATE_RANGE', amount: 500, startDate: '2026-12-01', endDate: '2026-12-31' }
  const portfolio = { name: 'Sample', state: 'ENABLED', budget: { ...budget, currencyCode: 'USD' } }
  const portfolios = vendor('spPortfolio')
  const stream = vendor('amazonmarketingstreamsubscriptions', 'v1')
  return [
    { method: 'POST', url: '/ads/na/portfolios', type: portfolios, body: { portfolios: [portfolio] } },
    {
      method: 'PUT',
      url: '/ads/na/portfolios',
      type: portfolios,
      body: { portfolios: [{ ...portfolio, portfolioId: '1' }] },
    },
    { method: 'POST', url: '/ads/na/portfolios/list', type: portfolios, body: listFilters('portfolioIdFilter', '1') },
    {
      method: 'POST',
      url: '/ads/na/testAccounts',
      type: JSON_TYPE,
      body: { countryCode: 'US', accountType: 'VENDOR', accountMetaData: { vendorCode: 'ABCDE' } },
    },
    { method: 'PUT', url: '/ads/na/v2/profiles', type: JSON_TYPE, body: [{ profileId: PROFILE, dailyBudget: 500 }] },
    {
      method: 'POST',
      url: '/ads/na/reporting/reports',
      type: vendor('createasyncreportrequest'),
      body: {
        name: 'Sample',
        startDate: '2026-11-10',
        endDate: '2026-11-12',
        configuration: {
          adProduct: 'SPONSORED_PRODUCTS',
          groupBy: ['campaign'],
          columns: ['campaignId', 'impressions', 'date'],
          filters: [{ field: 'campaignStatus', values: ['ENABLED'] }],
          reportTypeId: 'spCampaigns',
          timeUnit: 'DAILY',
          format: 'GZIP_JSON',
        },
      },
    },
    ...['campaigns', 'adGroups', 'ads', 'targets'].map(
      (kind): Sample => ({
        method: 'POST',
        url: `/ads/na/${kind}/export`,
        type: vendor(`${kind.toLowerCase()}export`, 'v1'),
        body: {
          adProductFilter: ['SPONSORED_PRODUCTS'],
          stateFilter: ['ENABLED'],
          negativeFilter: [true],
          targetLevelFilter: ['CAMPAIGN'],
          targetTypeFilter: ['AUTO'],
        },
      }),
    ),
    {
      method: 'POST',
      url: '/ads/na/history',
      type: JSON_TYPE,
      body: {
        fromDate: Date.parse('2026-11-20'),
        toDate: Date.parse('2026-11-21'),
        eventTypes: {
          CAMPAIGN: {
            eventTypeIds: [ids.campaignId],
            filters: ['STATUS'],
            parents: [{ campaignId: '1', useProfileIdAdvertiser: true }],
          },
        },
        sort: { key: 'DATE', direction: 'DESC' },
        count: 50,
        pageOffset: 0,
        pageSize: 5,
        nextToken: '',
      },
    },
    {
      method: 'POST',
      url: '/ads/na/streams/subscriptions',
      type: stream,
      body: {
        dataSetId: 'sp-traffic',
        clientRequestToken: 'contract-contract-contract',
        destinationArn: 'arn:aws:sqs:us-east-1:000000000000:contract',
        destination: {
          sqsDestination: { queueArn: 'arn:aws:sqs:us-east-1:000000000000:contract' },
          firehoseDestination: { deliveryStreamArn: 'arn:aws:x', subscriberRoleArn: 'a', subscriptionRoleArn: 'b' },
        },
        notes: 'x',
      },
    },
    { method: 'PUT', url: '/ads/na/streams/subscriptions/1', type: stream, body: { status: 'ARCHIVED', notes: 'x' } },
  ]
}
