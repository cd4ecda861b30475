import { afterAll, describe, expect, test } from 'vitest'
import { defaultRegion, provideRegion } from '#shared/region-format.ts'
import { type Cause, logCauses } from './contract.ts'
import { type ReaderText, writeText } from '#shared/reader-text.ts'
import { decisionText, type Explained, questionText, stopText } from './decision-text.ts'

const evidence: Explained['evidence'] = {
  clicks: 42,
  orders: 1,
  cost: 21.5,
  sales: 90,
  effectiveClicks: 40,
  rate: 0.0345,
  band: { low: 0.02, high: 0.06 },
  parentRate: 0.075,
  worth: 2.85,
  order: 30,
  margin: 42,
  multiplier: 0.3,
  moneyFactor: 0.93,
  worstClick: 2.4,
  cap: null,
  forecastAcos: 33,
  targetAcos: 30,
  certainty: 96,
  coverDays: 9.4,
  brokeOn: null,
}
const nobody = { targets: 0, right: 0, resting: 0, thin: 0, capped: 0, sellers: 0, holdout: 0, leftAlone: 0 }
const bid: Explained = {
  kind: 'bid',
  cause: 'WORTH_LESS',
  before: 1.2,
  after: 1.02,
  evidence,
  forecast: null,
  currency: 'USD',
}
const forecast = { clicks: 8, cost: 10, orders: 0.4, acos: 41 }

/** Each cause as the engine pairs it with kinds and values. */
const pairs: Record<Cause, readonly Partial<Explained>[]> = {
  WORTH_LESS: [{}],
  WORTH_MORE: [{ before: 0.45, after: 0.54 }],
  THIN: [{}, { evidence: { ...evidence, clicks: 6 } }, { evidence: { ...evidence, clicks: 0 } }],
  ABOVE_HIGHEST_BID: [{}],
  ABOVE_WORTH: [{}],
  MONEY_SHORT: [{}],
  STOCK_LOW: [{}],
  STOCK_GONE: [{}, { evidence: { ...evidence, coverDays: 1.5 } }],
  STEERED: [{}, { kind: 'steer', before: null, after: null }],
  BUDGET_SPLIT: [{ kind: 'budget', before: 20, after: 26 }],
  BUDGET_WORTH_MORE: [
    { kind: 'budget', before: 20, after: 30, forecast },
    { kind: 'budget', before: 20, after: 30, forecast: { ...forecast, acos: null } },
  ],
  TERM_WASTES: [{ kind: 'negative', before: null, after: 'plastic bottle' }],
  TERM_SELLS: [
    { kind: 'harvest', before: 'steel bottle 32 oz', after: 0.74 },
    { kind: 'negative', before: null, after: 'steel bottle 32 oz' },
  ],
  CLICK_TOO_DEAR: [
    { kind: 'strategy', before: 'SALES_UP_AND_DOWN', after: 'SALES_DOWN_ONLY' },
    {
      kind: 'strategy',
      before: 'SALES_UP_AND_DOWN',
      after: 'SALES_DOWN_ONLY',
      evidence: { ...evidence, margin: null },
    },
  ],
  TOP_CONVERTS: [{ kind: 'placement', before: 0, after: 15 }],
  SPEND_BROKE_OUT: [{ kind: 'breaker' }, { kind: 'breaker', before: null, after: null }],
  REPORTS_OLD: [{ kind: 'breaker', before: null, after: null }],
  CONVERSION_BROKE_DOWN: [{ kind: 'breaker', before: null, after: null }],
  ALL_ONE_WAY: [{}],
  NOTHING_TO_DO: [
    { kind: 'none', before: null, after: null },
    {
      kind: 'none',
      before: null,
      after: null,
      evidence: { ...evidence, stayed: { ...nobody, targets: 40, thin: 1, capped: 3 } },
    },
  ],
  LAUNCH_ENDED: [{ kind: 'steer', before: 'LAUNCH', after: 'PROFIT' }],
  HOURS_DIFFER: [{ kind: 'hours', before: 0, after: -20 }],
  MARKETPLACE_RULE: [{ kind: 'none', before: null, after: null }],
  REFITTED: [{ kind: 'steer', before: 45, after: 20 }],
  PAID_BY_VIEWS: [{ kind: 'none', before: null, after: null }],
}
const all = logCauses.flatMap(cause => pairs[cause].map((one): Explained => ({ ...bid, ...one, cause })))

afterAll(() => provideRegion(() => defaultRegion))

const sentences = (text: string): number => text.match(/[.!?](?= [A-Z0-9“]|$)/g)?.length ?? 0
const wrong = /undefined|null|NaN|Infinity|\[object|[A-Z]+_[A-Z]+|\bAI\b|optimi[sz]|\bno 0\b|%%|\.\./i

describe('the words of a decision', () => {
  test.each(all)('$cause of a $kind are a title and one or two sentences with the figure that decided', one => {
    const { title, reason } = decisionText(one)
    expect(title).not.toMatch(wrong)
    expect(reason).not.toMatch(wrong)
    expect(reason).toMatch(/\d/)
    expect(sentences(reason)).toBeGreaterThanOrEqual(1)
    expect(sentences(reason)).toBeLessThanOrEqual(2)
  })

  test.each(all)('$cause of a $kind leave out what is not on record, and do not write zero for it', one => {
    const { title, reason } = decisionText({ ...one, evidence: {}, forecast: null })
    expect(`${title} ${reason}`).not.toMatch(wrong)
    expect(reason).not.toMatch(/\b0(\.0+)?(%| |$)/)
    expect(sentences(reason)).toBeGreaterThanOrEqual(1)
    expect(sentences(reason)).toBeLessThanOrEqual(2)
  })

  test('they read like a person who knows the figures', () => {
    const text = (one: Partial<Explained>): string => Object.values(decisionText({ ...bid, ...one })).join(' | ')
    expect(text({})).toBe(
      'Bid $1.20 → $1.02 (-15%) | 42 clicks brought 1 order where similar targets of yours bring 3. ' +
        'We now expect one order in 29 clicks, so at your 30% target a click may cost $0.86.',
    )
    expect(text({ cause: 'THIN', before: 0.45, after: 0.52, evidence: { clicks: 6, parentRate: 0.08 } })).toBe(
      'Bid $0.45 → $0.52 (+16%) | Only 6 clicks so far: too few to judge. ' +
        'So we go by the usual 8% of your product and stay careful.',
    )
    expect(text({ cause: 'TERM_SELLS', ...pairs.TERM_SELLS[0], evidence: { orders: 3, cost: 19, sales: 90 } })).toBe(
      'New target “steel bottle 32 oz” at $0.74 | It brought 3 orders at 21% ACOS. ' +
        'It gets a target and a bid of its own, and where it came from leaves it alone.',
    )
    expect(text({ cause: 'BUDGET_WORTH_MORE', ...pairs.BUDGET_WORTH_MORE[0] })).toBe(
      'Daily budget $20.00 → $30.00 (+50%) | $10.00 more a day brings about 0.4 orders at 41% ACOS. ' +
        'That is below your 42% margin, so it is worth it, barely.',
    )
    expect(text({ cause: 'NOTHING_TO_DO', kind: 'none', before: null, after: null })).toBe(
      'Nothing changed | The forecast ACOS is 33% against your target of 30%. ' +
        'No bid was far enough from what a click is worth.',
    )
  })

  test('they are written in the format of the reader and the digits of the currency', () => {
    provideRegion(() => ({ locale: 'de-DE', timeZone: 'UTC' }))
    expect(decisionText({ ...bid, currency: 'EUR' }).title).toBe('Bid 1,20\u00a0€ → 1,02\u00a0€ (-15\u00a0%)')
    expect(decisionText({ ...bid, currency: 'JPY', before: 120, after: 102 }).title).toBe(
      'Bid 120\u00a0¥ → 102\u00a0¥ (-15\u00a0%)',
    )
  })
})

describe('a question', () => {
  const german = { locale: 'de-DE', timeZone: 'UTC' }
  const written = (sentence: ReaderText) => writeText(sentence, german).replaceAll('\u00a0', ' ')
  const question = (...own: Partial<Explained>[]) =>
    written(
      questionText(
        own.map(one => ({ ...bid, ...one })),
        'Bottles – Exact',
      ),
    )

  test('is the title of its one change, in the format of its reader; a setting of a campaign names the campaign', () => {
    expect(question({})).toBe('Bid 1,20 $ → 1,02 $ (-15 %)?')
    expect(question({ kind: 'placement', before: 5, after: 20 })).toBe(
      'Top of search +5 % → +20 % for “Bottles – Exact”?',
    )
  })

  test('names a harvest by its search, and many changes by their number', () => {
    const harvest = { kind: 'harvest', before: 'steel bottle', after: 0.74 } as const
    expect(question(harvest, { kind: 'negative', after: 'steel bottle' })).toBe('New target “steel bottle” at 0,74 $?')
    expect(question({}, {}, {})).toBe('Change 3 bids at once?')
    expect(question({ kind: 'budget' }, { kind: 'budget' })).toBe('Split the same total differently over 2 campaigns?')
  })

  test('is not needed where a group holds back: it is said in the format of its reader', () => {
    const { title, body } = stopText({ ...bid, kind: 'breaker', cause: 'SPEND_BROKE_OUT', after: null })
    expect([title, body].map(written)).toEqual([
      'Raises are paused: spend jumped',
      'A day cost 21,50 $, more than one and a half times the usual of such a day. No bid is raised for 3 days.',
    ])
  })
})
