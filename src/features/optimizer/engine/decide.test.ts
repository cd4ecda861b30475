import { describe, expect, test } from 'vitest'
import { addDays } from '#shared/time.ts'
import { findBreak } from './conversion-breaks.ts'
import type { CampaignFacts, Facts, TermFacts } from './facts.ts'
import { campaign, daily, dollars, facts, run, settings, target, today, usual } from './test-facts.ts'

describe('the group', () => {
  test('bids at once what lets clicks cost the target, and from then on moves there by bounded steps, each third day', () => {
    const of = facts({ targets: [target('usual', { days: daily({ ...usual, costMicros: dollars(14) }) })] })
    const reach = settings({ strategy: 'REACH' })
    const { multiplier: first = 0 } = run(of, reach).memory
    // Clicks cost 140 % of the bid's 1.00, at an ACOS of 47 %: half as dear they must become, which a lower bid does not do alone.
    expect(first).toBeGreaterThan(0.1)
    expect(first).toBeLessThan(0.25)
    const steered = (multiplier: number, daysAgo: number) =>
      run(of, reach, { multiplier, moneyFactor: 1, steeredOn: addDays(today, -daysAgo) }).memory.multiplier
    expect(steered(0.6, 3)).toBeCloseTo(0.6 * Math.exp(-0.3), 6)
    expect(steered(0.6, 2)).toBe(0.6)
    // What bids were on the way there is no reason to go further.
    expect(steered(first, 3)).toBe(first)
  })

  test('Profit stops where a dearer click would cost more than it brings, though the target allows more', () => {
    const of = facts({ targets: [target('usual', { days: daily({ ...usual, costMicros: dollars(5) }) })] })
    const [profit = 0, reach = 0] = (['PROFIT', 'REACH'] as const).map(
      strategy => run(of, settings({ strategy, targetAcos: 0.4 })).memory.multiplier,
    )
    // Of an order's 30 are 13.50 left: clicks may cost 40 % of the 30, and leave the most at 56 % of those 13.50.
    const ratio = (0.56 * 0.45) / (0.96 * 0.4)
    expect(profit / reach).toBeCloseTo(ratio ** (1 / 0.7), 1)
  })

  test('bids less, instead of running dry, when its budget ends early', () => {
    const days = daily({ costMicros: dollars(50) }).map(day => ({ ...day, budgetMicros: dollars(50) }))
    const spends = target('spends', {
      days: daily({ ...usual, clicks: 60, costMicros: dollars(50), orders: 12, salesMicros: dollars(360) }),
    })
    const of = facts({ campaigns: [campaign('c1', { days })], targets: [spends] })
    const { moneyFactor = 1 } = run(of).memory
    expect(moneyFactor).toBeLessThan(0.95)
    // By bounded steps from then on, and back to the whole bid when the budget is ample again.
    const again = { ...run(of).memory, moneyFactor: 1, steeredOn: addDays(today, -3) }
    expect(run(of, settings(), again).memory.moneyFactor).toBeGreaterThanOrEqual(0.85)
    expect(run(of, settings({ budgetMicros: dollars(500) })).memory.moneyFactor).toBe(1)
  })

  test('thinks that a campaign wants more the longer its budget ends early, and bids less for it', () => {
    const ends = campaign('c1', {
      days: daily({ costMicros: dollars(50) }).map(day => ({ ...day, budgetMicros: dollars(50) })),
    })
    const of = facts({
      campaigns: [ends],
      targets: [
        target('usual', {
          days: daily({ ...usual, costMicros: dollars(50), clicks: 60, orders: 12, salesMicros: dollars(360) }),
        }),
      ],
    })
    const wants: number[] = []
    let memory = run(of).memory
    for (let turn = 0; turn < 10; turn++) {
      wants.push(memory.wants?.c1 ?? 0)
      memory = run(of, settings(), { ...memory, steeredOn: addDays(today, -3) }).memory
    }
    expect(wants.slice(0, 3)).toEqual([1.38, 1.38 * 1.15, 1.38 * 1.15 * 1.15].map(one => expect.closeTo(one, 6)))
    expect(wants.at(-1)).toBe(3)
    // On other days nothing is learnt, and with money to spare it is forgotten.
    expect(run(of, settings(), { ...memory, steeredOn: today }).memory.wants).toEqual(memory.wants)
    expect(run(facts(), settings(), { ...memory, steeredOn: addDays(today, -3) }).memory.wants).toEqual({ c1: 1 })
  })

  test('knows that a budget is used up when what is left does not pay for a click', () => {
    const spending = (clicks: number, spend: number) =>
      campaign('c1', {
        days: daily({ clicks, costMicros: dollars(spend) }).map(day => ({ ...day, budgetMicros: dollars(50) })),
      })
    const isShort = (clicks: number, spend: number): boolean =>
      (run(facts({ campaigns: [spending(clicks, spend)] })).memory.wants?.c1 ?? 0) > 1
    // Two clicks of 21 leave 8 that pay for no third one, 42 of 1 leave what pays for eight more.
    expect(isShort(2, 42)).toBe(true)
    expect(isShort(42, 42)).toBe(false)
    expect(isShort(2, 20)).toBe(false)
    expect(isShort(40, 50)).toBe(true)
  })

  test('a campaign that is not shown for want of money bids like the others, not more', () => {
    const of = (budget: number, spend: number, id: string) =>
      campaign(id, {
        budgetMicros: dollars(budget),
        days: daily({ clicks: spend, costMicros: dollars(spend) }).map(day => ({
          ...day,
          budgetMicros: dollars(budget),
        })),
      })
    const sells = target('sells', {
      days: daily({ clicks: 60, costMicros: dollars(60), orders: 12, salesMicros: dollars(360) }),
    })
    const unseen = target('unseen', { campaignId: 'c2', bidMicros: dollars(3) })
    const { moneyFactor = 1, moneyFactors } = run(
      facts({ campaigns: [of(60, 60, 'c1'), of(1, 0, 'c2')], targets: [sells, unseen] }),
      settings({ budgetMicros: dollars(61) }),
    ).memory
    expect(moneyFactor).toBeLessThan(0.95)
    expect(moneyFactors).toEqual({ c1: moneyFactor, c2: moneyFactor })
  })

  test('Reach moves bids that are all a little too low; Profit leaves each where it is near enough', () => {
    const of = facts({ targets: ['a', 'b', 'c'].map(id => target(id, { days: daily(usual) })) })
    const withBids = (bidMicros: number): Facts => ({ ...of, targets: of.targets.map(one => ({ ...one, bidMicros })) })
    const bidsOf = (strategy: 'REACH' | 'PROFIT', share: number) => {
      const set = settings({ strategy, budgetMicros: dollars(500) })
      const memory = { multiplier: 0.5, moneyFactor: 1, steeredOn: today }
      const bids = (bidMicros: number) =>
        run(withBids(bidMicros), set, memory).decisions.filter(one => one.kind === 'bid')
      const { worthMicros = 0 } = bids(dollars(0.3))[0]?.evidence ?? {}
      return bids(Math.round(0.5 * worthMicros * share))
    }
    expect(bidsOf('REACH', 0.87)).toHaveLength(3)
    expect(bidsOf('REACH', 0.98)).toHaveLength(0)
    expect(bidsOf('PROFIT', 0.87)).toHaveLength(0)
  })

  test('splits its budget by what campaigns want, to the cent, and never above the total', () => {
    const rich = campaign('c2', {
      budgetMicros: dollars(33.33),
      days: daily({ costMicros: dollars(1) }).map(day => ({ ...day, budgetMicros: dollars(33.33) })),
    })
    const short = campaign('c1', {
      budgetMicros: dollars(16.67),
      days: daily({ costMicros: dollars(16.6) }).map(day => ({ ...day, budgetMicros: dollars(16.67) })),
    })
    const budgets = (campaigns: CampaignFacts[]) =>
      new Map(
        run(facts({ campaigns }))
          .decisions.filter(one => one.kind === 'budget')
          .map(one => [one.entityId, Number(one.after)]),
      )
    // First what is not needed is cut; only when that has arrived the other is raised.
    const first = budgets([short, rich])
    expect([...first.keys()]).toEqual(['c2'])
    const after = budgets([short, { ...rich, budgetMicros: first.get('c2') ?? 0 }])
    expect(after.get('c1')).toBeGreaterThan(dollars(20))
    expect((after.get('c1') ?? 0) + (after.get('c2') ?? first.get('c2') ?? 0)).toBeLessThanOrEqual(dollars(50))
    for (const value of after.values()) expect(value % 10_000).toBe(0)
  })

  test('leaves each campaign the money for a click, without which it would never be shown again', () => {
    const spending = (id: string, budget: number, spend: number) =>
      campaign(id, {
        budgetMicros: dollars(budget),
        days: daily({ costMicros: dollars(spend) }).map(day => ({ ...day, budgetMicros: dollars(budget) })),
      })
    const idle = (budget: number): number => {
      const { decisions } = run(
        facts({
          campaigns: [spending('c1', 30, 30), spending('c2', budget, 0)],
          targets: [
            target('sells', {
              days: daily({ clicks: 40, costMicros: dollars(30), orders: 8, salesMicros: dollars(240) }),
            }),
            target('dear', { campaignId: 'c2', bidMicros: dollars(9) }),
          ],
        }),
        settings({ budgetMicros: dollars(30 + Math.max(9, budget)) }),
      )
      return Number(decisions.find(one => one.kind === 'budget' && one.entityId === 'c2')?.after ?? dollars(budget))
    }
    let left = 20
    for (let turn = 0; turn < 8; turn++) left = idle(left) / 1e6
    expect(left).toBeGreaterThanOrEqual(9)
    expect(left).toBeLessThan(12)
    expect(idle(2)).toBeGreaterThan(dollars(2))
  })

  test('Reach puts money to use that no campaign has, where it is wanted', () => {
    const short = (id: string, budget: number) =>
      campaign(id, {
        budgetMicros: dollars(budget),
        days: daily({ costMicros: dollars(budget) }).map(day => ({ ...day, budgetMicros: dollars(budget) })),
      })
    const campaigns = [short('c1', 20), short('c2', 20)]
    const targets = ['c1', 'c2'].map(campaignId =>
      target(campaignId, {
        campaignId,
        days: daily({ ...usual, costMicros: dollars(20), orders: 3, salesMicros: dollars(90) }),
      }),
    )
    const { decisions } = run(facts({ campaigns, targets }), settings({ strategy: 'REACH', budgetMicros: dollars(43) }))
    const budgets = decisions.filter(one => one.kind === 'budget').map(one => Number(one.after))
    expect(budgets).toHaveLength(2)
    expect(budgets.reduce((sum, one) => sum + one, 0)).toBeCloseTo(dollars(43), -5)
  })

  test('raises the top of search where clicks there convert better, in steps', () => {
    const places = {
      top: daily({ clicks: 5, orders: 1 }),
      other: daily({ clicks: 10, orders: 1 }),
    }
    const { decisions } = run(facts({ campaigns: [campaign('c1', { places })] }))
    expect(decisions.find(one => one.kind === 'placement')).toMatchObject({ before: 0, after: 0.15 })
  })
})

describe('searches', () => {
  const term = (text: string, more: Partial<TermFacts> = {}): TermFacts => ({
    text,
    isAsin: false,
    targetId: 'auto',
    campaignId: 'c1',
    adGroupId: 'g1',
    familyId: 'bottles',
    isNegated: false,
    isTargeted: false,
    days: [],
    ...more,
  })
  const auto = target('auto', {
    kind: 'auto',
    matchType: null,
    text: '',
    days: daily({ ...usual, clicks: 30, orders: 3 }),
  })
  const wasted = daily({ clicks: 1, costMicros: dollars(0.9) })
  const kinds = (terms: TermFacts[]) =>
    run(facts({ targets: [auto, { ...auto, id: 'loose' }], terms })).decisions.filter(one =>
      ['negative', 'harvest'].includes(one.kind),
    )

  test('that cost much and sell nothing are negated in their source; the own brand and fresh orders are spared', () => {
    const fresh = wasted.map((day, i) => (i === 55 ? { ...day, orders: 1, salesMicros: dollars(30) } : day))
    const found = kinds([
      term('free bottle', { days: wasted }),
      // It came through another target of the ad group too, and is negated once.
      term('free bottle', { days: wasted, targetId: 'loose' }),
      term('driftwood bottle', { days: wasted }),
      term('late bottle', { days: fresh }),
      term('few', { days: daily({ clicks: 1, costMicros: dollars(0.9) }, 3) }),
    ])
    expect(found).toMatchObject([{ kind: 'negative', entityId: 'g1', after: 'free bottle' }])
    expect(found[0]?.evidence.certainty).toBeGreaterThan(0.9)
  })

  test('that sell get a keyword of their own and leave their source, as one decision', () => {
    const sells = daily({ clicks: 1, costMicros: dollars(0.5), orders: 0.25, salesMicros: dollars(7.5) })
    const found = kinds([
      term('steel bottle', { days: sells }),
      term('steel bottle', { days: sells, targetId: 'loose', adGroupId: 'g2' }),
      term('known', { days: sells, isTargeted: true }),
    ])
    expect(found).toMatchObject([
      { kind: 'harvest', entityId: 'exact', before: 'steel bottle', cause: 'TERM_SELLS' },
      { kind: 'negative', entityId: 'g1', after: 'steel bottle' },
    ])
    expect(new Set(found.map(one => one.groupId)).size).toBe(1)
    // At most 1.7 times what its clicks cost.
    expect(Number(found[0]?.after)).toBeLessThanOrEqual(dollars(0.85))
  })
})

describe('holds back', () => {
  test('when reports are old: nothing is changed, and a row says why', () => {
    const { decisions, memory } = run(facts({ reportedAt: '2026-06-28T20:00:00Z' }), settings(), { multiplier: 0.4 })
    expect(decisions).toMatchObject([{ kind: 'breaker', cause: 'REPORTS_OLD', before: null, after: null }])
    expect(memory).toEqual({ multiplier: 0.4 })
  })

  test('when everything stops selling at once: nothing is raised for days', () => {
    const from = addDays(today, -3)
    const stopped = daily({ ...usual, clicks: 40, orders: 4 }).map(day =>
      day.day >= from ? { ...day, orders: 0, salesMicros: 0 } : day,
    )
    const { decisions, memory } = run(facts({ targets: [target('usual', { days: stopped, bidMicros: dollars(0.1) })] }))
    expect(decisions[0]).toMatchObject({ kind: 'breaker', cause: 'CONVERSION_BROKE_DOWN' })
    expect(decisions.filter(one => one.kind === 'bid' && Number(one.after) > Number(one.before))).toEqual([])
    expect(memory.frozenUntil).toBe(addDays(today, 3))
  })

  test('when spend breaks out while the forecast rises: the raises of the last days go back', () => {
    const spend = daily({ costMicros: dollars(10) }).map(day =>
      day.day === addDays(today, -1) ? { ...day, costMicros: dollars(40) } : day,
    )
    const of = facts({
      campaigns: [campaign('c1', { days: spend.map(day => ({ ...day, budgetMicros: dollars(50) })) })],
    })
    const raised = { changedOn: addDays(today, -1), beforeMicros: dollars(0.8) }
    const memory = { multiplier: 0.4, forecastAcos: 0.1, targets: { usual: raised } }
    const { decisions } = run(of, settings({ targetAcos: 0.25 }), memory)
    expect(decisions.find(one => one.entityId === 'usual')).toMatchObject({ kind: 'breaker', after: dollars(0.8) })
  })

  test('when most bids want the same full step: the seller is asked', () => {
    const all = Array.from({ length: 12 }, (_, i) => target(`t${i}`, { bidMicros: dollars(5), days: daily(usual) }))
    const bids = run(facts({ targets: all })).decisions.filter(one => one.kind === 'bid')
    expect(bids).toHaveLength(12)
    expect(bids.every(one => one.asks)).toBe(true)
  })
})

test('one row says that nothing changed, and from the same facts the same rows follow', () => {
  const of = facts()
  const first = run(of)
  const copy = JSON.parse(JSON.stringify(of)) as Facts
  expect(run(copy)).toEqual(first)
  const settled = run(of, settings(), { ...first.memory, targets: { usual: { changedOn: today } }, budgetsOn: today })
  expect(settled.decisions).toMatchObject([{ kind: 'none', cause: 'NOTHING_TO_DO', evidence: { targetAcos: 0.3 } }])
})

test('a lasting change of what clicks bring is found by its day, chance is not', () => {
  const steady = daily({ clicks: 40 }).map((day, i) => ({ ...day, orders: [3, 4, 5, 4][i % 4] ?? 4 }))
  expect(findBreak(steady, [0, 1], today)).toBeNull()
  const fallen = steady.map(day => (day.day >= addDays(today, -12) ? { ...day, orders: 1 } : day))
  const found = findBreak(fallen, [0, 1], today)
  expect(found?.day).toBe(addDays(today, -12))
  expect(found?.factor).toBeLessThan(0.45)
})
