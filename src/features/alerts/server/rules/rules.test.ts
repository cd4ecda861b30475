import { describe, expect, test } from 'vitest'
import { addDays } from '#shared/time.ts'
import { budgetAlert } from './budget.ts'
import { campaignAlerts } from './campaign-alerts.ts'
import { decide, type RaisedAlert } from './decide.ts'
import type { AlertDraft, CampaignFacts, PastDay } from './facts.ts'
import { noSalesAlert } from './no-sales.ts'
import { spendAlert } from './spend.ts'
import { shownShare } from './thresholds.ts'
import { writeText } from '#shared/reader-text.ts'

const LA = 'America/Los_Angeles'
const micros = (amount: number) => amount * 1_000_000
const today = '2026-11-20'
const at = (time: string) => new Date(`${today}T${time}:00-08:00`)
// All of the day's spend falls on the hours from 8 to 20, evenly.
const daytime = Array.from({ length: 24 }, (_, hour) => (hour >= 8 && hour < 20 ? 5 : 0))

/** 28 days that cost 40 for 40 clicks and bring 4 orders of 50 each; half of it by the current hour. */
const pastDay = (i: number, change: Partial<PastDay> = {}): PastDay => ({
  date: addDays(today, -i),
  // Days differ a little, as real ones do.
  costMicros: micros(i % 2 ? 38 : 42),
  clicks: 40,
  orders: 4,
  salesMicros: micros(200),
  costSoFarMicros: micros(i % 2 ? 19 : 21),
  clicksSoFar: 20,
  ordersSoFar: 2,
  ...change,
})
const past = Array.from({ length: 28 }, (_, i) => pastDay(28 - i))

const facts = (change: Partial<CampaignFacts> = {}): CampaignFacts => ({
  campaignId: 7,
  name: 'Oak shelves',
  currency: 'USD',
  timezone: LA,
  now: at('14:00'),
  today,
  budgetMicros: micros(50),
  targetAcos: null,
  usage: null,
  hours: [],
  past,
  curve: daytime,
  sinceOrder: [],
  movingFrom: addDays(today, -8),
  account: null,
  ...change,
})
const used = (spent: number, time: string, fullSince: string | null = null) => ({
  at: at(time),
  spentMicros: micros(spent),
  fullSince: fullSince ? at(fullSince) : null,
})

describe('a budget', () => {
  test('that is used up at 11 is out, with what is missed: 9 of 12 hours', () => {
    const alert = budgetAlert(facts({ usage: used(50, '11:00', '11:00') }))
    expect(alert).toMatchObject({ kind: 'OUT_OF_BUDGET', cause: 'budget-7', occasion: '2026-11-20-out' })
    // A quarter of the day cost 50, so the day would cost 200: 75 % is missed, threshold 8 %.
    expect(alert?.strength).toBeCloseTo(0.75 / 0.08, 6)
    // 150 more would bring five times as much, as it did on settled days.
    expect(alert?.stakeMicros).toBe(micros(750))
    expect(writeText(alert?.body ?? '')).toBe(
      'All of today’s $50.00 was used by 11:00 AM. On its usual days 75% of the ad spend comes later. About $525.00 to $975.00 of sales may be missed today.',
    )
    expect(alert?.endsAt).toEqual(new Date('2026-11-21T08:00:00Z'))
  })

  test('that is nearly used by noon paces ahead; one that will just last is none', () => {
    const alert = budgetAlert(facts({ usage: used(40, '11:00') }))
    // 40 by a quarter of the day is 160: 1 - 50/160 is missed.
    expect(alert).toMatchObject({ kind: 'BUDGET_PACING', occasion: '2026-11-20-pace' })
    expect(alert?.strength).toBeCloseTo((1 - 50 / 160) / 0.08, 6)
    expect(budgetAlert(facts({ usage: used(45, '19:00'), now: at('19:00') }))?.strength).toBe(0)
    expect(budgetAlert(facts({ usage: used(39, '11:00') }))).toBeNull()
  })

  test('needs more by the clock alone, before a week of hours is known', () => {
    // 45 of 50 by 20:00 is 54 by the clock: 7.4 % is missed, of 20 %.
    const alert = budgetAlert(facts({ curve: null, usage: used(45, '20:00'), now: at('20:00') }))
    expect(alert?.strength).toBeCloseTo((1 - 50 / 54) / 0.2, 6)
  })

  test('raised since, by us or in the console, is near its end only by the new one', () => {
    expect(budgetAlert(facts({ budgetMicros: micros(100), usage: used(50, '11:00', '11:00') }))).toBeNull()
  })

  test('that ends in the last hour is not raised any more', () => {
    const alert = budgetAlert(facts({ curve: null, usage: used(50, '09:00', '09:00'), now: at('23:10') }))
    expect(alert?.strength).toBeLessThan(1)
  })
})

const hoursOf = (cost: number, clicks: number, orders: number) =>
  Array.from({ length: 10 }, (_, i) => ({
    hour: i + 4,
    costMicros: micros(cost / 10),
    clicks: clicks / 10,
    orders: i < orders ? 1 : 0,
  }))

describe('spend', () => {
  test('three times the usual, with clicks at three times the price, is a spike', () => {
    const alert = spendAlert(facts({ hours: hoursOf(60, 20, 2) }))
    expect(alert).toMatchObject({ kind: 'SPEND_SPIKE', occasion: today, stakeMicros: micros(40) })
    // 60 against 20; a click costs 3 instead of 1.
    expect(alert?.strength).toBeCloseTo(Math.min(3 / 1.5, 0.75 * 3), 1)
    expect(writeText(alert?.body ?? '')).toBe(
      '$60.00 so far today; usually it is $20.00 by this hour. A click costs 3.0 times the usual price.',
    )
  })

  test('is one on the day after others as well, which must not make it seem usual', () => {
    const runaways = past.map((day, i) =>
      i < 25 ? day : { ...day, costMicros: micros(400), costSoFarMicros: micros(200), clicks: 130, clicksSoFar: 65 },
    )
    const alert = spendAlert(facts({ past: runaways, hours: hoursOf(60, 20, 2) }))
    expect(alert).toMatchObject({ occasion: today, stakeMicros: expect.closeTo(micros(40), -6) })
    expect(alert?.strength).toBeGreaterThan(1)
  })

  test('three times the usual on a day on which clicks and orders rise as well is a good day', () => {
    const alert = spendAlert(facts({ hours: hoursOf(60, 60, 5) }))
    expect(alert?.strength ?? 0).toBeLessThan(1)
  })

  test('three times the usual with far fewer orders than lag explains is a spike', () => {
    const alert = spendAlert(facts({ now: at('23:30'), hours: hoursOf(120, 120, 0) }))
    expect(alert?.strength).toBeGreaterThan(1)
    expect(writeText(alert?.body ?? '')).toContain('Sales have not risen with it')
  })

  test('says nothing without a week of its own days, and nothing of a usual day', () => {
    expect(spendAlert(facts({ past: past.slice(-6), hours: hoursOf(60, 20, 0) }))).toBeNull()
    expect(spendAlert(facts({ hours: hoursOf(24, 20, 0) }))).toBeNull()
  })

  test('of the evening before is raised in the morning, when its figures have come', () => {
    const evening = [...past.slice(0, -1), pastDay(1, { costMicros: micros(150), clicks: 50 })]
    expect(spendAlert(facts({ past: evening, now: at('06:00') }))).toMatchObject({ occasion: '2026-11-19' })
    expect(spendAlert(facts({ past: evening, now: at('13:00') }))).toBeNull()
  })

  test('beyond the usual by less than an order may cost is no matter', () => {
    // An order of 100 may cost 30.
    const dear = past.map(day => ({ ...day, salesMicros: micros(400) }))
    const twice = { hours: hoursOf(48, 16, 1), past: dear }
    expect(spendAlert(facts({ ...twice }))).toBeNull()
    expect(spendAlert(facts({ ...twice, targetAcos: 20 }))).not.toBeNull()
  })

  test('of a runaway that also empties the budget is one alert', () => {
    const alerts = campaignAlerts(facts({ hours: hoursOf(60, 20, 2), usage: used(60, '14:00', '13:00') }))
    expect(alerts.map(({ kind }) => kind)).toEqual(['SPEND_SPIKE'])
  })
})

describe('no sales', () => {
  const days = (count: number, clicks: number) =>
    Array.from({ length: count }, (_, i) => ({
      date: addDays(today, i - count),
      clicks,
      costMicros: micros(clicks),
    }))

  test('of four days with 40 clicks each at a rate of one in ten is no chance', () => {
    const alert = noSalesAlert(facts({ sinceOrder: days(4, 40) }))
    expect(alert).toMatchObject({ kind: 'NO_SALES', stakeMicros: micros(160), occasion: '2026-11-16' })
    // 160 spent of 3 break-even costs of 15 each; orders of 40 clicks after 96, 72, 48 and 24 hours.
    const expected = 4 * (shownShare(96) + shownShare(72) + shownShare(48) + shownShare(24))
    // The rate rests on 20 settled days of 4 orders and on 10 of the prior; 28 days had 112 orders, so 113 times without one.
    expect(alert?.strength).toBeCloseTo((90 * Math.log(1 + expected / 90)) / Math.log(40 * 113), 6)
    expect(alert?.strength).toBeGreaterThan(1)
  })

  test('needs a longer gap where orders are many: each begins another time without one', () => {
    const gap = { sinceOrder: days(4, 40) }
    const busy = past.map(day => ({ ...day, clicks: 40_000, orders: 4000 }))
    expect(noSalesAlert(facts({ ...gap, past: busy }))?.strength).toBeLessThan(1)
  })

  test('a campaign that has hardly sold yet must go without an order for longer than one that is known to sell', () => {
    const account = { clicks: 10_000, orders: 1000, salesMicros: micros(50_000) }
    const begun = (orders: number) => [
      pastDay(20, { clicks: 10 * orders, orders }),
      pastDay(1, { clicks: 0, orders: 0 }),
    ]
    const strengthAfter = (orders: number) =>
      noSalesAlert(facts({ account, past: begun(orders), sinceOrder: days(7, 14) }))?.strength ?? 0
    // The account's rate is its own here, so the two differ by how sure it is alone, and by one more time for each order.
    expect(strengthAfter(2) * Math.log(40 * 3)).toBeLessThan(strengthAfter(30) * Math.log(40 * 31))
  })

  test('of the last hours is no alarm, since orders lag', () => {
    const alert = noSalesAlert(facts({ hours: hoursOf(60, 60, 0) }))
    expect(alert?.strength ?? 0).toBeLessThan(1)
  })

  test('says nothing where no settled day shows how many clicks bring an order', () => {
    const young = past.map(day => (day.date < addDays(today, -8) ? { ...day, orders: 0 } : day))
    expect(noSalesAlert(facts({ past: young, sinceOrder: days(4, 40) }))).toBeNull()
  })
})

describe('a decision', () => {
  const now = at('14:00')
  const draft = (change: Partial<AlertDraft> = {}): AlertDraft => ({
    kind: 'OUT_OF_BUDGET',
    cause: 'budget-7',
    occasion: 'a',
    title: '',
    body: '',
    url: '/',
    evidence: [],
    stakeMicros: null,
    actions: [],
    strength: 2,
    says: 'x',
    endsAt: null,
    ...change,
  })
  const raised = (change: Partial<RaisedAlert> = {}): RaisedAlert => ({
    kind: 'OUT_OF_BUDGET',
    occasion: 'a',
    said: 'x',
    endsAt: null,
    settledAt: null,
    ...change,
  })
  const cases: [string, RaisedAlert | null, AlertDraft | null, number, ReturnType<typeof decide>][] = [
    ['what is new is raised', null, draft(), 0, 'RAISE'],
    ['what is below its threshold is not', null, draft({ strength: 0.99 }), 0, null],
    ['what was dismissed as expected is not, unless it is stronger', null, draft(), 2.5, null],
    ['and is raised when it is', null, draft({ strength: 3 }), 2.5, 'RAISE'],
    ['what says the same stays', raised(), draft(), 0, null],
    ['what says something else changes', raised(), draft({ says: 'y' }), 0, 'UPDATE'],
    ['an open one stays a little below the threshold', raised(), draft({ strength: 0.8 }), 0, null],
    ['and is over well below it', raised(), draft({ strength: 0.5 }), 0, 'SETTLE'],
    ['or when nothing is left of it', raised(), null, 0, 'SETTLE'],
    [
      'what lasts for days is no new event on another day',
      raised({ occasion: 'b' }),
      draft({ isLasting: true }),
      0,
      null,
    ],
    [
      'a worse event of the cause is raised again',
      raised({ kind: 'BUDGET_PACING', occasion: 'b' }),
      draft(),
      0,
      'RAISE',
    ],
    [
      'a raised budget that is near its end again is no news at once',
      raised(),
      draft({ kind: 'BUDGET_PACING', occasion: 'b' }),
      0,
      'SETTLE',
    ],
    ['what came and went is not raised again at once', raised({ settledAt: at('13:30') }), draft(), 0, null],
    ['but later', raised({ settledAt: at('12:30') }), draft(), 0, 'RAISE'],
    [
      'and at once when the budget has run out meanwhile',
      raised({ kind: 'BUDGET_PACING', settledAt: at('13:30') }),
      draft(),
      0,
      'RAISE',
    ],
    ['what may be on its way is noted first', null, draft({ isDoubtful: true }), 0, 'DOUBT'],
    [
      'and is not raised at once',
      raised({ occasion: 'doubt', settledAt: at('13:30') }),
      draft({ isDoubtful: true }),
      0,
      null,
    ],
    [
      'but when it is still so an hour later',
      raised({ occasion: 'doubt', settledAt: at('13:00') }),
      draft({ isDoubtful: true }),
      0,
      'RAISE',
    ],
    ['and is forgotten when it came', raised({ occasion: 'doubt', settledAt: at('13:00') }), null, 0, 'FORGET'],
    ['what is over and gone stays so', raised({ settledAt: at('10:00') }), null, 0, null],
  ]
  test.each(cases)('%s', (_, before, found, tolerated, act) => {
    expect(decide(before, found, { tolerated, now })).toBe(act)
  })
})
