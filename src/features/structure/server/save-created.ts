import type { Profile } from '#features/accounts/server/public.ts'
import type * as ads from '#integrations/amazon-ads/index.ts'
import type { Db } from '#server/db/tables.ts'
import { mirrorRows } from './import/mirror-rows.ts'
import { idsOf } from './sql/ids-of.ts'
import { type Told, upsertMirror } from './sql/upsert-mirror.ts'

/** What was made at the marketplace, as it holds it now. */
export interface Created {
  campaigns: readonly ads.Campaign[]
  adGroups: readonly ads.AdGroup[]
  productAds: readonly ads.ProductAd[]
  keywords: readonly ads.Keyword[]
  targets: readonly ads.Target[]
  negativeKeywords: readonly ads.NegativeKeyword[]
  negativeTargets: readonly ads.NegativeTarget[]
}

/**
 * Adds what was just made to the mirror, in the caller's transaction, so that it is seen before the next import. Doing
 * it again changes nothing; of what was added before and may have been edited since, only the state is `told`. Returns our ids of the campaigns by the marketplace's.
 */
export const saveCreated = async (
  tx: Db,
  profile: Profile,
  created: Created,
  at: Date,
  told: Told = 'ALL',
): Promise<Map<string, number>> => {
  await upsertMirror(tx, 'campaign', profile, created.campaigns.map(mirrorRows.campaign), at, null, told)
  await upsertMirror(tx, 'ad_group', profile, created.adGroups.map(mirrorRows.adGroup), at, null, told)
  await upsertMirror(tx, 'product_ad', profile, created.productAds.map(mirrorRows.productAd), at, null, told)
  await upsertMirror(
    tx,
    'target',
    profile,
    [...created.keywords.map(mirrorRows.keyword), ...created.targets.map(mirrorRows.target)],
    at,
    null,
    told,
  )
  const negatives = [
    ...created.negativeKeywords.map(mirrorRows.negativeKeyword),
    ...created.negativeTargets.map(mirrorRows.negativeTarget),
  ]
  await upsertMirror(tx, 'negative', profile, negatives, at, null, told)
  return idsOf(
    tx,
    'campaign',
    profile,
    created.campaigns.map(c => c.campaignId),
  )
}
