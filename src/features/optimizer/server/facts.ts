import { sql } from 'kysely'
import { adLimits } from '#shared/ad-limits.ts'
import type { AdType } from '#shared/campaign-rules.ts'
import { normalTerm } from '#shared/keyword-rules.ts'
import { marketplaceById } from '#shared/marketplaces.ts'
import { type Micros, toMicros } from '#shared/money.ts'
import { addDays, dayIn, daysOf } from '#shared/time.ts'
import type { Profile } from '#features/accounts/server/public.ts'
import {
  attributionDays,
  type DayRow,
  daysOfAdType,
  daysOfCampaigns,
  daysOfPlaces,
  daysOfTargets,
  daysOfTerms,
  impressionsOfTargets,
  profileFreshness,
  spentOn,
  type TermRow,
  versionsOf,
} from '#features/metrics/server/public.ts'
import { isAsin } from '#features/search-terms/contract.ts'
import type { Db } from '#server/db/tables.ts'
import { learnShown } from '../engine/lag.ts'
import type { CampaignFacts, Facts, TargetFacts, TermFacts } from '../engine/facts.ts'
import { type Holdings, holdingsOf, isThere } from './entities.ts'
import { readFamilies } from './families.ts'
import type { Group } from './groups.ts'
import { rulesOf } from './marketplace-rules.ts'
import { freshHighs } from './suggested-bids.ts'

/** Older days weigh too little to be read. */
const windowDays = 75
/** More searches than these are left out, the cheapest first: they hardly have a click each. */
const mostTerms = 20_000
const categoryRate = 0.08
export const topOfSearch = 'TOP_OF_SEARCH'

/**
 * All that the engine knows of a group's campaigns at a moment, as our database has it: nothing of the day itself but what was spent,
 * and nothing that the newest report did not have. Ids are texts of ours. They reach back
 * to `from`, else 75 days, those of campaigns to `spendSince` at least.
 */
export async function readFacts(
  tx: Db,
  profile: Profile,
  group: Pick<Group, 'campaignIds' | 'rules' | 'suggested'>,
  now: Date,
  { from = null, spendSince = null }: { from?: string | null; spendSince?: string | null } = {},
): Promise<Facts> {
  const { campaignIds } = group
  const { currency, timezone } = profile
  const market = marketplaceById(profile.marketplaceId)
  if (!market) throw new Error(`an account in an unknown marketplace: ${profile.marketplaceId}`)
  const today = dayIn(now, timezone)
  const { asOf, importedTo } = await profileFreshness(tx, profile)
  const yesterday = addDays(today, -1)
  const range = {
    from: from ?? addDays(today, -windowDays),
    to: importedTo !== null && importedTo < yesterday ? importedTo : yesterday,
  }
  const held = await holdingsOf(tx, profile, campaignIds)
  const targetDays = await daysOfTargets(tx, profile, campaignIds, range)
  const impressions = await impressionsOfTargets(tx, profile, campaignIds, range)
  const spendFrom = spendSince !== null && spendSince < range.from ? spendSince : range.from
  const campaignDays = await daysOfCampaigns(tx, profile, campaignIds, { ...range, from: spendFrom })
  const placeDays = await daysOfPlaces(tx, profile, campaignIds, range)
  const found = await daysOfTerms(tx, profile, campaignIds, range, mostTerms)
  const spent = await spentOn(tx, profile, campaignIds, today)
  const budgets = await earlierBudgets(tx, profile, campaignIds, spendFrom)
  const adTypes = [...new Set(held.campaigns.map(one => one.adType as AdType))]
  const account: DayRow[] = []
  for (const adType of adTypes) account.push(...(await daysOfAdType(tx, profile, adType, range)))
  const families = await readFamilies(
    tx,
    profile,
    held,
    found.map(one => normalTerm(one.term)),
    today,
  )
  const targets = targetsOf(held, targetDays, impressions, families.familyOf, freshHighs(group, today))
  return {
    currency,
    reportedAt: asOf?.toISOString() ?? null,
    ...(await shownOf(tx, profile, adTypes, today)),
    account,
    categoryRate,
    families: families.facts,
    campaigns: held.campaigns.map((campaign): CampaignFacts => {
      const budgetMicros = toMicros(campaign.budget ?? 0)
      const own = new Map((campaignDays.get(campaign.id) ?? []).map(day => [day.day, day]))
      const budgetOn = budgetsBy(budgets.get(campaign.id) ?? [], budgetMicros, timezone)
      const terms = adTermsOf(campaign, held.ads)
      // Places are raised, and reported, of Sponsored Products alone.
      const isOfProducts = terms.adType === 'SPONSORED_PRODUCTS'
      return {
        id: String(campaign.id),
        adType: terms.adType,
        costType: terms.costType,
        ...rulesOf(group, campaign),
        budgetMicros,
        spentTodayMicros: spent.get(campaign.id) ?? 0,
        strategyRaise: campaign.biddingStrategy === 'SALES_UP_AND_DOWN' ? 1 : 0,
        topRaise: isOfProducts ? topRaiseOf(campaign) / 100 : 0,
        limits: adLimits(market, { ...terms, advertiser: profile.accountType }),
        days: daysOf(spendFrom, range.to).map(day => ({
          ...(own.get(day) ?? { day, clicks: 0, costMicros: 0, orders: 0, salesMicros: 0 }),
          budgetMicros: budgetOn(day),
        })),
        places: isOfProducts ? (placeDays.get(campaign.id) ?? null) : null,
      }
    }),
    targets,
    terms: termsOf(found, held, targets, families.familyOf),
  }
}

/** So many days of versions teach enough of how orders come late, and follow what changes. */
const learntDays = 90

/** How orders of Sponsored Products come late, and of each other ad type of the group that has such a curve of its own. */
async function shownOf(
  tx: Db,
  profile: Profile,
  adTypes: readonly AdType[],
  today: string,
): Promise<Pick<Facts, 'shown' | 'shownBy'>> {
  const versions = await versionsOf(tx, profile, addDays(today, -learntDays), today)
  const learn = (adType: AdType): number[] =>
    learnShown(
      versions.filter(one => one.adType === adType),
      { windowDays: windowOf(adType, profile) },
    )
  const others = adTypes.filter(one => one !== 'SPONSORED_PRODUCTS')
  return {
    shown: learn('SPONSORED_PRODUCTS'),
    ...(others.length > 0 && { shownBy: Object.fromEntries(others.map(one => [one, learn(one)])) }),
  }
}

/** So many days after a click its orders count. */
export const windowOf = (adType: string, { accountType }: Pick<Profile, 'accountType'>): number =>
  adType === 'SPONSORED_PRODUCTS' ? attributionDays[accountType] : attributionDays.vendor

const videos: readonly (string | null)[] = ['VIDEO', 'BRAND_VIDEO']

/** What the marketplace's limits of a campaign's bids and budget depend on. */
export function adTermsOf(
  { id, adType, costType }: Pick<Holdings['campaigns'][number], 'id' | 'adType' | 'costType'>,
  ads: Holdings['ads'],
): { adType: AdType; costType: CampaignFacts['costType']; isVideo: boolean } {
  const isVideo = ads.some(ad => ad.campaignId === id && videos.includes(ad.format))
  return { adType: adType as AdType, costType: costType === 'VCPM' ? 'VCPM' : 'CPC', isVideo }
}

/** By how many percent bids are raised at the top of search. */
export const topRaiseOf = ({
  placements,
}: {
  placements: readonly { placement: string; percentage: number }[]
}): number => placements.find(one => one.placement === topOfSearch)?.percentage ?? 0

const kindOf = ({ kind, expression }: Holdings['targets'][number]): TargetFacts['kind'] => {
  if (kind === 'KEYWORD') return 'keyword'
  if (kind === 'AUTO') return 'auto'
  if (kind === 'AUDIENCE') return 'audience'
  return expression?.some(({ type }) => type === 'ASIN_SAME_AS') ? 'product' : 'category'
}

/** What a keyword or target is found by: its words, or the ASIN of a product. */
export function textOf(target: Holdings['targets'][number]): string {
  if (target.kind === 'KEYWORD') return normalTerm(target.text)
  const [product] = (target.expression ?? []).flatMap(({ type, value }) =>
    type === 'ASIN_SAME_AS' && typeof value === 'string' ? value.toUpperCase() : [],
  )
  return product ?? ''
}

function targetsOf(
  { campaigns, adGroups, targets }: Holdings,
  days: ReadonlyMap<number, DayRow[]>,
  impressions: ReadonlyMap<number, number>,
  familyOf: ReadonlyMap<number, string>,
  highs: ReadonlyMap<string, number>,
): TargetFacts[] {
  const enabled = new Set(campaigns.filter(one => one.state === 'ENABLED').map(one => one.id))
  const groups = new Map(adGroups.map(group => [group.id, group]))
  return targets.flatMap(target => {
    const group = groups.get(target.adGroupId)
    const bid = target.bid ?? group?.defaultBid
    if (!group || bid === null || bid === undefined) return []
    const { matchType } = target
    return {
      id: String(target.id),
      campaignId: String(target.campaignId),
      adGroupId: String(target.adGroupId),
      familyId: familyOf.get(group.id) ?? '',
      kind: kindOf(target),
      matchType: matchType === 'EXACT' || matchType === 'PHRASE' || matchType === 'BROAD' ? matchType : null,
      text: textOf(target),
      bidMicros: toMicros(bid),
      isEnabled:
        target.state === 'ENABLED' && group.state === 'ENABLED' && enabled.has(target.campaignId) && isThere(target),
      suggestedHighMicros: highs.get(String(target.id)) ?? null,
      impressions: impressions.get(target.id) ?? 0,
      days: days.get(target.id) ?? [],
    }
  })
}

function termsOf(
  found: readonly TermRow[],
  { negatives, adGroups }: Holdings,
  targets: readonly TargetFacts[],
  familyOf: ReadonlyMap<number, string>,
): TermFacts[] {
  const taken = new Set(
    targets
      .filter(one => one.matchType === 'EXACT' || one.kind === 'product')
      .map(one => `${one.familyId} ${one.text}`),
  )
  const heldGroups = new Set(adGroups.map(one => one.id))
  const ids = new Set(targets.map(one => one.id))
  const isNegated = negativesBy(negatives)
  return found.flatMap(({ term, targetId, campaignId, adGroupId, days }): TermFacts[] => {
    if (!heldGroups.has(adGroupId) || !ids.has(String(targetId))) return []
    const isPage = isAsin(term)
    const text = isPage ? term.toUpperCase() : normalTerm(term)
    const familyId = familyOf.get(adGroupId) ?? ''
    return [
      {
        text,
        isAsin: isPage,
        targetId: String(targetId),
        campaignId: String(campaignId),
        adGroupId: String(adGroupId),
        familyId,
        isNegated: isNegated(text, campaignId, adGroupId),
        isTargeted: taken.has(`${familyId} ${text}`),
        days,
      },
    ]
  })
}

function negativesBy(negatives: Holdings['negatives']) {
  const exact = new Set<string>()
  const phrases = new Map<string, string[]>()
  for (const { campaignId, adGroupId, kind, matchType, text, expression } of negatives) {
    const place = `${campaignId} ${adGroupId ?? ''}`
    if (kind === 'PRODUCT') {
      for (const { type, value } of expression ?? [])
        if (type === 'ASIN_SAME_AS' && typeof value === 'string') exact.add(`${place} ${value.toUpperCase()}`)
    } else if (matchType === 'NEGATIVE_PHRASE')
      phrases.set(place, [...(phrases.get(place) ?? []), ` ${normalTerm(text)} `])
    else exact.add(`${place} ${normalTerm(text)}`)
  }
  return (text: string, campaignId: number, adGroupId: number): boolean =>
    [`${campaignId} ${adGroupId}`, `${campaignId} `].some(
      place => exact.has(`${place} ${text}`) || phrases.get(place)?.some(phrase => ` ${text} `.includes(phrase)),
    )
}

interface BudgetChange {
  at: Date
  before: number | null
}

/** What budgets were before they were changed, the latest change first, by campaign. */
async function earlierBudgets(
  tx: Db,
  { merchantId }: Profile,
  campaignIds: readonly number[],
  from: string,
): Promise<Map<number, BudgetChange[]>> {
  const { rows } = await sql<BudgetChange & { campaignId: number }>`select campaign_id as "campaignId", at, before
    from entity_change where merchant_id = ${merchantId} and campaign_id = any(${campaignIds}::bigint[])
      and entity = 'campaign' and field = 'budget' and at >= ${from}::date order by at desc, id desc`.execute(tx)
  return Map.groupBy(rows, row => row.campaignId)
}

/** What the budget was at the end of a day. */
function budgetsBy(changes: readonly BudgetChange[], nowMicros: Micros, timezone: string): (day: string) => Micros {
  const days = changes.map(({ at, before }) => ({ day: dayIn(at, timezone), before }))
  return day => {
    // The earliest change after the day says what it was on it.
    const next = days.findLast(one => one.day > day)
    return next?.before === undefined || next.before === null ? nowMicros : toMicros(next.before)
  }
}
