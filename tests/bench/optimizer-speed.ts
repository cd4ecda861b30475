import { adLimits } from '#shared/ad-limits.ts'
import { marketplaceByKey } from '#shared/marketplaces.ts'
import { createRandom, poisson, type Random } from '#shared/random.ts'
import { addDays, daysOf } from '#shared/time.ts'
import { decide } from '#features/optimizer/engine/decide.ts'
import type { DayFigures, Facts } from '#features/optimizer/engine/facts.ts'
import type { Memory, Settings } from '#features/optimizer/engine/settings.ts'
import { type Figure, figureOf } from './figure.ts'

const targetsOfGroup = 500
const campaignsOfGroup = 20
const termsOfGroup = 2000
const allTargets = 500_000
const samples = 40
const first = '2026-06-30'

/**
 * How long one group of 500 targets with 75 days takes to decide on, and what 500,000 targets of 1,000 groups need that are
 * decided on one group after the other, each on two days: time, and memory that grows with the number of groups.
 */
export async function measureOptimizerSpeed(): Promise<Figure[]> {
  const single = drawGroup(createRandom(1), first)
  const times: number[] = []
  for (let i = 0; i < samples; i++) {
    const began = performance.now()
    decide(single, settings, {}, momentOf(first))
    times.push(performance.now() - began)
  }
  const groups = allTargets / targetsOfGroup
  const heap: number[] = []
  let decisions = 0
  let memoryBytes = 0
  const began = performance.now()
  let deciding = 0
  for (let group = 0; group < groups; group++) {
    const facts = drawGroup(createRandom(group), first)
    const start = performance.now()
    // What is remembered of a day is what the next one begins with.
    const { memory } = decide(facts, settings, {}, momentOf(first))
    const stored = JSON.stringify(memory)
    const next = addDays(first, 3)
    const second = decide(facts, settings, JSON.parse(stored) as Memory, momentOf(next))
    decisions += second.decisions.length
    deciding += performance.now() - start
    memoryBytes = Math.max(memoryBytes, JSON.stringify(second.memory).length)
    if (group % 100 === 99) {
      heap.push(process.memoryUsage().heapUsed / 1e6)
      console.log(
        `${(group + 1) * targetsOfGroup} targets: ${Math.round(heap.at(-1) ?? 0)} MB, ${Math.round((performance.now() - began) / 1000)} s`,
      )
      await new Promise(resolve => setImmediate(resolve))
    }
  }
  return [
    figureOf(`a group of ${targetsOfGroup} targets is decided on`, 'ms', times, { goal: { atMost: 300 } }),
    figure('a day of 500,000 targets, decided on group by group', 's', deciding / 2000, {
      note: `${decisions} decisions on the second day`,
    }),
    figure('the most memory while they are, of groups that come and go', 'MB', Math.max(...heap), {
      goal: { atMost: 400 },
    }),
    figure('what is remembered of a group, per target', 'bytes', memoryBytes / targetsOfGroup, {
      goal: { atMost: 250 },
    }),
  ]
}

const figure = (name: string, unit: string, value: number, more: Pick<Figure, 'goal' | 'note'> = {}): Figure => ({
  name,
  unit,
  value,
  count: 1,
  ...more,
})

const momentOf = (today: string) => ({ now: new Date(`${today}T10:00:00Z`), today })
const settings: Settings = {
  targetAcos: 0.3,
  strategy: 'PROFIT',
  highestBidMicros: null,
  budgetMicros: 400e6,
  untouched: [],
}

function drawGroup(random: Random, today: string): Facts {
  const us = marketplaceByKey('US')
  if (!us) throw new Error('The table of marketplaces has no US.')
  const limits = adLimits(us, { adType: 'SPONSORED_PRODUCTS' })
  const days = daysOf(addDays(today, -75), addDays(today, -1))
  // Most targets have few clicks, as those of real accounts.
  const draw = (): DayFigures[] => {
    const [clicks, rate] = [0.15 * random() ** -0.5, 0.05 + 0.1 * random()]
    return days.map(day => {
      const own = poisson(clicks, random)
      const orders = poisson(own * rate, random)
      return { day, clicks: own, costMicros: own * 800_000, orders, salesMicros: orders * 30e6 }
    })
  }
  const campaignOf = (i: number): string => `c${i % campaignsOfGroup}`
  const targets = Array.from({ length: targetsOfGroup }, (_, i) => ({
    id: `t${i}`,
    campaignId: campaignOf(i),
    adGroupId: `g${campaignOf(i)}`,
    familyId: 'family',
    kind: 'keyword' as const,
    matchType: (['EXACT', 'PHRASE', 'BROAD'] as const)[i % 3] ?? null,
    text: `words ${i}`,
    bidMicros: 10_000 * (40 + Math.floor(random() * 120)),
    isEnabled: true,
    suggestedHighMicros: i % 2 ? 1_500_000 : null,
    days: draw(),
  }))
  return {
    currency: 'USD',
    reportedAt: `${addDays(today, 3)}T08:00:00Z`,
    shown: [0, 0.32, 0.83, 0.88, 0.91, 0.94, 0.96, 0.985, 1],
    account: draw(),
    categoryRate: 0.08,
    families: [
      {
        id: 'family',
        priceMicros: 30e6,
        margin: 0.4,
        coverDays: 60,
        brandWords: ['brand'],
        keywordHome: { campaignId: 'c0', adGroupId: 'gc0' },
        productHome: null,
      },
    ],
    campaigns: Array.from({ length: campaignsOfGroup }, (_, i) => ({
      id: campaignOf(i),
      adType: 'SPONSORED_PRODUCTS' as const,
      costType: 'CPC' as const,
      rules: [],
      budgetMicros: 20e6,
      spentTodayMicros: 0,
      strategyRaise: 0 as const,
      topRaise: 0,
      ruleRaise: 0,
      limits,
      days: draw().map(one => ({ ...one, budgetMicros: 20e6 })),
      places: { top: draw(), other: draw() },
    })),
    targets,
    terms: Array.from({ length: termsOfGroup }, (_, i) => {
      const source = targets[i % targetsOfGroup] ?? targets[0]
      return {
        text: `search ${i}`,
        isAsin: false,
        targetId: source?.id ?? '',
        campaignId: source?.campaignId ?? '',
        adGroupId: source?.adGroupId ?? '',
        familyId: 'family',
        isNegated: false,
        isTargeted: false,
        // A search of the tail has a day or two with a click.
        days: (source?.days ?? []).filter(one => one.clicks > 0).slice(0, 2),
      }
    }),
  }
}
