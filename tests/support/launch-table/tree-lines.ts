import type { LaunchPlan } from '#features/launches/plan/launch-plan.ts'
import { type Micros, fromMicros } from '#shared/money.ts'
import { amount, type ExpectedCampaign } from './expected-tree.ts'

/** Whose launch a tree is. */
export interface TreeOwner {
  prefix: string
  campaignName: string
  skus: readonly string[]
}

const money = (micros: Micros | null | undefined) => amount(fromMicros(micros ?? Number.NaN))

/** A line an entity, sorted, so that a difference names the entity. */
function linesOf(campaigns: readonly ExpectedCampaign[], { prefix, campaignName, skus }: TreeOwner, state: string) {
  return campaigns
    .flatMap(c => {
      const name = `${prefix} | ${campaignName} | ${c.suffix}`
      return [
        `${name}: ${state} ${c.targeting} ${amount(c.budget)} ${c.bidding} +${c.topOfSearch}%`,
        ...c.groups.flatMap(g => {
          const group = `${name} > ${g.name}`
          return [
            `${group}: default ${amount(g.defaultBid)}`,
            ...skus.map(sku => `${group} advertises ${sku}`),
            ...[...g.keywords, ...g.targets].map(what => `${group} buys ${what}`),
            ...g.negatives.map(text => `${group} keeps out ${text}`),
          ]
        }),
      ]
    })
    .toSorted()
}

/** What the table expects. */
export const expectedLines = linesOf

const biddingName = (strategy: string) =>
  ({ SALES_DOWN_ONLY: 'DOWN', SALES_UP_AND_DOWN: 'UP_AND_DOWN' })[strategy] ?? strategy

/** What a plan would make; in the books its campaigns stand in a state. */
export function planLines(plan: LaunchPlan, state = 'PLANNED'): string[] {
  return plan.campaigns
    .flatMap(c => [
      `${c.name}: ${state} ${c.targetingType} ${money(c.dailyBudgetMicros)} ${biddingName(c.biddingStrategy)} +${c.topOfSearchPercent}%`,
      ...c.adGroups.flatMap(g => {
        const group = `${c.name} > ${g.name}`
        return [
          `${group}: default ${money(g.defaultBid.micros)}`,
          ...g.products.map(p => `${group} advertises ${p.sku}`),
          ...g.keywords.map(k => `${group} buys ${k.matchType} ${k.text} ${money(k.bid.micros)}`),
          ...g.autoTargets.map(t => `${group} buys ${t.group} ${money(t.bid.micros)}`),
          ...g.targets.map(t => `${group} buys ${t.match} ${t.value} ${money(t.bid.micros)}`),
          ...g.negativeKeywords.map(text => `${group} keeps out ${text}`),
          ...g.negativePhrases.map(text => `${group} keeps out PHRASE ${text}`),
        ]
      }),
    ])
    .toSorted()
}
