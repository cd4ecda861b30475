import type { GroupProof, OptimizerGroup, RestorePreview, TakeoverCheck } from '#features/optimizer/contract.ts'
import { today } from './optimizer-rows.ts'

// Groups of the optimizer as the server gives them: one that runs, with its proof and its way back, and one in its preview.

export const runningGroup: OptimizerGroup = {
  id: 1,
  name: 'Bottles',
  targetAcos: 30,
  strategy: 'PROFIT',
  highestBid: 2,
  dailyBudget: 60,
  launchUntil: null,
  launchBudget: null,
  untouched: ['tide brand'],
  asks: ['budget', 'negative', 'harvest'],
  state: 'RUNNING',
  currency: 'USD',
  timezone: 'America/Los_Angeles',
  campaigns: [
    { id: 11, name: 'Tide bottles – Research', adType: 'SPONSORED_PRODUCTS', state: 'ENABLED', budget: 26 },
    { id: 12, name: 'Tide bottles – Discovery', adType: 'SPONSORED_PRODUCTS', state: 'ENABLED', budget: 19 },
    { id: 13, name: 'Tide bottles – Performance', adType: 'SPONSORED_PRODUCTS', state: 'PAUSED', budget: 15 },
  ],
  takenOverAt: '2026-03-01T10:00:00.000Z',
  shadowUntil: '2026-03-03T10:00:00.000Z',
  startedAt: '2026-03-03T10:00:00.000Z',
  stoppedAt: null,
  asksUntil: '2026-04-14',
  taught: [],
  halt: null,
  lastRun: {
    day: today,
    at: `${today}T06:10:00.000Z`,
    outcome: 'DECIDED',
    cause: null,
    decisions: 5,
    reportedAt: `${today}T03:00:00.000Z`,
  },
  nextRunAt: '2026-03-31T06:10:00.000Z',
  forecastAcos: 31.4,
  cost: 412.3,
  sales: 1290.5,
  acos: 31.9,
  changes: 23,
  proposals: 1,
  pins: [
    {
      id: 7,
      entity: 'target',
      entityId: 34,
      name: 'steel bottle 32 oz',
      until: '2026-04-12',
      since: '2026-03-29T16:00:00.000Z',
    },
  ],
}

export const previewGroup: OptimizerGroup = {
  ...runningGroup,
  id: 2,
  name: 'Lamps',
  state: 'SHADOW',
  startedAt: null,
  shadowUntil: '2026-04-01T06:00:00.000Z',
  asksUntil: null,
  changes: 0,
  proposals: 0,
  pins: [],
}

const proofDays = Array.from({ length: 45 }, (_, index) => {
  const date = new Date(Date.UTC(2026, 1, 14 + index)).toISOString().slice(0, 10)
  const cost = 14 + 3 * Math.sin(index)
  const acos = 40 - index * 0.22
  const forecast = index < 20 ? null : { acos, band: { low: acos * 0.8, high: acos * 1.25 } }
  return { date, cost, sales: cost / (acos / 100), profit: 4 + index * 0.1, isSince: date >= '2026-03-03', forecast }
})

export const groupProof: GroupProof = {
  currency: 'USD',
  takenOverAt: runningGroup.takenOverAt,
  receipts: { judged: 18, held: 15, tooEarly: 6 },
  calibrations: [{ month: '2026-03-01', bands: 36, heldShare: 83, bias: -4 }],
  settledTo: '2026-03-16',
  weeks: { judged: 4, held: 3 },
  days: proofDays,
  effect: null,
  test: null,
  hours: null,
  noTest: 'TOO_FEW_ORDERS',
}

export const restorePreview: RestorePreview = {
  currency: 'USD',
  takenOverAt: runningGroup.takenOverAt,
  content: [
    { field: 'bid', now: 1.02, atTakeover: 1.35, action: 'RESTORE', reason: null, name: 'steel bottle' },
    { field: 'budget', now: 26, atTakeover: 20, action: 'RESTORE', reason: null, name: 'Tide bottles – Research' },
    { field: 'state', now: 'ENABLED', atTakeover: null, action: 'PAUSE', reason: null, name: 'steel bottle 32 oz' },
    { field: 'state', now: 'ENABLED', atTakeover: null, action: 'REMOVE', reason: null, name: 'plastic bottle kids' },
    { field: 'bid', now: 0.9, atTakeover: 0.7, action: 'LEAVE', reason: 'CHANGED_BY_HAND', name: 'water bottle' },
  ].map((one, index) => ({
    ...(one as Pick<RestorePreview['content'][number], 'field' | 'now' | 'atTakeover' | 'action' | 'reason' | 'name'>),
    entity: 'target',
    entityId: 300 + index,
    campaignId: 11,
    campaignName: 'Tide bottles – Research',
  })),
}

/** Of the campaigns that are asked about, the last of them cannot be taken over. */
export function checkOf(campaigns: readonly { id: number; name: string }[]): TakeoverCheck {
  return {
    currency: 'USD',
    campaigns: campaigns.map(({ id, name }, index) => ({
      id,
      name,
      adType: 'SPONSORED_PRODUCTS',
      budget: 20,
      cost: 130 + index,
      sales: 400,
      acos: 32.5,
      problem: index === 3 ? { code: 'IN_GROUP', message: 'It is in the group Bottles already.' } : null,
    })),
    dailyBudget: 60,
    cost: 390,
    sales: 1200,
    acos: 32.5,
    products: 4,
    productsWithCosts: 4,
    margin: 42,
    strategy: 'PROFIT',
    targetAcos: 30,
    reportedAt: `${today}T03:00:00.000Z`,
  }
}
