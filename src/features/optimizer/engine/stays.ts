import { addDays } from '#shared/time.ts'
import { forecastDays } from './forecast.ts'
import type { Decision, Evidence, Stayed } from './decisions.ts'
import type { CampaignFacts, Facts, TargetFacts } from './facts.ts'
import type { Memory, Settings } from './settings.ts'

// What is left as it is, and why: fields that the marketplace's own rules move, bids that are not for clicks, what is the
// seller's, and targets that are kept unchanged for comparison.

type Field = 'bids' | 'budget' | 'placements' | 'hours' | 'terms'

/** The fields that each rule of the marketplace moves: two rules on one thing would fight each other. */
const ruledFields: Record<CampaignFacts['rules'][number], readonly Field[]> = {
  BIDDING: ['bids', 'placements', 'hours'],
  SCHEDULE: ['hours'],
  BUDGET: ['budget'],
}

/** Whether a field of a campaign is the engine's to change. Of Sponsored Brands and Display only bids and budgets are. */
export function mayChange({ adType, costType, rules }: CampaignFacts, field: Field): boolean {
  if (rules.some(rule => ruledFields[rule].includes(field))) return false
  if (costType === 'VCPM') return field === 'budget'
  return adType === 'SPONSORED_PRODUCTS' || field === 'bids' || field === 'budget'
}

/** Why a target's bid is not the engine's to change today; null where it is. */
export function whyStays(
  target: TargetFacts,
  campaign: CampaignFacts,
  pinnedUntil: string | undefined,
  { untouched, holdout }: { untouched: ReadonlySet<string>; holdout: ReadonlySet<string> },
  today: string,
): 'sellers' | 'leftAlone' | 'holdout' | null {
  const isPinned = pinnedUntil !== undefined && pinnedUntil > today
  if (!target.isEnabled || isPinned || untouched.has(target.id) || untouched.has(target.text)) return 'sellers'
  if (!mayChange(campaign, 'bids')) return 'leftAlone'
  return holdout.has(target.id) ? 'holdout' : null
}

/** A row for each campaign of which something is left alone that was not when it was last said; and what to remember. */
export function sayLeftAlone(
  { campaigns, targets }: Facts,
  memory: Memory,
  today: string,
): { rows: Decision[]; leftAlone: Record<string, string> } {
  const ruled = campaigns.filter(({ rules, costType }) => rules.length > 0 || costType === 'VCPM')
  const leftAlone = Object.fromEntries(ruled.map(({ id, rules, costType }) => [id, [...rules, costType].join(' ')]))
  const rows = ruled
    .filter(({ id }) => memory.leftAlone?.[id] !== leftAlone[id])
    .map(
      (campaign): Decision => ({
        kind: 'none',
        groupId: `left alone ${campaign.id} ${today}`,
        entity: 'campaign',
        entityId: campaign.id,
        before: null,
        after: null,
        cause: campaign.rules.length ? 'MARKETPLACE_RULE' : 'PAID_BY_VIEWS',
        asks: false,
        evidence: {
          rules: campaign.rules,
          worstClickMicros: Math.round(worstClick(highestBid(targets, campaign.id), campaign)),
          basis: { leftAlone: { costType: campaign.costType } },
        },
        forecast: null,
      }),
    )
  return { rows, leftAlone }
}

interface PlannedBid {
  target: TargetFacts
  evidence: Evidence
  isResting: boolean
}

const highestBid = (targets: readonly TargetFacts[], campaignId: string): number =>
  targets.reduce((most, one) => (one.campaignId === campaignId ? Math.max(most, one.bidMicros) : most), 0)

/** The dearest click that the marketplace may charge for a bid, with all that its strategy, raises and rules add. */
export const worstClick = (bidMicros: number, { topRaise, strategyRaise, ruleRaise }: CampaignFacts): number =>
  bidMicros * (1 + topRaise) * (1 + strategyRaise) * (1 + ruleRaise)

/** How many targets stay, by the first reason that holds. */
export function countStayed(
  facts: Facts,
  settings: Settings,
  memory: Memory,
  plans: readonly PlannedBid[],
  today: string,
): Stayed {
  const counts: Stayed = {
    targets: facts.targets.length,
    right: 0,
    resting: 0,
    thin: 0,
    capped: 0,
    sellers: 0,
    holdout: 0,
    leftAlone: 0,
  }
  const campaigns = new Map(facts.campaigns.map(one => [one.id, one]))
  const sets = { untouched: new Set(settings.untouched), holdout: new Set(facts.holdout) }
  const planned = new Map(plans.map(plan => [plan.target.id, plan]))
  for (const target of facts.targets) {
    const campaign = campaigns.get(target.campaignId)
    const why = campaign
      ? whyStays(target, campaign, memory.targets?.[target.id]?.pinnedUntil, sets, today)
      : 'leftAlone'
    counts[why ?? reasonOf(planned.get(target.id))] += 1
  }
  return counts
}

function reasonOf(plan: PlannedBid | undefined): 'right' | 'resting' | 'thin' | 'capped' {
  if (plan?.isResting) return 'resting'
  const { cap, effectiveClicks = 0 } = plan?.evidence ?? {}
  if (cap === 'WORTH' || cap === 'HIGHEST_BID' || cap === 'SUGGESTED') return 'capped'
  return effectiveClicks < thinClicks ? 'thin' : 'right'
}

/** With fewer clicks a target is said to be too new to judge. */
export const thinClicks = 15

/** Changes of targets are forgotten after so many days: nothing asks for older ones. */
const forgottenDays = 30

/** The memory of bids after these changes; pins stay until they end, all else for a month, so that it does not grow. */
export function rememberBids(
  memory: Memory,
  changes: readonly Decision[],
  today: string,
): NonNullable<Memory['targets']> {
  const from = addDays(today, -forgottenDays)
  const targets = Object.fromEntries(
    Object.entries(memory.targets ?? {}).filter(
      ([, { changedOn = '', pinnedUntil = '' }]) => changedOn >= from || pinnedUntil > today,
    ),
  )
  for (const { entityId, before } of changes)
    targets[entityId] = {
      ...targets[entityId],
      changedOn: today,
      ...(typeof before === 'number' && {
        beforeMicros: before,
        bids: [
          ...(targets[entityId]?.bids ?? []).filter(([day]) => day >= addDays(today, -forecastDays)),
          [today, before],
        ],
      }),
    }
  return targets
}
