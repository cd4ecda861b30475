import { bidAdvice } from './advice/bid-advice.ts'
import { categoryCalls } from './advice/categories.ts'
import { keywordAdvice } from './advice/keyword-advice.ts'
import { productAdvice } from './advice/product-advice.ts'
import { targetAdvice } from './advice/target-advice.ts'
import { accountRecommendations } from './budgets/account-recommendations.ts'
import { budgetCalls } from './budgets/budget-calls.ts'
import type { Call } from './calls.ts'
import { localizationCalls } from './localization/localization.ts'
import { portfolioCalls } from './portfolios/portfolios.ts'
import { brandAdCalls } from './sponsored-brands/brand-ads.ts'
import { brandCampaignCalls } from './sponsored-brands/brand-campaigns.ts'
import { brandCalls } from './sponsored-brands/brands.ts'
import { brandClauseCalls } from './sponsored-brands/clauses.ts'
import { displayCampaignCalls } from './sponsored-display/display-campaigns.ts'
import { displayTargetingCalls } from './sponsored-display/display-targeting.ts'
import { campaignCalls } from './sponsored-products/campaigns.ts'
import { clauseCalls } from './sponsored-products/clauses.ts'
import { productAdCalls } from './sponsored-products/product-ads.ts'

/** The entities of the three ad products, their portfolios and budgets, and what the vendor advises about them. */
// biome-ignore format: one family a line
export const calls: readonly Call[] = [
  ...campaignCalls, ...productAdCalls, ...clauseCalls,
  ...brandCalls, ...brandCampaignCalls, ...brandAdCalls, ...brandClauseCalls,
  ...displayCampaignCalls, ...displayTargetingCalls,
  ...portfolioCalls, ...budgetCalls, ...accountRecommendations,
  keywordAdvice, ...targetAdvice, bidAdvice, ...productAdvice, ...categoryCalls, ...localizationCalls,
]
