/** A request that a call accepts, to be spoilt in one place after another. */
export interface GoodRequest {
  params?: Record<string, string>
  query?: Record<string, string>
  body?: object
}

const groupId = '11111111-2222-4333-8444-555555555555'
const day = '2026-11-20'
const range = { dateFrom: day, dateTo: day }
const passwords = { newPassword: 'Lantern=9bay', confirmPassword: 'Lantern=9bay' }
const asins = ['B00SANDBOX']
const login = { regionId: '1', merchantId: '1', marketplaceId: '1' }
const consent = { state: 'x'.repeat(20), error: 'denied', error_description: 'denied' }
const recommendation = { asins, strategy: 'NORMAL' }
const negated = { campaignId: 1, adGroupId: 1 }
const negativeKeywords = [{ text: 'glass', matchType: 'NEGATIVE_EXACT' }]
const negativeTargets = [{ expressionType: 'ASIN_SAME_AS', value: 'B00SANDBOX' }]
const launch = {
  template: 'SINGLE_PRODUCT_KEYWORD_CAMPAIGN',
  strategy: 'NORMAL',
  setupMode: 'GUIDED',
  campaignName: 'Bottles',
  budget: 20,
  targetAcos: 30,
  products: [{ asin: 'B00SANDBOX', sku: 'SKU-1', keywords: [{ keyword: 'bottle', matchType: 'EXACT', bid: 1 }] }],
  keywords: [{ keyword: 'water bottle', matchType: 'EXACT', bid: 1 }],
  negativeKeywords: [{ keyword: 'glass', matchType: 'NEGATIVE_EXACT' }],
  categories: [{ id: '123', name: 'Bottles', bid: 1 }],
  productTargets: [{ asin: 'B00SANDBOX', matchType: 'PRODUCT_EXACT', bid: 1 }],
}
const draftState = {
  currentStep: 1,
  setupMode: 'GUIDED',
  template: null,
  strategy: null,
  products: [{ asin: 'B00SANDBOX', sku: 'SKU-1', title: 'Bottle', imageUrl: null }],
  keywords: { campaign: [{ keyword: 'bottle', matchType: 'EXACT', bid: 1, lowBid: 1 }] },
  categories: { campaign: [{ id: '123', name: 'Bottles', bid: 1 }] },
  productTargets: { campaign: [{ asin: 'B00SANDBOX', bid: 1 }] },
  negativeKeywords: [{ keyword: 'glass', matchType: 'NEGATIVE_EXACT' }],
  campaignName: 'Bottles',
  budget: 20,
  targetAcos: 30,
  automationMode: null,
  keywordMatchType: null,
  productTargetType: null,
  productMatchType: null,
  selectedCategory: null,
  selectedProduct: null,
  categoryBid: null,
  productBid: null,
  includeHighImpact: false,
}
const invited = { token: 'x'.repeat(43) }
const branding = { name: 'Harbor', primaryColor: '#0b5d6b', accentColor: '#b45309', footer: 'Harbor' }
const push = { endpoint: 'https://push.example/1', keys: { p256dh: 'AAAA', auth: 'AAAA' }, publicKey: 'AAAA' }

/** By method and path: what the calls take that need more than the ids of their path. */
export const goodRequests: Record<string, GoodRequest> = {
  'PUT /admin/user-management/managers/:id/users': { body: { seesAll: false, userIds: [1] } },
  'GET /admin/user-management/users/search': { query: { query: 'Mara' } },
  'POST /auth/register': {
    body: { email: 'fuzz@people.test', password: 'Harbour=7tide', firstName: 'Mara', lastName: 'Lind' },
  },
  'POST /auth/resend-verification': { body: { email: 'fuzz@people.test' } },
  'POST /auth/verify-email': { body: { token: 'made-up' } },
  'POST /auth/login': { body: { email: 'fuzz@people.test', password: 'Harbour=7tide' } },
  'POST /auth/refresh': { body: { refreshToken: 'made-up' } },
  'POST /auth/logout': { body: { refreshToken: 'made-up' } },
  'POST /auth/forgot-password': { body: { email: 'fuzz@people.test' } },
  'POST /auth/reset-password': { body: { token: 'made-up', ...passwords } },
  'POST /auth/change-password': { body: { email: 'fuzz@people.test', currentPassword: 'x', ...passwords } },
  'DELETE /user': { body: { password: 'Not=my1password' } },
  'POST /auth/keep-account': { body: { token: 'made-up-made-up-made-up' } },
  'DELETE /user/sessions/:id': { params: { id: '0b7b3f5e-0000-4000-8000-000000000000' } },
  'POST /user/sessions/end': { body: { keepThis: true } },
  'PATCH /user': { body: { firstName: 'Mara', lastName: 'Lind', locale: 'en-GB', timezone: 'UTC' } },
  'PATCH /profile/current': { query: { merchantId: '1' } },
  'PATCH /profile/marketplaces/current': { query: { marketplaceId: '1' } },
  'GET /profile/merchants-info': { query: { provider: 'AMAZON_ADS' } },
  'GET /amazon/ads/login': { query: login },
  'GET /amazon/sp/login': { query: login },
  'POST /amazon/ads/callback': { body: consent },
  'POST /amazon/sp/callback': { body: { ...consent, selling_partner_id: 'A1SELLER' } },
  'POST /amazon/callback': { body: { ...consent, selling_partner_id: 'A1SELLER' } },
  'POST /user/amazon/connect': { body: { merchantId: 1, amazonProfileIds: [1, '2'] } },
  'POST /user/amazon/select': { body: { amazonProfileId: 1 } },
  'GET /subscriptions/ad-spend-summary': { query: { fromDate: day, toDate: day } },
  'POST /subscriptions': { body: { planId: 1 } },
  'POST /billing/invoices/:id/pay': { params: { id: 'in_1' }, body: { cardId: 'pm_1' } },
  'POST /subscriptions/plan-change': {
    body: { planId: 3, amountDue: 133.33, prorationDate: '2026-11-20T10:00:00.000Z' },
  },
  'GET /subscriptions/plan-change': { query: { planId: '3' } },
  'POST /checkout/subscription': { body: { planId: 1 } },
  'GET /checkout/session/:id': { params: { id: 'cs_test_1' } },
  'POST /subscriptions/cancel': { query: { cancelAtPeriodEnd: 'true' } },
  'GET /inventory': { query: { page: '0', size: '20', search: 'x', asins: 'B00SANDBOX', snapshotDate: day } },
  'PUT /inventory/:productId/cogs': { query: { cogs: '3', validFrom: day } },
  'POST /inventory/cogs/import': {
    body: { fileName: 'costs.csv', content: btoa('sku,cogs\nSKU-1,4.50\n'), decimal: 'POINT', apply: 'NONE' },
  },
  'DELETE /inventory/:productId/cogs': { query: { validFrom: day } },
  'POST /products/eligibility/check': { body: { asins } },
  'GET /dashboard/cards': { query: range },
  'GET /dashboard/marketplace-breakdown': { query: range },
  'GET /dashboard/why': { query: range },
  'GET /dashboard/budgets': {},
  'GET /dashboard/cards/export': { query: { ...range, format: 'csv' } },
  'GET /dashboard/marketplace-breakdown/export': { query: { ...range, format: 'csv' } },
  'GET /dashboard/advertising-performance/export': { query: { ...range, format: 'csv' } },
  'GET /dashboard/advertising-performance': { query: { ...range, granularity: 'DAY' } },
  'PUT /adgroups/:id': { body: { name: 'Group', state: 'ENABLED', defaultBid: 1 } },
  'PUT /ads/:id': { query: { state: 'PAUSED' } },
  'PUT /keywords/:id': { query: { bid: '1', state: 'PAUSED' } },
  'PUT /targets/:id': { query: { bid: '1', state: 'PAUSED' } },
  'POST /campaign/update': {
    body: {
      campaignId: 1,
      name: 'Bottles',
      state: 'PAUSED',
      budget: 20,
      placements: [{ placement: 'TOP_OF_SEARCH', percentage: 10 }],
      endDate: day,
    },
  },
  'POST /bulk': {
    query: { groupId },
    body: [
      {
        entity: 'campaign',
        id: 1,
        version: 1,
        set: { name: 'Bottles', state: 'PAUSED', budget: 20, portfolioId: '1' },
      },
    ],
  },
  'POST /bulk/preview': {
    body: {
      entity: 'keyword',
      ids: [1],
      filter: { keywordText: 'bottle', state: 'ENABLED', sortBy: 'cost', sortDir: 'asc' },
      change: { kind: 'AMOUNT', field: 'bid', amount: { kind: 'PERCENT', value: 10, floor: 0.1, ceiling: 2 } },
      page: 0,
      size: 10,
    },
  },
  'GET /changes/groups/:groupId': { params: { groupId } },
  'POST /changes/groups/:groupId/undo': { params: { groupId }, body: { force: true, skipNewer: false } },
  'POST /changes/:id/undo': { body: { force: true, skipNewer: false } },
  'POST /sp/negative-keyword/create': { body: { ...negated, keywords: negativeKeywords } },
  'POST /sb/negative-keyword/create': { body: { ...negated, keywords: negativeKeywords } },
  'POST /sp/negative-target/create': { body: { ...negated, targets: negativeTargets } },
  'POST /sb/negative-target/create': { body: { ...negated, targets: negativeTargets } },
  'POST /negatives/preview': { body: { ...negated, adType: 'SPONSORED_PRODUCTS', keywords: negativeKeywords } },
  'POST /search-terms/bids': { body: { items: [{ term: 'bottle', adGroupId: 1 }] } },
  'POST /search-terms/harvest': {
    body: {
      items: [{ term: 'bottle', sourceAdGroupId: 1, adGroupId: 2, matchType: 'EXACT', bid: 0.5, negateInSource: true }],
    },
  },
  'POST /sp/recommendations/keywords': { body: { ...recommendation, matchType: 'EXACT' } },
  'POST /sp/recommendations/categories': { body: recommendation },
  'POST /sp/recommendations/products': { body: recommendation },
  'POST /campaign/create': { body: launch },
  'POST /campaign/preview': { body: launch },
  'POST /campaign/margins': { body: { skus: ['SKU-1'] } },
  'PUT /campaign/draft': {
    body: { id: 'draft-12345', changedAt: '2026-11-20T10:00:00.000Z', version: 1, state: draftState },
  },
  'DELETE /campaign/draft': { query: { id: 'draft-12345' } },
  'POST /campaigns/:id/budget-rescue': { body: { budget: 30, from: 20 } },
  'POST /campaign/takeover': { body: { campaignIds: [1], targetAcos: 30, strategy: 'PROFIT', dailyBudget: 20 } },
  'GET /optimizer/takeover-check': { query: { campaignIds: '1,2' } },
  'POST /campaign/stop-optimizing': { query: { campaignId: '1' } },
  'PUT /optimizer/groups/:id': { body: { name: 'Bottles', targetAcos: 30, asks: ['budget'] } },
  'POST /optimizer/groups/:id/stop': { body: { restore: false } },
  'GET /automation-logs': { query: { page: '0', size: '20', ...range } },
  'POST /automation-logs/:id/undo': { body: { force: false, whole: false } },
  'POST /automation-logs/:id/approve': { body: { after: 2 } },
  'POST /automation-logs/:id/reject': { body: { reason: 'Too much' } },
  'POST /team/invitations': { body: { email: 'guest@people.test', merchantIds: [1], role: 'VIEWER' } },
  'POST /team/invitations/open': { body: invited },
  'POST /team/invitations/accept': { body: invited },
  'POST /team/invitations/decline': { body: invited },
  'POST /team/invitations/register': {
    body: {
      ...invited,
      password: 'Lantern=9bay',
      firstName: 'Ada',
      lastName: 'Berg',
      locale: 'en-GB',
      timezone: 'UTC',
    },
  },
  'POST /views': { body: { list: 'campaigns', name: 'Losses', search: { state: 'ENABLED', columns: ['cost'] } } },
  'PUT /views/:id': { body: { name: 'Losses', search: { state: 'ENABLED' }, isDefault: true } },
  'POST /admin/performance-reports/request-asin-report': {
    body: { userId: 1, profileId: 1, asins, ...range, format: 'CSV' },
  },
  'GET /admin/performance-reports': { query: { page: '0', size: '20' } },
  'POST /performance-reports': {
    body: { kind: 'ACCOUNT', format: 'PDF', ...range, brandingProfileId: 1, schedule: { frequency: 'WEEKLY' } },
  },
  'GET /performance-reports': { query: { page: '0', size: '20' } },
  'GET /performance-reports/search': { query: { page: '0', size: '20', query: 'x' } },
  'GET /performance-reports/:id/file': { query: { merchant: '1', expires: '1', signature: 'x'.repeat(43) } },
  'PUT /performance-reports/schedules/:id': { body: { isPaused: true } },
  'POST /branding-profiles': { body: branding },
  'PUT /branding-profiles/:id': { body: branding },
  'PUT /branding-profiles/default': { body: { id: 1 } },
  'GET /branding-profiles/logos/:profileId/:file': { params: { profileId: '1', file: `${'x'.repeat(22)}.png` } },
  'GET /notifications': { query: { page: '0', size: '20', unread: 'true', open: 'true' } },
  'POST /onboarding-survey': {
    body: { goal: 'SELL_MORE', experience: null, catalogueSize: 'FEW', showsSteps: true },
  },
  'PUT /notifications/preferences': {
    body: {
      kinds: [{ kind: 'SPEND_SPIKE', inApp: true, push: true, email: 'NEVER', threshold: 80, ringsInQuietHours: true }],
      quietHours: { from: '22:00', to: '07:00' },
      digest: { frequency: 'WEEKLY', hour: 8, weekday: 1 },
    },
  },
  'POST /notifications/unsubscribe/:token': { params: { token: '1.made-up-made-up-made-up' } },
  'POST /notifications/:id/act': { body: { action: 'PAUSE_CAMPAIGN' } },
  'POST /notifications/:id/snooze': { body: { hours: 4 } },
  'POST /notifications/:id/dismiss': { body: { reason: 'EXPECTED' } },
  'POST /notifications/actions/:token': { params: { token: 'made-up-made-up-made-up' } },
  'POST /push/subscriptions': { body: push },
  'POST /push/test': { body: { endpoint: push.endpoint } },
  'DELETE /push/subscriptions': { body: { endpoint: push.endpoint } },
}
