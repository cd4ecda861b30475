import type * as ads from '#integrations/amazon-ads/index.ts'
import type { Profile } from '#features/accounts/server/public.ts'
import type { Services } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import { entities, type EntityName } from '../../contract.ts'
import { idsOf } from '../sql/find-rows.ts'
import { markGone, type Mirrored, saveMirrored } from '../sql/save-mirrored.ts'

const states: ads.EntityState[] = ['ENABLED', 'PAUSED', 'ARCHIVED']

export interface ImportProgress {
  /** Ends the import between two pages. */
  signal: AbortSignal
  /** Called before each part: how much is done, 0 to 1, what comes next, and of which days where it has any. */
  onProgress: (share: number, what: string, days?: { from: string; to: string }) => Promise<void>
}

interface Kind {
  entity: EntityName
  what: string
  pages: (ads: ads.ProfileAds) => AsyncGenerator<Mirrored[], void, undefined>
}

async function* mapped<E>(pages: AsyncGenerator<E[], void, undefined>, toMirrored: (entity: E) => Mirrored) {
  for await (const page of pages) yield page.map(toMirrored)
}

// Parents first. Kinds that share a table come from two lists each.
const kinds: readonly Kind[] = [
  {
    entity: 'campaign',
    what: 'campaigns',
    pages: ads => mapped(ads.campaigns.pages({ states, extended: true }), mirrored.campaigns),
  },
  { entity: 'adGroup', what: 'ad groups', pages: ads => mapped(ads.adGroups.pages({ states }), mirrored.adGroups) },
  { entity: 'ad', what: 'ads', pages: ads => mapped(ads.productAds.pages({ states }), mirrored.productAds) },
  { entity: 'target', what: 'keywords', pages: ads => mapped(ads.keywords.pages({ states }), mirrored.keywords) },
  { entity: 'target', what: 'targets', pages: ads => mapped(ads.targets.pages({ states }), mirrored.targets) },
  {
    entity: 'negative',
    what: 'negative keywords',
    pages: ads => mapped(ads.negativeKeywords.pages({ states }), mirrored.negativeKeywords),
  },
  {
    entity: 'negative',
    what: 'negative keywords of campaigns',
    pages: ads => mapped(ads.campaignNegativeKeywords.pages({ states }), mirrored.negativeKeywords),
  },
  {
    entity: 'negative',
    what: 'negative targets',
    pages: ads => mapped(ads.negativeTargets.pages({ states }), mirrored.negativeTargets),
  },
  {
    entity: 'negative',
    what: 'negative targets of campaigns',
    pages: ads => mapped(ads.campaignNegativeTargets.pages({ states }), mirrored.negativeTargets),
  },
]

/**
 * Mirrors the whole structure of an advertising account, page by page, each in its own transaction. It may be broken off
 * and run again at any point; a second run over an unchanged account changes nothing. Rows that the marketplace no longer
 * lists are marked as gone once everything was read. Returns how many rows were added or changed.
 */
export async function importStructure(
  services: Services,
  profile: Profile,
  { signal, onProgress }: ImportProgress,
): Promise<number> {
  const { db, clock } = services
  const ads = services.integrations.amazonAds.forProfile({
    connectionId: profile.connectionId,
    region: profile.region,
    profileId: profile.amazonProfileId,
  })
  const began = clock.now()
  const listed = new Map<EntityName, string[]>()
  let changed = 0
  for (const [i, { entity, what, pages }] of kinds.entries()) {
    await onProgress(i / kinds.length, what)
    const ids = listed.get(entity) ?? []
    listed.set(entity, ids)
    // A page is requested when the loop wants it, and not before.
    let nextAskedAt = clock.now()
    for await (const items of pages(ads)) {
      signal.throwIfAborted()
      const askedAt = nextAskedAt
      for (const item of items) ids.push(item.amazonId)
      changed += await db.tenant(profile.merchantId, tx =>
        saveMirrored(tx, entity, profile, items, clock.now(), { askedAt }),
      )
      nextAskedAt = clock.now()
    }
  }
  for (const entity of Object.keys(entities) as EntityName[])
    changed += await db.tenant(profile.merchantId, tx => markGone(tx, entity, profile, listed.get(entity) ?? [], began))
  return changed
}

/** What was created at the marketplace, as it is there now. */
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
 * Adds what was just created to the mirror, in the caller's transaction, so that it shows before the next import. Doing
 * it again changes nothing. With `update` STATE only the state of existing rows is saved: the rest may have been edited
 * since. Returns our ids of the campaigns by the marketplace's.
 */
export async function saveCreated(
  tx: Db,
  profile: Profile,
  created: Created,
  at: Date,
  update: 'ALL' | 'STATE' = 'ALL',
): Promise<Map<string, number>> {
  const campaigns = created.campaigns.map(mirrored.campaigns)
  const parts: [EntityName, Mirrored[]][] = [
    ['campaign', campaigns],
    ['adGroup', created.adGroups.map(mirrored.adGroups)],
    ['ad', created.productAds.map(mirrored.productAds)],
    ['target', [...created.keywords.map(mirrored.keywords), ...created.targets.map(mirrored.targets)]],
    ['negative', created.negativeKeywords.map(mirrored.negativeKeywords)],
    ['negative', created.negativeTargets.map(mirrored.negativeTargets)],
  ]
  for (const [entity, items] of parts) await saveMirrored(tx, entity, profile, items, at, { update })
  return idsOf(
    tx,
    'campaign',
    profile,
    campaigns.map(c => c.amazonId),
  )
}

/** What people read of a target: its products or groups by name. */
function targetText({ expression, resolvedExpression }: Pick<ads.Target, 'expression' | 'resolvedExpression'>): string {
  const shown = resolvedExpression.length ? resolvedExpression : expression
  return shown.map(part => (part.value === null ? part.type : `${part.type}: ${part.value}`)).join(', ')
}

/** The port's entities with their id under one name, and clauses of every kind in one form. */
const mirrored = {
  campaigns: (c: ads.Campaign): Mirrored => ({ ...c, amazonId: c.campaignId }),
  adGroups: (g: ads.AdGroup): Mirrored => ({ ...g, amazonId: g.adGroupId }),
  productAds: (ad: ads.ProductAd): Mirrored => ({ ...ad, amazonId: ad.adId }),
  keywords: (k: ads.Keyword): Mirrored => ({ ...k, amazonId: k.keywordId, kind: 'KEYWORD', expression: null }),
  targets: (t: ads.Target): Mirrored => ({
    ...t,
    amazonId: t.targetId,
    kind: t.expressionType === 'AUTO' ? 'AUTO' : 'PRODUCT',
    text: targetText(t),
    matchType: null,
  }),
  negativeKeywords: (n: ads.NegativeKeyword): Mirrored => ({
    ...n,
    amazonId: n.keywordId,
    kind: 'KEYWORD',
    expression: null,
  }),
  negativeTargets: (n: ads.NegativeTarget): Mirrored => ({
    ...n,
    amazonId: n.targetId,
    kind: 'PRODUCT',
    text: targetText(n),
    matchType: null,
  }),
}
