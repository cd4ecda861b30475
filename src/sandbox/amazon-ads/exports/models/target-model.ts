import type { Dated, EntityState } from '../../../core/model/entity.ts'
import type { AdProduct } from '../../../market/market.ts'
import { parentReasons } from './ad-model.ts'
import { bidIn, type CommonModel, dates, delivery, type ModelContext, stateReasons } from './export-context.ts'
import { expressionDetails, keywordDetails, type TargetDetails } from './target-details.ts'

/** A target in the common model, with what its export filters by. */
export interface TargetModel extends CommonModel {
  negative: boolean
  targetType: string
}

interface Targeting extends Dated {
  campaignId: string
  adGroupId: string | null
  state: EntityState
  bidMicros?: number | null
}

function common(
  adProduct: AdProduct,
  targetId: string,
  targeting: Targeting,
  { targetType, targetDetails }: TargetDetails,
  context: ModelContext,
): TargetModel {
  const { campaignId, adGroupId, state, bidMicros } = targeting
  return {
    targetId,
    // The campaign is named only where a target belongs to the whole of it.
    ...(adGroupId === null ? { campaignId } : { adGroupId }),
    adProduct,
    state,
    negative: bidMicros === undefined,
    ...bidIn(context.profile, 'bid', bidMicros ?? null),
    targetType,
    targetDetails,
    ...delivery([...parentReasons(context, campaignId, adGroupId), ...stateReasons('TARGET', state)]),
    ...dates(targeting),
  }
}

/** Keywords, targets and negatives of the profile, of all ad products, in the common model. */
export function targetModels(context: ModelContext): TargetModel[] {
  const {
    own,
    world: { store },
  } = context
  type Keyword = Targeting & { keywordId: string; keywordText: string; matchType: string }
  type Expressed = Targeting & { targetId: string; expression: Parameters<typeof expressionDetails>[1] }
  const keywords = (product: AdProduct, all: readonly Keyword[]): TargetModel[] =>
    all.map(keyword => common(product, keyword.keywordId, keyword, keywordDetails(keyword), context))
  const targets = (product: AdProduct, all: readonly Expressed[]): TargetModel[] =>
    all.map(target => common(product, target.targetId, target, expressionDetails(store, target.expression), context))
  return [
    ...keywords('SPONSORED_PRODUCTS', own(store.keywords)),
    ...targets('SPONSORED_PRODUCTS', own(store.targets)),
    ...keywords('SPONSORED_PRODUCTS', own(store.negativeKeywords)),
    ...targets('SPONSORED_PRODUCTS', own(store.negativeTargets)),
    ...keywords('SPONSORED_BRANDS', own(store.brandKeywords)),
    ...targets('SPONSORED_BRANDS', own(store.brandTargets)),
    ...keywords('SPONSORED_BRANDS', own(store.brandNegativeKeywords)),
    ...targets('SPONSORED_BRANDS', own(store.brandNegativeTargets)),
    ...targets('SPONSORED_DISPLAY', own(store.displayTargets)),
    ...targets('SPONSORED_DISPLAY', own(store.displayNegativeTargets)),
  ]
}
