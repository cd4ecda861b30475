import { describe, expect, test } from 'vitest'
import { addDays } from '#shared/time.ts'
import type { DayFigures, TermFacts } from './facts.ts'
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

describe('bids', () => {
  const dear = target('dear', { days: daily({ clicks: 4, costMicros: dollars(4) }) })
  const good = target('good', {
    days: daily({ clicks: 4, costMicros: dollars(3), orders: 1, salesMicros: dollars(30) }),
  })

  test('go down where clicks bring fewer orders than elsewhere, and up where they bring more, a bounded step', () => {
    const { decisions } = run(facts({ targets: [target('usual', { days: daily(usual) }), dear, good] }))
    expect(bidOf(decisions, 'dear')).toMatchObject({ before: dollars(1), evidence: { clicks: 240, orders: 0 } })
    expect(bidOf(decisions, 'good')).toMatchObject({ before: dollars(1), after: dollars(1.2), cause: 'WORTH_MORE' })
    const [low = 0, high = 0] = bidOf(decisions, 'good')?.evidence.band ?? []
    expect(low).toBeLessThan(0.25)
    expect(high).toBeGreaterThan(0.2)
  })

  test('go at once to what a click can be worth at best; by a quarter where it may well be worth more', () => {
    const few = target('few', { days: daily({ clicks: 1, costMicros: dollars(1) }, 10) })
    const { decisions } = run(facts({ targets: [target('usual', { days: daily(usual) }), dear, few] }))
    expect(bidOf(decisions, 'few')?.after).toBe(dollars(0.75))
    const { after, evidence } = bidOf(decisions, 'dear') ?? {}
    const { band = [0, 0], rate = 1, multiplier = 0, worthMicros = 0 } = evidence ?? {}
    expect(Number(after)).toBeLessThan(dollars(0.75))
    expect(Number(after)).toBeCloseTo(((band[1] ?? 0) / rate) * multiplier * worthMicros, -5)
  })

  test('a target without clicks is believed what its ad group is, not that it never sells', () => {
    const { decisions } = run(
      facts({ targets: [target('usual', { days: daily(usual) }), target('new', { bidMicros: dollars(0.3) })] }),
    )
    expect(bidOf(decisions, 'new')).toMatchObject({ after: dollars(0.36), cause: 'THIN' })
  })

  test('a word that is shown often and hardly clicked is believed less, where orders follow clicks in the account', () => {
    const shown = (id: string, impressions: number, clicks: number, orders: number) =>
      target(id, {
        impressions,
        days: daily({ clicks, costMicros: dollars(0.8 * clicks), orders, salesMicros: dollars(30 * orders) }),
      })
    const rateOf = (ordersOfPoor: number) => {
      const targets = [shown('liked', 60_000, 8, 1), shown('poor', 240_000, 8, ordersOfPoor), shown('new', 3000, 0, 0)]
      const { decisions } = run(facts({ targets: targets.map(one => ({ ...one, bidMicros: dollars(9) })) }))
      return bidOf(decisions, 'new')?.evidence.rate ?? 0
    }
    // Shown for ten clicks of the others, and clicked never.
    expect(rateOf(0.25)).toBeLessThan(0.75 * rateOf(1))
  })

  test('a product without a price sells at what orders bring, or at what is usual in its currency', () => {
    const yen = { ...limits, minBidMicros: dollars(2) }
    const orderOf = (account: DayFigures[]) => {
      const few = target('few', { bidMicros: dollars(200), days: daily({ clicks: 1, costMicros: dollars(200) }, 10) })
      const families = [family({ priceMicros: null })]
      const campaigns = [campaign('c1', { limits: yen })]
      const { decisions } = run(facts({ currency: 'JPY', account, families, campaigns, targets: [few] }))
      return bidOf(decisions, 'few')?.evidence.orderMicros
    }
    expect(orderOf(daily({ clicks: 10, orders: 1, salesMicros: dollars(3500) }))).toBe(dollars(3500))
    expect(orderOf([])).toBe(dollars(2000))
  })

  test('never end above what a click earns, the highest bid, or three times the suggestion', () => {
    const all = [
      target('earns', { days: good.days, bidMicros: dollars(4.2) }),
      target('suggested', { days: good.days, suggestedHighMicros: dollars(0.35), bidMicros: dollars(1.04) }),
      target('above', { days: good.days, bidMicros: dollars(9) }),
    ]
    const { decisions } = run(facts({ targets: all }), settings({ highestBidMicros: dollars(5), targetAcos: 0.9 }))
    // A quarter of the clicks sell for 30, of which 45 % are left: a click earns about 3.30.
    expect(Number(bidOf(decisions, 'earns')?.after)).toBeLessThanOrEqual(dollars(3.375))
    expect(bidOf(decisions, 'suggested')).toBeUndefined()
    // The seller's own limit holds at once.
    expect(bidOf(decisions, 'above')?.cause).toBe('ABOVE_HIGHEST_BID')
    expect(Number(bidOf(decisions, 'above')?.after)).toBeLessThanOrEqual(dollars(5))
  })

  test('an exact keyword counts what its search brought through other targets', () => {
    const exact = target('exact', { matchType: 'EXACT', text: 'steel bottle', adGroupId: 'exact' })
    const term: TermFacts = {
      text: 'steel bottle',
      isAsin: false,
      targetId: 'usual',
      campaignId: 'c1',
      adGroupId: 'g1',
      familyId: 'bottles',
      isNegated: true,
      isTargeted: true,
      days: good.days,
    }
    const worth = (terms: TermFacts[]) =>
      bidOf(run(facts({ targets: [target('usual', { days: daily(usual) }), exact], terms })).decisions, 'exact')
        ?.evidence.rate
    expect(worth([term]) ?? 0).toBeGreaterThan(0.18)
    expect(worth([]) ?? 0).toBeLessThan(0.12)
  })

  test('rest for three days, and longer while few clicks came; pinned, paused and untouched ones stay', () => {
    const memory = (changedOn: string): Memory => ({
      multiplier: 0.4,
      steeredOn: today,
      targets: { dear: { changedOn }, good: { pinnedUntil: addDays(today, 1) } },
    })
    const of = facts({
      targets: [dear, good, target('off', { days: good.days, isEnabled: false }), target('mine', { days: good.days })],
    })
    const changed = (on: string) =>
      run(of, settings({ untouched: ['mine'] }), memory(on)).decisions.filter(one => one.kind === 'bid')
    expect(changed(addDays(today, -2))).toEqual([])
    expect(changed(addDays(today, -3)).map(one => one.entityId)).toEqual(['dear'])
  })

  test('are not changed for little where few clicks come, nor turned around before clicks have shown what came', () => {
    const often = daily({ ...usual, clicks: 40, costMicros: dollars(32), orders: 4, salesMicros: dollars(120) })
    const of = (bid: number, more: Memory['targets'] = {}) => {
      const rare = target('rare', { bidMicros: bid, days: daily({ clicks: 1, costMicros: bid }, 2) })
      return run(facts({ targets: [target('often', { bidMicros: bid, days: often }), rare] }), settings(), {
        multiplier: 0.3,
        steeredOn: today,
        targets: more,
      }).decisions
    }
    const basis = bidOf(of(dollars(0.1)), 'often')?.evidence
    const goal = (basis?.multiplier ?? 0) * (basis?.worthMicros ?? 0)
    const low = Math.round((goal * 0.7) / 10_000) * 10_000
    expect(bidOf(of(low), 'often')?.after).toBeGreaterThan(low)
    expect(bidOf(of(low), 'rare')).toBeUndefined()
    expect(bidOf(of(low / 2), 'rare')?.after).toBeGreaterThan(low / 2)
    // Cut four days ago, it is raised again only where it is far off.
    const cut = (beforeMicros: number) => ({ often: { changedOn: addDays(today, -4), beforeMicros } })
    expect(bidOf(of(low, cut(low * 0.8)), 'often')?.after).toBeGreaterThan(low)
    const few = target('often', { bidMicros: low, days: often.slice(0, -10) })
    const turned = (beforeMicros: number) =>
      run(facts({ targets: [few] }), settings(), {
        multiplier: 0.3,
        steeredOn: today,
        targets: cut(beforeMicros),
      }).decisions
    expect(bidOf(turned(low * 0.8), 'often')?.after).toBeGreaterThan(low)
    expect(bidOf(turned(low * 1.3), 'often')).toBeUndefined()
  })

  test('fall with the stock, and rest on the floor when it is gone', () => {
    const exact = { ...good, matchType: 'EXACT' as const }
    const low = run(facts({ targets: [good], families: [family({ coverDays: 7 })] })).decisions
    expect(Number(bidOf(low, 'good')?.after ?? dollars(1))).toBeLessThanOrEqual(dollars(1))
    const gone = run(facts({ targets: [exact], families: [family({ coverDays: 1 })] })).decisions
    expect(bidOf(gone, 'good')).toMatchObject({ after: limits.minBidMicros, cause: 'STOCK_GONE' })
  })
})
