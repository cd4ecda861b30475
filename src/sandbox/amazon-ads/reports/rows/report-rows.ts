import type { Profile } from '../../../core/model/store.ts'
import type { World } from '../../../core/world.ts'
import type { Fact, Purchase } from '../../../market/market.ts'
import type { ReportConfiguration, ReportRequest } from '../report-request.ts'
import type { AdProduct } from '../../../market/market.ts'
import { reportTypes } from '../types/report-types.ts'
import { createSubjects, type Subject, type Subjects } from './subject.ts'
import { addFact, addPurchases, emptySums, type Sums } from './sums.ts'

/** One row before it is written: a fact that its names come from, and its sums. */
export interface ReportRow extends Sums {
  fact: Fact
  subject: Subject
  /** Empty in a summary. */
  date: string
  /** Only in reports of purchased products. */
  purchased: { asin: string; sameSku: boolean } | null
}

const keyParts: Record<string, (fact: Fact) => string> = {
  campaign: fact => fact.campaignId,
  adGroup: fact => fact.adGroupId,
  campaignPlacement: fact => `${fact.campaignId}/${fact.placement}`,
  targeting: fact => `${fact.adGroupId}/${fact.targetId}`,
  searchTerm: fact => `${fact.adGroupId}/${fact.targetId}/${fact.searchTerm}`,
  advertiser: fact => fact.adId,
  ads: fact => fact.adId,
  asin: fact => `${fact.adId}/${fact.targetId}`,
  purchasedAsin: fact => fact.adGroupId,
  matchedTarget: fact => fact.searchTerm,
}
// The placement report has a row for each placement, whichever of its two names it is grouped by.
const keyPartOf = (reportTypeId: string, group: string): ((fact: Fact) => string) =>
  (reportTypeId === 'sbCampaignPlacement' ? keyParts.campaignPlacement : keyParts[group]) ?? (() => '')

const filterValue: Record<string, (fact: Fact, subject: Subject) => string | undefined> = {
  campaignStatus: (_fact, { campaign }) => campaign.state,
  adStatus: (_fact, { adGroup }) => adGroup?.state,
  adKeywordStatus: (_fact, { clause }) => clause?.state,
  adCreativeStatus: (_fact, { ad }) => ad?.state,
  campaignSite: fact => (fact.placement === 'SITE_AMAZON_BUSINESS' ? 'AmazonBusiness' : 'Amazon'),
  keywordType: (_fact, { clause }) => clause?.type,
}

function passes(fact: Fact, subjects: Subjects, filters: ReportConfiguration['filters']): boolean {
  const subject = filters && subjects.of(fact)
  if (!subject) return filters === null
  return filters.every(({ field, values }) => values.includes(filterValue[field]?.(fact, subject) ?? ''))
}

/** The orders that a report of purchased products counts; undefined: it is another report. */
const countedPurchases: Record<string, (purchase: Purchase) => boolean> = {
  spPurchasedProduct: purchase => !purchase.sameSku,
  sbPurchasedProduct: () => true,
  sdPurchasedProduct: purchase => !purchase.sameSku,
}

class Rows {
  readonly all = new Map<string, ReportRow>()
  private readonly subjects: Subjects

  constructor(subjects: Subjects) {
    this.subjects = subjects
  }

  at(key: string, fact: Fact, date: string, purchased: ReportRow['purchased']): ReportRow | null {
    const existing = this.all.get(key)
    if (existing) return existing
    const subject = this.subjects.of(fact)
    if (!subject) return null
    const row = { ...emptySums(), fact, subject, date, purchased }
    this.all.set(key, row)
    return row
  }
}

/** The rows of a report, as the marketplace knew its facts at `asOf`. */
export function reportRows(world: World, profile: Profile, request: ReportRequest, asOf: Date): ReportRow[] {
  const { groupBy, filters, timeUnit, reportTypeId } = request.configuration
  const adProduct: AdProduct = reportTypes[reportTypeId]?.adProduct ?? 'SPONSORED_PRODUCTS'
  const subjects = createSubjects(world.store)
  const rows = new Rows(subjects)
  const parts = groupBy.map(group => keyPartOf(reportTypeId, group))
  const countsPurchase = countedPurchases[reportTypeId]
  // This report covers campaigns that raise bids for an audience, which none does here.
  if (groupBy.includes('campaign_bid_boost_segment')) return []
  const { startDate, endDate } = request
  for (const fact of world.market().facts(profile.profileId, startDate, endDate, asOf, adProduct)) {
    if (!passes(fact, subjects, filters)) continue
    const date = timeUnit === 'DAILY' ? fact.day : ''
    let key = date
    for (const part of parts) key += `|${part(fact)}`
    if (countsPurchase) {
      for (const purchase of fact.purchases) {
        const { asin, sameSku } = purchase
        if (countsPurchase(purchase))
          addPurchase(rows.at(`${key}|${asin}|${sameSku}`, fact, date, { asin, sameSku }), purchase)
      }
      continue
    }
    const row = rows.at(key, fact, date, null)
    if (row) addFact(row, fact, adProduct === 'SPONSORED_PRODUCTS' ? null : (subjects.of(fact)?.ad ?? { video: false }))
  }
  const all = [...rows.all.values()]
  // The search-term report omits terms without a click.
  return groupBy.includes('searchTerm') ? all.filter(row => row.clicks > 0) : all
}

const addPurchase = (row: ReportRow | null, purchase: Purchase): void => {
  if (row) addPurchases(row, [purchase])
}
