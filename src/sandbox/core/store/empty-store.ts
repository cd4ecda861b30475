import { TrackedMap } from './tracked-map.ts'
import type { Store } from '../model/store.ts'

/** Books in which nobody has written yet. */
export const emptyStore = (): Store => ({
  logins: [],
  sellers: new TrackedMap(),
  profiles: new TrackedMap(),
  products: new TrackedMap(),
  campaigns: new TrackedMap(),
  adGroups: new TrackedMap(),
  productAds: new TrackedMap(),
  keywords: new TrackedMap(),
  targets: new TrackedMap(),
  negativeKeywords: new TrackedMap(),
  negativeTargets: new TrackedMap(),
  portfolios: new TrackedMap(),
  brandCampaigns: new TrackedMap(),
  brandAdGroups: new TrackedMap(),
  brandAds: new TrackedMap(),
  brandKeywords: new TrackedMap(),
  brandNegativeKeywords: new TrackedMap(),
  brandTargets: new TrackedMap(),
  brandNegativeTargets: new TrackedMap(),
  displayCampaigns: new TrackedMap(),
  displayAdGroups: new TrackedMap(),
  displayAds: new TrackedMap(),
  displayTargets: new TrackedMap(),
  displayNegativeTargets: new TrackedMap(),
})
