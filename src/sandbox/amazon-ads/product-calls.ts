import { bidAdvice } from './advice/bid-advice.ts'
import { categoryCalls } from './advice/categories.ts'
import { keywordAdvice } from './advice/keyword-advice.ts'
import { productAdvice } from './advice/product-advice.ts'
import { targetAdvice } from './advice/target-advice.ts'
import { accountRecommendations } from './budgets/account-recommendations.ts'
import { budgetCalls } from './budgets/budget-calls.ts'
import type { Call } from './calls.ts'
import { arrayCalls } from './entities/array-calls.ts'
import { batchCalls } from './entities/batch-calls.ts'
import { localizationCalls } from './localization/localization.ts'
import { portfolios } from './portfolios/portfolios.ts'
import { brandAds } from './sponsored-brands/brand-ads.ts'
import { brandAdGroups, brandCampaigns } from './sponsored-brands/brand-campaigns.ts'
import { brandCalls } from './sponsored-brands/brands.ts'
import { brandKeywords, brandNegativeKeywords, brandNegativeTargets, brandTargets } from './sponsored-brands/clauses.ts'
import { envelopeCalls } from './sponsored-brands/envelope-calls.ts'
import { displayAdGroups, displayCampaigns } from './sponsored-display/display-campaigns.ts'
import { displayAds, displayNegativeTargets, displayTargets } from './sponsored-display/display-targeting.ts'
import { adGroups, campaigns } from './sponsored-products/campaigns.ts'
import {
  campaignNegativeKeywords,
  campaignNegativeTargets,
  keywords,
  negativeKeywords,
  negativeTargets,
  targets,
} from './sponsored-products/clauses.ts'
import { productAds } from './sponsored-products/product-ads.ts'

/** The entities of the three ad products, their portfolios and budgets, and what the vendor advises about them. */
// biome-ignore format: one family a line
export const calls: readonly Call[] = [
  ...[
    campaigns, adGroups, productAds, keywords, negativeKeywords, campaignNegativeKeywords, targets, negativeTargets,
    campaignNegativeTargets,
    brandCampaigns, brandAdGroups, brandAds,
    portfolios,
  ].flatMap(batchCalls),
  ...[
    brandKeywords, brandNegativeKeywords,
    displayCampaigns, displayAdGroups, displayAds, displayTargets, displayNegativeTargets,
  ].flatMap(arrayCalls),
  ...[brandTargets, brandNegativeTargets].flatMap(envelopeCalls),
  keywordAdvice, ...targetAdvice, bidAdvice, ...productAdvice, ...categoryCalls,
  ...budgetCalls, ...accountRecommendations, ...brandCalls, ...localizationCalls,
]
