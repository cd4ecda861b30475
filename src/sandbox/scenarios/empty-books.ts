import type { Books } from '../core/model.ts'

/** Books in which nobody has written yet. */
export const emptyBooks = (): Books => ({
  logins: [],
  sellers: new Map(),
  profiles: new Map(),
  products: new Map(),
  campaigns: new Map(),
  adGroups: new Map(),
  productAds: new Map(),
  keywords: new Map(),
  targets: new Map(),
  negativeKeywords: new Map(),
  negativeTargets: new Map(),
  portfolios: new Map(),
  brandCampaigns: new Map(),
  brandAdGroups: new Map(),
  brandAds: new Map(),
  brandKeywords: new Map(),
  brandNegativeKeywords: new Map(),
  brandTargets: new Map(),
  brandNegativeTargets: new Map(),
  displayCampaigns: new Map(),
  displayAdGroups: new Map(),
  displayAds: new Map(),
  displayTargets: new Map(),
  displayNegativeTargets: new Map(),
})
