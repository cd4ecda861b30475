import type { TargetMatch } from '../../templates.ts'
import type { ItemOutcome, Predicate, Target } from '#integrations/amazon-ads/index.ts'
import type { LaunchRun } from '../run/launch-run.ts'
import { normalTerm } from '../../chosen-terms.ts'
import { campaignIdsOf, contentOf, matchBy, type PlacedItem, type StepDriver } from './step-driver.ts'

function under({ campaignId, adGroupId }: PlacedItem) {
  return {
    campaignId,
    adGroupId,
    state: 'ENABLED' as const,
  }
}

/** Ad groups; they run when their campaign does. */
export const adGroupStep: StepDriver = {
  name: 'AD_GROUPS',
  send: (run, items) =>
    run.ads.adGroups.create(
      items.map(item => {
        const { name, defaultBidMicros } = contentOf(item, 'AD_GROUP')
        return { campaignId: item.campaignId, name, defaultBidMicros, state: 'ENABLED' }
      }),
    ),
  find: async (run, items) =>
    matchBy(
      items,
      await run.ads.adGroups.all({ campaignIds: campaignIdsOf(items) }),
      item => `${item.campaignId} ${contentOf(item, 'AD_GROUP').name}`,
      group => `${group.campaignId} ${group.name}`,
      group => group.adGroupId,
    ),
}

/** Product ads: sellers advertise a sku, vendors an asin. */
export const productAdStep: StepDriver = {
  name: 'PRODUCT_ADS',
  send: (run, items) =>
    run.ads.productAds.create(
      items.map(item => {
        const { asin, sku } = contentOf(item, 'PRODUCT_AD')
        return { ...under(item), ...(run.profile.accountType === 'vendor' ? { asin } : { sku }) }
      }),
    ),
  find: async (run, items) => {
    const vendor = run.profile.accountType === 'vendor'
    return matchBy(
      items,
      await run.ads.productAds.all({ campaignIds: campaignIdsOf(items) }),
      item => {
        const { asin, sku } = contentOf(item, 'PRODUCT_AD')
        return `${item.adGroupId} ${vendor ? asin : sku}`
      },
      ad => `${ad.adGroupId} ${vendor ? ad.asin : ad.sku}`,
      ad => ad.adId,
    )
  },
}

/** Keywords with their bids. */
export const keywordStep: StepDriver = {
  name: 'KEYWORDS',
  send: (run, items) =>
    run.ads.keywords.create(
      items.map(item => {
        const { text, matchType, bidMicros } = contentOf(item, 'KEYWORD')
        return { ...under(item), text, matchType, bidMicros }
      }),
    ),
  find: async (run, items) =>
    matchBy(
      items,
      await run.ads.keywords.all({ campaignIds: campaignIdsOf(items) }),
      item => {
        const { text, matchType } = contentOf(item, 'KEYWORD')
        return `${item.adGroupId} ${matchType} ${normalTerm(text)}`
      },
      keyword => `${keyword.adGroupId} ${keyword.matchType} ${normalTerm(keyword.text)}`,
      keyword => keyword.keywordId,
    ),
}

const notYet: ItemOutcome<never> = {
  ok: false,
  reason: 'NOT_YET',
  selector: 'transport',
  location: null,
  message: 'The automatic target has not appeared yet.',
  retryable: true,
}

async function autoTargets(
  run: LaunchRun,
  items: readonly PlacedItem[],
  isWanted: (target: Target, item: PlacedItem) => boolean = () => true,
): Promise<Map<number, string>> {
  const listed = await run.ads.targets.all({ campaignIds: campaignIdsOf(items) })
  const byGroup = new Map(
    listed
      .filter(target => target.expressionType === 'AUTO')
      .map(target => [`${target.adGroupId} ${target.expression[0]?.type}`, target]),
  )
  return new Map(
    items.flatMap(item => {
      const target = byGroup.get(`${item.adGroupId} ${contentOf(item, 'AUTO_TARGET').group}`)
      return target && isWanted(target, item) ? [[item.no, target.targetId] as const] : []
    }),
  )
}

/** The four groups of automatic targeting appear with their ad group; they are found and get their bids. */
export const autoTargetStep: StepDriver = {
  name: 'AUTO_TARGETS',
  isRepeatable: true,
  find: (run, items) =>
    autoTargets(
      run,
      items,
      (target, item) => target.state === 'ENABLED' && target.bidMicros === contentOf(item, 'AUTO_TARGET').bidMicros,
    ),
  send: async (run, items) => {
    const ids = await autoTargets(run, items)
    const there = items.filter(item => ids.has(item.no))
    if (!there.length) return items.map(() => notYet)
    const outcomes = await run.ads.targets.update(
      there.map(item => ({
        targetId: ids.get(item.no) ?? '',
        bidMicros: contentOf(item, 'AUTO_TARGET').bidMicros,
        state: 'ENABLED',
      })),
    )
    const byNo = new Map(there.map((item, i) => [item.no, outcomes[i]]))
    return items.map(item => byNo.get(item.no) ?? notYet)
  },
}

const expressionTypes: Record<TargetMatch, string> = {
  CATEGORY: 'ASIN_CATEGORY_SAME_AS',
  PRODUCT_EXACT: 'ASIN_SAME_AS',
  PRODUCT_SIMILAR: 'ASIN_EXPANDED_FROM',
}

/** What a product target says at the marketplace. */
export function expressionOf(match: TargetMatch, value: string): Predicate[] {
  return [{ type: expressionTypes[match], value }]
}
const expressionKey = (expression: readonly Predicate[]) => expression.map(p => `${p.type}=${p.value}`).join('&')

/** Categories and products to target. */
export const productTargetStep: StepDriver = {
  name: 'PRODUCT_TARGETS',
  send: (run, items) =>
    run.ads.targets.create(
      items.map(item => {
        const { match, value, bidMicros } = contentOf(item, 'PRODUCT_TARGET')
        return { ...under(item), expression: expressionOf(match, value), bidMicros }
      }),
    ),
  find: async (run, items) =>
    matchBy(
      items,
      await run.ads.targets.all({ campaignIds: campaignIdsOf(items) }),
      item => {
        const { match, value } = contentOf(item, 'PRODUCT_TARGET')
        return `${item.adGroupId} ${expressionKey(expressionOf(match, value))}`
      },
      target => `${target.adGroupId} ${expressionKey(target.expression)}`,
      target => target.targetId,
    ),
}

/** Negative keywords of an ad group. */
export const negativeKeywordStep: StepDriver = {
  name: 'NEGATIVE_KEYWORDS',
  send: (run, items) =>
    run.ads.negativeKeywords.create(
      items.map(item => {
        const { text, matchType = 'NEGATIVE_EXACT' } = contentOf(item, 'NEGATIVE_KEYWORD')
        return { ...under(item), text, matchType }
      }),
    ),
  find: async (run, items) =>
    matchBy(
      items,
      await run.ads.negativeKeywords.all({ campaignIds: campaignIdsOf(items) }),
      item => {
        const { text, matchType = 'NEGATIVE_EXACT' } = contentOf(item, 'NEGATIVE_KEYWORD')
        return `${item.adGroupId} ${matchType} ${normalTerm(text)}`
      },
      negative => `${negative.adGroupId} ${negative.matchType} ${normalTerm(negative.text)}`,
      negative => negative.keywordId,
    ),
}
