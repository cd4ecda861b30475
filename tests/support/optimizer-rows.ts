import type { EndpointOutput } from '#shared/define-endpoint.ts'
import type { LogRow, logEndpoints } from '#features/optimizer/contract.ts'

// The log as the server gives it: a row of each kind and state, and the preview of another group.

/** The day of the latest decisions. */
export const today = '2026-03-30'

const evidence: LogRow['evidence'] = {
  clicks: 42,
  orders: 1,
  cost: 21.5,
  sales: 30,
  effectiveClicks: 40,
  rate: 0.0345,
  band: { low: 0.018, high: 0.062 },
  parentRate: 0.075,
  worth: 1.03,
  order: 30,
  margin: 42,
  multiplier: 0.3,
  moneyFactor: 1,
  worstClick: 2.04,
  cap: 'STEP',
  forecastAcos: 33,
  targetAcos: 30,
}

const undoable: LogRow['undo'] = { isPossible: true, reason: null }
const nothingSent: LogRow['undo'] = { isPossible: false, reason: 'NOTHING_SENT' }

/** A bid that was lowered and confirmed; the others differ from it. */
export const bidRow: LogRow = {
  id: 101,
  groupId: 1,
  groupName: 'Bottles',
  decisionGroup: 'bid 1 2026-03-30',
  decisionGroupSize: 1,
  at: `${today}T06:10:00.000Z`,
  day: today,
  kind: 'bid',
  cause: 'WORTH_LESS',
  entity: {
    type: 'target',
    id: 31,
    name: 'steel bottle',
    matchType: 'BROAD',
    adGroupName: 'Bottles 1',
    campaignId: 11,
    campaignName: 'Tide bottles – Research',
  },
  unit: 'MONEY',
  before: 1.2,
  after: 1.02,
  currency: 'USD',
  evidence,
  forecast: { clicks: 2.8, cost: 2.4, orders: 0.1, acos: 83 },
  asks: false,
  state: 'CONFIRMED',
  answer: null,
  sentAt: `${today}T06:30:00.000Z`,
  confirmedAt: `${today}T06:31:00.000Z`,
  receipt: null,
  atStake: 0.6,
  expiresAt: null,
  settled: null,
  undo: undoable,
  canRedo: false,
  pin: null,
  changeGroup: 'c-1',
  engineVersion: 1,
}

const campaignEntity = (id: number, name: string): LogRow['entity'] => ({
  type: 'campaign',
  id,
  name,
  matchType: null,
  adGroupName: null,
  campaignId: id,
  campaignName: name,
})

const budgets: LogRow[] = [
  { id: 103, entity: campaignEntity(11, 'Tide bottles – Research'), before: 20, after: 26 },
  { id: 104, entity: campaignEntity(12, 'Tide bottles – Discovery'), before: 25, after: 19 },
].map(one => ({
  ...bidRow,
  ...one,
  kind: 'budget',
  cause: 'BUDGET_SPLIT',
  decisionGroup: 'budgets 2026-03-30',
  decisionGroupSize: 2,
  evidence: { cost: 31.4, moneyFactor: 1 },
  forecast: null,
  atStake: null,
}))

/** What waits for an answer: more money for a campaign. */
export const proposal: LogRow = {
  ...bidRow,
  id: 102,
  kind: 'budget',
  cause: 'BUDGET_WORTH_MORE',
  decisionGroup: 'budget worth more',
  entity: campaignEntity(11, 'Tide bottles – Research'),
  before: 20,
  after: 30,
  evidence: { margin: 42, targetAcos: 30 },
  forecast: { clicks: 9, cost: 10, orders: 0.4, acos: 41 },
  asks: true,
  state: 'PROPOSED',
  sentAt: null,
  confirmedAt: null,
  atStake: 10,
  expiresAt: '2026-04-06T06:10:00.000Z',
  undo: nothingSent,
  changeGroup: null,
}

export const logRows: LogRow[] = [
  proposal,
  bidRow,
  ...budgets,
  {
    ...bidRow,
    id: 105,
    kind: 'bid',
    cause: 'THIN',
    before: 0.45,
    after: 0.52,
    entity: { ...bidRow.entity, id: 32, name: 'insulated bottle 32 oz', matchType: 'EXACT' },
    decisionGroup: 'bid 2',
    evidence: { ...evidence, clicks: 6, orders: 0, parentRate: 0.08 },
    state: 'FAILED',
    answer: 'The bid is below the minimum of this campaign.',
    confirmedAt: null,
    undo: { isPossible: false, reason: 'NOTHING_CHANGED' },
  },
  {
    ...bidRow,
    id: 106,
    day: '2026-03-29',
    at: '2026-03-29T06:10:00.000Z',
    kind: 'harvest',
    cause: 'TERM_SELLS',
    before: 'steel bottle 32 oz',
    after: 0.74,
    decisionGroup: 'harvest steel bottle 32 oz',
    entity: { ...bidRow.entity, type: 'adGroup', id: 21, name: 'Bottles – exact', matchType: null, adGroupName: null },
    evidence: { orders: 3, clicks: 21, cost: 19, sales: 90, certainty: 82, targetAcos: 30 },
    state: 'UNDONE',
    settled: { at: '2026-03-29T16:00:00.000Z', by: 'Dana Reed', reason: null },
    undo: { isPossible: false, reason: 'UNDONE' },
    canRedo: true,
    pin: { id: 7, until: '2026-04-12' },
  },
  {
    ...bidRow,
    id: 107,
    day: '2026-03-29',
    at: '2026-03-29T06:10:00.000Z',
    kind: 'negative',
    cause: 'TERM_WASTES',
    unit: 'TEXT',
    before: null,
    after: 'plastic bottle kids',
    decisionGroup: 'negative plastic bottle kids',
    entity: { ...bidRow.entity, type: 'adGroup', id: 22, name: 'Bottles – auto', matchType: null, adGroupName: null },
    evidence: { clicks: 18, orders: 0, cost: 12.4, certainty: 96, targetAcos: 30 },
    forecast: null,
    state: 'SENT',
    confirmedAt: null,
  },
  {
    ...bidRow,
    id: 108,
    day: '2026-03-12',
    at: '2026-03-12T06:10:00.000Z',
    cause: 'WORTH_MORE',
    before: 0.8,
    after: 0.96,
    decisionGroup: 'bid 8',
    entity: { ...bidRow.entity, id: 33, name: 'water bottle', matchType: 'PHRASE' },
    evidence: {
      ...evidence,
      clicks: 90,
      orders: 12,
      sales: 360,
      rate: 0.12,
      band: { low: 0.09, high: 0.15 },
      worth: 3.6,
    },
    receipt: {
      dateFrom: '2026-03-13',
      dateTo: '2026-03-26',
      verdict: 'AS_EXPECTED',
      figures: [
        { figure: 'CLICKS', low: 4.1, high: 7.9, actual: 6.3 },
        { figure: 'CPC', low: 0.61, high: 0.82, actual: 0.86 },
        { figure: 'ACOS', low: 15, high: 34, actual: 22.4 },
      ],
    },
  },
  {
    ...bidRow,
    id: 109,
    day: '2026-03-11',
    at: '2026-03-11T06:10:00.000Z',
    kind: 'none',
    cause: 'NOTHING_TO_DO',
    entity: { ...bidRow.entity, type: 'group', id: null, campaignId: null },
    unit: null,
    before: null,
    after: null,
    decisionGroup: 'none',
    evidence: { forecastAcos: 29, targetAcos: 30 },
    forecast: null,
    atStake: null,
    undo: { isPossible: false, reason: 'NOTHING_CHANGED' },
  },
]

export const logPage = (rows: LogRow[]): EndpointOutput<typeof logEndpoints.list> => ({
  content: rows,
  page: { size: 50, number: 0, totalElements: rows.length, totalPages: rows.length ? 1 : 0 },
})

export const previewRows: LogRow[] = logRows
  .filter(({ kind }) => kind !== 'none')
  .map(row => ({
    ...row,
    groupId: 2,
    groupName: 'Lamps',
    day: today,
    state: 'SHADOW',
    answer: null,
    receipt: null,
    pin: null,
    settled: null,
    expiresAt: null,
    undo: nothingSent,
  }))
