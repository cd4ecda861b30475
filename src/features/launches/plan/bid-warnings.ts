import { type Phase, autoGroupKeys, autoGroups, funnelPhases, phases } from '../templates.ts'
import { amountText, type ChosenBid, clickCap } from '#features/recommendations/contract.ts'
import type { Micros } from '#shared/money.ts'
import { autoCapShares, type BidRaises, phaseCapShares } from './bid-raises.ts'
import { type PlanInput, type PlanMarket, type PlannedCampaign } from './launch-plan.ts'
import { nameAFew } from './name-a-few.ts'

interface BidFacts {
  campaigns: readonly PlannedCampaign[]
  /** What the campaigns would have let the marketplace add, by their keys. */
  intended: ReadonlyMap<string, BidRaises>
  /** The most that a click may cost to meet the target ACOS; null while not known. */
  capMicros: Micros | null
  market: PlanMarket
}

interface NamedBid {
  name: string
  bid: ChosenBid
}

const ownBidsOf = (campaigns: readonly PlannedCampaign[]): NamedBid[] =>
  campaigns
    .flatMap(c => c.adGroups)
    .flatMap(g => [
      ...g.keywords.map(k => ({ name: k.text, bid: k.bid })),
      ...g.targets.map(t => ({ name: t.name ?? t.value, bid: t.bid })),
    ])
    .filter(({ bid }) => bid.source === 'YOURS')

const bidsFor = (bids: readonly NamedBid[]): string => {
  const names = bids.map(({ name }) => name)
  return new Set(names).size === 1 ? `bid for ${nameAFew(names)} is` : `bids for ${nameAFew(names)} are`
}

const ownBidWarnings = ({ campaigns, capMicros, market }: BidFacts): string[] => {
  const own = ownBidsOf(campaigns)
  const limited = own.filter(({ bid }) => bid.limitedBy)
  const above = capMicros === null ? [] : own.filter(({ bid }) => bid.micros > capMicros)
  return [
    ...(limited.length ? [`Your ${bidsFor(limited)} limited by the budget or the marketplace’s limits.`] : []),
    ...(above.length && capMicros !== null
      ? [
          `Your ${bidsFor(above)} above ${amountText(capMicros, market.currency)}, the most that a click may cost to meet the target ACOS.`,
        ]
      : []),
  ]
}

const capWarnings = ({ campaigns, intended, capMicros, market }: BidFacts): string[] => {
  if (capMicros === null) return []
  const amount = amountText(capMicros, market.currency)
  if (capMicros < market.minBidMicros)
    return [
      `A click may cost at most ${amount} to meet the target ACOS, less than the lowest bid the marketplace takes (${amountText(market.minBidMicros, market.currency)}): clicks will cost more than the target allows.`,
    ]
  const lowered = campaigns.filter(c => {
    const before = intended.get(c.key)
    return before && (before.biddingStrategy !== c.biddingStrategy || before.topOfSearchPercent > c.topOfSearchPercent)
  })
  if (!lowered.length) return []
  const names = [...new Set(lowered.map(c => phases[c.phase]))].join(', ')
  return [
    `The marketplace raises bids in ${names} less than the strategy usually lets it, so that no click costs more than the ${amount} that meets the target ACOS.`,
  ]
}

const percent = (share: number) => `${Math.round(share * 100)}%`

// Says how the phases and automatic groups share a cap that is lower than what the marketplace suggests.
const orderWarnings = ({ campaigns, capMicros, market }: BidFacts): string[] => {
  const groups = campaigns.flatMap(c => c.adGroups)
  const bids = groups.flatMap(g => [...g.keywords, ...g.autoTargets, ...g.targets].map(item => item.bid))
  if (capMicros === null || !bids.some(bid => bid.limitedBy === 'TARGET_ACOS')) return []
  const capped = funnelPhases.filter(phase => groups.some(g => g.phase === phase))
  const part = (phase: Phase) => `${phases[phase]} ${percent(phaseCapShares[phase] ?? 1)}`
  const auto = autoGroupKeys.toSorted((a, b) => autoCapShares[b] - autoCapShares[a])
  return [
    [
      `A click may cost at most ${amountText(capMicros, market.currency)} to meet the target ACOS, which is less than the marketplace suggests for some bids.`,
      ...(capped.length > 1
        ? [`The phases keep their order and bid at most a part of it: ${capped.map(part).join(', ')}.`]
        : []),
      ...(groups.some(g => g.autoTargets.length)
        ? [
            `So do the automatic groups, within their phase: ${auto.map(g => `${autoGroups[g].toLowerCase()} ${percent(autoCapShares[g])}`).join(', ')}.`,
          ]
        : []),
    ].join(' '),
  ]
}

const asinsOf = (products: PlanInput['products']) => nameAFew(products.map(p => p.asin))

/** What to say of a cap that several products share, although each would have another. */
export const sharedCapWarnings = ({ payload, products, market }: PlanInput, capMicros: Micros | null): string[] => {
  const capFor = (p: PlanInput['products'][number]) =>
    clickCap(payload.targetAcos, p.orderValueMicros, p.conversionRate)
  const unknown = products.filter(p => capFor(p) === null)
  const known = products.filter(p => capFor(p) !== null)
  if (products.length < 2 || !known.length) return []
  if (unknown.length)
    return [
      `No cap by the target ACOS: these bids serve all products, and it is not known yet how ${asinsOf(unknown)} ${unknown.length === 1 ? 'sells' : 'sell'}.`,
    ]
  const lower = known.filter(p => (capFor(p) ?? 0) < (capMicros ?? 0))
  if (!lower.length || capMicros === null) return []
  const lowest = Math.min(...lower.map(p => capFor(p) ?? 0))
  return [
    `Bids serve all products and are capped by the one that can pay most, at ${amountText(capMicros, market.currency)} a click. For ${asinsOf(lower)} a click may cost less to meet the target ACOS, from ${amountText(lowest, market.currency)} on.`,
  ]
}

/** What to say of a plan's bids and raises, one sentence for all of a kind: a thousand of the same would hide the rest. */
export const bidWarnings = (facts: BidFacts): string[] => [
  ...orderWarnings(facts),
  ...ownBidWarnings(facts),
  ...capWarnings(facts),
]
