import type * as ads from '#integrations/amazon-ads/index.ts'
import type { Profile } from '#features/accounts/server/public.ts'
import type { Services } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import { entities, type EntityName } from '../../contract.ts'
import { fieldsOf } from '../sql/entity-sql.ts'
import { idsOf } from '../sql/find-rows.ts'
import { markGone, type Mirrored, saveMirrored, type SaveOptions } from '../sql/save-mirrored.ts'

const states: ads.EntityState[] = ['ENABLED', 'PAUSED', 'ARCHIVED']

export interface ImportProgress {
  /** Ends the import between two pages. */
  signal: AbortSignal
  /** Called before each part: how much is done, 0 to 1, what comes next, and of which days where it has any. */
  onProgress: (share: number, what: string, days?: { from: string; to: string }) => Promise<void>
}

/** The port's lists, parents first: what its ids are called, which entity it fills, and what the list is in words. */
export const portLists = {
  campaigns: { idName: 'campaignId', entity: 'campaign', what: 'campaigns' },
  adGroups: { idName: 'adGroupId', entity: 'adGroup', what: 'ad groups' },
  productAds: { idName: 'adId', entity: 'ad', what: 'ads' },
  keywords: { idName: 'keywordId', entity: 'target', what: 'keywords' },
  targets: { idName: 'targetId', entity: 'target', what: 'targets' },
  negativeKeywords: { idName: 'keywordId', entity: 'negative', what: 'negative keywords' },
  campaignNegativeKeywords: { idName: 'keywordId', entity: 'negative', what: 'negative keywords of campaigns' },
  negativeTargets: { idName: 'targetId', entity: 'negative', what: 'negative targets' },
  campaignNegativeTargets: { idName: 'targetId', entity: 'negative', what: 'negative targets of campaigns' },
} as const
type PortList = keyof typeof portLists
const lists = Object.keys(portLists) as PortList[]

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
  for (const [i, list] of lists.entries()) {
    const { entity, what } = portLists[list]
    await onProgress(i / lists.length, what)
    const ids = listed.get(entity) ?? []
    listed.set(entity, ids)
    // A page is requested when the loop wants it, and not before.
    let nextAskedAt = clock.now()
    // Only campaigns show a serving status, and a call that asks for it counts five times.
    for await (const page of ads[list].pages({ states, ...(list === 'campaigns' && { extended: true }) })) {
      signal.throwIfAborted()
      const items = page.map(item => toMirrored(list, item))
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

// What may be unknown can be left out, and is unknown until the next import.
type Reported<E> = { [N in keyof E as null extends E[N] ? never : N]: E[N] } & {
  [N in keyof E as null extends E[N] ? N : never]?: E[N]
}

/** What was created at the marketplace, as it is there now. */
export interface Created {
  campaigns: readonly Reported<ads.Campaign>[]
  adGroups: readonly Reported<ads.AdGroup>[]
  productAds: readonly Reported<ads.ProductAd>[]
  keywords: readonly Reported<ads.Keyword>[]
  targets: readonly Reported<ads.Target>[]
  negativeKeywords: readonly Reported<ads.NegativeKeyword>[]
  negativeTargets: readonly Reported<ads.NegativeTarget>[]
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
  options: Pick<SaveOptions, 'launch' | 'update'> = {},
): Promise<Map<string, number>> {
  for (const list of lists) {
    const items = list in created ? created[list as keyof Created] : []
    const { entity } = portLists[list]
    const unknown = Object.fromEntries(fieldsOf(entity).map(([, { port = '' }]) => [port, null]))
    const mirrored = items.map(item => ({ ...unknown, ...toMirrored(list, item) }))
    await saveMirrored(tx, entity, profile, mirrored, at, options)
  }
  return idsOf(
    tx,
    'campaign',
    profile,
    created.campaigns.map(campaign => campaign.campaignId),
  )
}

type Clause = Pick<ads.NegativeTarget, 'expression' | 'resolvedExpression'> & { expressionType?: string }

/** What people read of a target: its products or groups by name. */
function targetText({ expression, resolvedExpression }: Clause): string {
  const shown = resolvedExpression.length ? resolvedExpression : expression
  return shown.map(part => (part.value === null ? part.type : `${part.type}: ${part.value}`)).join(', ')
}

// The port's entities with their id under one name, and clauses of every kind in one form.
function toMirrored(list: PortList, item: { campaignId: string } & (object | Clause)): Mirrored {
  const entity = { ...item, amazonId: String((item as Record<string, unknown>)[portLists[list].idName]) }
  if ('text' in item) return { ...entity, kind: 'KEYWORD', expression: null }
  if (!('expression' in item)) return entity
  const kind = item.expressionType === 'AUTO' ? 'AUTO' : 'PRODUCT'
  return { ...entity, kind, text: targetText(item), matchType: null }
}
