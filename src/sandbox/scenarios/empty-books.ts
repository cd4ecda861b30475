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
})
