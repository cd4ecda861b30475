import type { Profile } from '#features/accounts/server/public.ts'
import type { EntityState, ProfileAds } from '#integrations/amazon-ads/index.ts'
import type { Services } from '#server/context.ts'
import { markGone } from '../sql/mark-gone.ts'
import type { MirrorTable } from '../sql/ids-of.ts'
import { type MirrorRow, upsertMirror } from '../sql/upsert-mirror.ts'
import { mirrorRows } from './mirror-rows.ts'

const states: EntityState[] = ['ENABLED', 'PAUSED', 'ARCHIVED']

export interface ImportProgress {
  /** Ends the import between two pages. */
  signal: AbortSignal
  /** Told after each kind: how much is done, 0 to 1, and what. */
  onProgress: (share: number, what: string) => Promise<void>
}

interface Kind {
  table: MirrorTable
  what: string
  pages: (ads: ProfileAds) => AsyncGenerator<MirrorRow[], void, undefined>
}

async function* mapped<E>(pages: AsyncGenerator<E[], void, undefined>, toRow: (entity: E) => MirrorRow) {
  for await (const page of pages) yield page.map(toRow)
}

// Parents first. Kinds that share a table come from two lists each.
const kinds: readonly Kind[] = [
  {
    table: 'campaign',
    what: 'campaigns',
    pages: ads => mapped(ads.campaigns.pages({ states, extended: true }), mirrorRows.campaign),
  },
  { table: 'ad_group', what: 'ad groups', pages: ads => mapped(ads.adGroups.pages({ states }), mirrorRows.adGroup) },
  { table: 'product_ad', what: 'ads', pages: ads => mapped(ads.productAds.pages({ states }), mirrorRows.productAd) },
  { table: 'target', what: 'keywords', pages: ads => mapped(ads.keywords.pages({ states }), mirrorRows.keyword) },
  { table: 'target', what: 'targets', pages: ads => mapped(ads.targets.pages({ states }), mirrorRows.target) },
  {
    table: 'negative',
    what: 'negative keywords',
    pages: ads => mapped(ads.negativeKeywords.pages({ states }), mirrorRows.negativeKeyword),
  },
  {
    table: 'negative',
    what: 'negative keywords of campaigns',
    pages: ads => mapped(ads.campaignNegativeKeywords.pages({ states }), mirrorRows.negativeKeyword),
  },
  {
    table: 'negative',
    what: 'negative targets',
    pages: ads => mapped(ads.negativeTargets.pages({ states }), mirrorRows.negativeTarget),
  },
  {
    table: 'negative',
    what: 'negative targets of campaigns',
    pages: ads => mapped(ads.campaignNegativeTargets.pages({ states }), mirrorRows.negativeTarget),
  },
]

/**
 * Mirrors the whole structure of an advertising account, page by page, each in a transaction of its own. May be broken
 * off and run again at any point; a second run over an unchanged account changes nothing. What the marketplace no longer
 * lists is marked as gone once everything was read. Returns how many rows were added or changed.
 */
export const importStructure = async (
  services: Services,
  profile: Profile,
  progress: ImportProgress,
): Promise<number> => {
  const { db, clock } = services
  const ads = services.integrations.amazonAds.forProfile({
    connectionId: profile.connectionId,
    region: profile.region,
    profileId: profile.amazonProfileId,
  })
  const began = clock.now()
  const seen = new Map<MirrorTable, string[]>()
  let changed = 0
  for (const [i, kind] of kinds.entries()) {
    await progress.onProgress(i / kinds.length, kind.what)
    const ids = seen.get(kind.table) ?? []
    seen.set(kind.table, ids)
    // A page is asked for when it is wanted, and not before.
    let askedAt = clock.now()
    for await (const rows of kind.pages(ads)) {
      progress.signal.throwIfAborted()
      const asked = askedAt
      for (const row of rows) ids.push(row.amazon_id)
      changed += await db.tenant(profile.merchantId, tx =>
        upsertMirror(tx, kind.table, profile, rows, clock.now(), asked),
      )
      askedAt = clock.now()
    }
  }
  for (const table of ['campaign', 'ad_group', 'product_ad', 'target', 'negative'] as const)
    changed += await db.tenant(profile.merchantId, tx => markGone(tx, table, profile, seen.get(table) ?? [], began))
  return changed
}
