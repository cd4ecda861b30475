import { describe, expect, test } from 'vitest'
import { addDays } from '#shared/time.ts'
import type { Decision } from './decisions.ts'
import type { CampaignFacts } from './facts.ts'
import type { Memory } from './settings.ts'
import {
  bidOf,
  campaign,
  daily,
  dollars,
  facts,
  family,
  limits,
  run,
  settings,
  target,
  today,
  usual,
} from './test-facts.ts'

const kindsOf = (decisions: readonly Decision[]) => decisions.map(one => `${one.kind} ${one.cause}`)

describe('a launch', () => {
  const spent = (perDay: number) => ({
    campaigns: [
      campaign('c1', {
        days: daily({ costMicros: dollars(perDay) }).map(day => ({ ...day, budgetMicros: dollars(50) })),
      }),
    ],
  })
  const launch = { from: addDays(today, -10), until: addDays(today, 9), budgetMicros: dollars(300) }
  const launched = settings({ strategy: 'LAUNCH', launch })
  const dear = target('dear', { days: daily({ ...usual, costMicros: dollars(14) }), bidMicros: dollars(1.2) })
  const steered: Memory = { multiplier: 0.4, steeredOn: addDays(today, -3) }

  test('pays more for clicks while it has money left, whatever their ACOS, and less when it runs short', () => {
    const rich = run(facts({ targets: [dear], ...spent(2) }), launched, steered)
    expect(rich.memory.multiplier).toBeGreaterThan(0.4)
    // Its ACOS of 47 % would lower the multiplier of the other strategies.
    expect(
      run(facts({ targets: [dear], ...spent(2) }), settings({ strategy: 'REACH' }), steered).memory.multiplier,
    ).toBeLessThan(0.4)
    expect(run(facts({ targets: [dear], ...spent(25) }), launched, steered).memory.multiplier).toBeLessThan(0.4)
  })

  test('spreads the rest of its money over the days that are left', () => {
    // 200 of 300 are spent; 10 days are left.
    const { decisions } = run(facts(spent(20)), launched)
    const budgets = decisions.filter(one => one.kind === 'budget')
    expect(budgets.reduce((sum, one) => sum + Number(one.after), 0)).toBeLessThanOrEqual(dollars(10))
    expect(budgets).toHaveLength(1)
  })

  test.each([
    ['its last day is over', { ...launch, until: addDays(today, -1) }, 0.45, 'PROFIT'],
    ['its money is spent', { ...launch, budgetMicros: dollars(200.5) }, null, 'REACH'],
  ] as const)('ends by itself when %s, says so once, and begins like a new group', (_, over, margin, next) => {
    const of = facts({ ...spent(20), families: [family({ margin })], targets: [{ ...dear, bidMicros: dollars(3) }] })
    const set = { ...launched, launch: over }
    const { decisions, memory } = run(of, set, steered)
    expect(decisions[0]).toMatchObject({ kind: 'steer', cause: 'LAUNCH_ENDED', before: 'LAUNCH', after: next })
    const fresh = run(of, settings({ strategy: next }))
    expect(memory).toEqual({ ...fresh.memory, launchEndedOn: today })
    expect(decisions.slice(1)).toEqual(fresh.decisions)
    expect(kindsOf(run(of, set, memory).decisions)).not.toContain('steer LAUNCH_ENDED')
  })

  test('can be followed by another one; without a time and money it is none', () => {
    const before = { ...steered, launchEndedOn: addDays(today, -20) }
    expect(kindsOf(run(facts(spent(2)), launched, before).decisions)).not.toContain('steer LAUNCH_ENDED')
    const endless = settings({ strategy: 'LAUNCH', launch: null })
    const ended = { ...steered, launchEndedOn: addDays(today, -1) }
    expect(kindsOf(run(facts(), endless, steered).decisions)).toContain('steer LAUNCH_ENDED')
    expect(kindsOf(run(facts(), endless, ended).decisions)).not.toContain('steer LAUNCH_ENDED')
  })
})

describe('rules of the marketplace are not fought', () => {
  const c2 = (more: Partial<CampaignFacts>) => campaign('c2', { budgetMicros: dollars(5), ...more })
  const word = target('word', {
    campaignId: 'c2',
    bidMicros: dollars(3),
    days: daily({ clicks: 4, costMicros: dollars(4) }),
  })
  const of = (more: Partial<CampaignFacts>) =>
    facts({ campaigns: [campaign('c1'), c2(more)], targets: [target('usual', { days: daily(usual) }), word] })

  test('bids under a bidding rule stay, one row says why, and what the rule adds is in the dearest click', () => {
    expect(bidOf(run(of({})).decisions, 'word')).toBeDefined()
    const first = run(of({ rules: ['BIDDING'], ruleRaise: 2, strategyRaise: 1, topRaise: 0.5 }))
    expect(bidOf(first.decisions, 'word')).toBeUndefined()
    const said = first.decisions.filter(one => one.cause === 'MARKETPLACE_RULE')
    expect(said).toMatchObject([
      {
        kind: 'none',
        entity: 'campaign',
        entityId: 'c2',
        evidence: { rules: ['BIDDING'], worstClickMicros: dollars(3 * 1.5 * 2 * 3) },
      },
    ])
    const again = run(of({ rules: ['BIDDING'], ruleRaise: 2 }), settings(), first.memory)
    expect(kindsOf(again.decisions)).not.toContain('none MARKETPLACE_RULE')
    // Another rule is said again; without any, nothing is.
    expect(kindsOf(run(of({ rules: ['BIDDING', 'BUDGET'] }), settings(), again.memory).decisions)).toContain(
      'none MARKETPLACE_RULE',
    )
  })

  test('a schedule leaves bids free, and counts in the dearest click', () => {
    const { decisions } = run(of({ rules: ['SCHEDULE'], ruleRaise: 0.5 }))
    const bid = bidOf(decisions, 'word')
    expect(bid?.evidence.worstClickMicros).toBe(Number(bid?.after) * 1.5)
  })

  test('a budget under a budget rule stays and takes its part of the total', () => {
    const short = daily({ costMicros: dollars(50) }).map(day => ({ ...day, budgetMicros: dollars(50) }))
    const ruled = facts({
      campaigns: [campaign('c1', { days: short }), c2({ rules: ['BUDGET'], budgetMicros: dollars(20), days: short })],
    })
    const { decisions } = run(ruled, settings({ budgetMicros: dollars(60) }))
    expect(decisions.filter(one => one.kind === 'budget')).toMatchObject([{ entityId: 'c1', after: dollars(40) }])
  })
})

describe('brand and display campaigns', () => {
  const searches = [
    {
      text: 'free bottle',
      isAsin: false,
      targetId: 'usual',
      campaignId: 'c1',
      adGroupId: 'g1',
      familyId: 'bottles',
      isNegated: false,
      isTargeted: false,
      days: daily({ clicks: 1, costMicros: dollars(0.9) }),
    },
  ]
  const places = { top: daily({ clicks: 5, orders: 1 }), other: daily({ clicks: 10, orders: 1 }) }
  const high = target('usual', { bidMicros: dollars(4), days: daily({ ...usual, clicks: 30, orders: 3 }) })
  const decided = (more: Partial<CampaignFacts>) =>
    run(
      facts({ campaigns: [campaign('c1', { places, ...more })], targets: [high], terms: searches }),
      settings({ budgetMicros: dollars(40) }),
    ).decisions.map(one => one.kind)

  test('get bids and budgets only', () => {
    expect(new Set(decided({}))).toEqual(new Set(['bid', 'budget', 'negative', 'placement']))
    expect(new Set(decided({ adType: 'SPONSORED_BRANDS' }))).toEqual(new Set(['bid', 'budget']))
    expect(decided({ adType: 'SPONSORED_DISPLAY', costType: 'VCPM' })).toEqual(['budget', 'none'])
  })

  test('are judged by their own reports: orders of 14 days come later than those of 7', () => {
    const shownBy = { SPONSORED_BRANDS: [0, ...Array.from({ length: 70 }, () => 0.5)] }
    const rate = (more: Parameters<typeof facts>[0]) =>
      run(
        facts({ campaigns: [campaign('c1', { adType: 'SPONSORED_BRANDS' })], targets: [high], ...more }),
      ).decisions.find(one => one.kind === 'bid')?.evidence
    const [late, usualRate] = [rate({ shownBy }), rate({})]
    expect(late?.effectiveClicks).toBeCloseTo((usualRate?.effectiveClicks ?? 0) / 2, 6)
    expect(late?.rate).toBeGreaterThan((usualRate?.rate ?? 0) * 1.5)
  })
})

describe('what is left of a day without changes', () => {
  test('targets held for comparison keep bids and searches, and the row counts why each target stays', () => {
    const words = ['held', 'pinned', 'paused', 'mine', 'rests', 'new'].map(id =>
      target(id, { bidMicros: dollars(4), isEnabled: id !== 'paused', days: daily(id === 'new' ? {} : usual) }),
    )
    const of = facts({ targets: words, holdout: ['held'] })
    const memory: Memory = {
      multiplier: 0.4,
      steeredOn: today,
      budgetsOn: today,
      targets: {
        pinned: { pinnedUntil: addDays(today, 3) },
        rests: { changedOn: today },
        new: { changedOn: today },
        gone: { changedOn: addDays(today, -200) },
      },
    }
    const { decisions, memory: after } = run(of, settings({ untouched: ['mine'] }), memory)
    expect(decisions).toMatchObject([
      {
        kind: 'none',
        cause: 'NOTHING_TO_DO',
        evidence: {
          stayed: { targets: 6, holdout: 1, sellers: 3, resting: 2, right: 0, thin: 0, capped: 0, leftAlone: 0 },
        },
      },
    ])
    expect(bidOf(run(facts({ targets: words })).decisions, 'held')).toBeDefined()
    // What was changed long ago is forgotten; a pin lasts.
    expect(Object.keys(after.targets ?? {}).toSorted()).toEqual(['new', 'pinned', 'rests'])
    expect(limits.minBidMicros).toBeLessThan(dollars(4))
  })
})
