import { type AdType, adTypes } from '#shared/campaign-rules.ts'
import { isOfAdType } from '#shared/fields.ts'
import type * as ads from '#integrations/amazon-ads/index.ts'
import { adsOf, type Profile } from '#features/accounts/server/public.ts'
import type { Services } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import { UpstreamForbidden } from '#server/http-client/upstream-errors.ts'
import { entities, type EntityName } from '../../contract.ts'
import { fieldsOf } from '../sql/entity-sql.ts'
import { idsOf } from '../sql/find-rows.ts'
import { markGone, type Mirrored, saveMirrored, type SaveOptions } from '../sql/save-mirrored.ts'
import { noteSynchronized } from '../sql/sync-state.ts'
import { recountTargets } from '../sql/target-counts.ts'

/** All that there are: what is archived is mirrored too. */
export const states: ads.EntityState[] = ['ENABLED', 'PAUSED', 'ARCHIVED']

export interface ImportProgress {
  /** Ends the import between two pages. */
  signal: AbortSignal
  /** Called before each part: how much is done, 0 to 1, what comes next, and of which days where it has any. */
  onProgress: (share: number, what: string, days?: { from: string; to: string }) => Promise<void>
}

const campaigns = { idName: 'campaignId', entity: 'campaign', what: 'campaigns' } as const
const adGroups = { idName: 'adGroupId', entity: 'adGroup', what: 'ad groups' } as const
const adList = { idName: 'adId', entity: 'ad', what: 'ads' } as const
const keywords = { idName: 'keywordId', entity: 'target', what: 'keywords' } as const
const targets = { idName: 'targetId', entity: 'target', what: 'targets' } as const
const negativeKeywords = { idName: 'keywordId', entity: 'negative', what: 'negative keywords' } as const
const negativeTargets = { idName: 'targetId', entity: 'negative', what: 'negative targets' } as const

/** The port's lists by ad type, parents first: what their ids are called, which entity they fill, and what they are in words. */
export const portLists = {
  SPONSORED_PRODUCTS: {
    campaigns,
    adGroups,
    productAds: adList,
    keywords,
    targets,
    negativeKeywords,
    campaignNegativeKeywords: { ...negativeKeywords, what: 'negative keywords of campaigns' },
    negativeTargets,
    campaignNegativeTargets: { ...negativeTargets, what: 'negative targets of campaigns' },
  },
  SPONSORED_BRANDS: { campaigns, adGroups, ads: adList, keywords, targets, negativeKeywords, negativeTargets },
  SPONSORED_DISPLAY: { campaigns, adGroups, ads: adList, targets, negativeTargets },
} as const satisfies Record<AdType, Record<string, PortList>>

export interface PortList {
  idName: string
  entity: EntityName
  what: string
}
interface Filter {
  states: ads.EntityState[]
  extended?: boolean
  /** Not of the older lists, which know campaigns only. */
  ids?: string[]
  campaignIds?: string[]
}
/** Every list of an ad type, read in the same way. */
type Lists = Record<string, { pages: (filter: Filter) => AsyncIterable<Item[]> } | undefined>

/** The account's lists of an ad type by the names of `portLists`. */
export function openLists(account: ads.ProfileAds, adType: AdType): Lists {
  const byType = {
    SPONSORED_PRODUCTS: account,
    SPONSORED_BRANDS: account.brands,
    SPONSORED_DISPLAY: account.display,
  } satisfies Record<AdType, object>
  return byType[adType] as unknown as Lists
}

const LISTS = adTypes.flatMap(adType => Object.keys(portLists[adType])).length
const spokenTypes = {
  SPONSORED_PRODUCTS: '',
  SPONSORED_BRANDS: ' of Sponsored Brands',
  SPONSORED_DISPLAY: ' of Sponsored Display',
}

/**
 * Mirrors the whole structure of an advertising account, page by page, each in its own transaction. It may be broken off
 * and run again at any point; a second run over an unchanged account changes nothing. Rows that the marketplace no longer
 * lists are marked as gone once everything of their ad type was read. Returns how many rows were added or changed.
 */
export async function importStructure(services: Services, profile: Profile, progress: ImportProgress): Promise<number> {
  const account = adsOf(services.integrations, profile)
  const began = services.clock.now()
  let changed = 0
  let listsDone = 0
  for (const adType of adTypes) {
    const before = listsDone
    const onProgress = (list: number, what: string) =>
      progress.onProgress((before + list) / LISTS, `${what}${spokenTypes[adType]}`)
    try {
      changed += await importAdType(services, profile, openLists(account, adType), adType, { ...progress, onProgress })
    } catch (error) {
      // Not every account may use the other ad types: a refusal of those alone leaves them as they are.
      if (adType === 'SPONSORED_PRODUCTS' || !(error instanceof UpstreamForbidden)) throw error
      services.log.warn(
        { err: error, profileId: profile.profileId, adType },
        'the marketplace does not list an ad type',
      )
    }
    listsDone += Object.keys(portLists[adType]).length
  }
  await noteSynchronized(services.db, profile, began)
  await recountTargets(services.db, profile)
  return changed
}

interface AdTypeProgress {
  signal: AbortSignal
  onProgress: (list: number, what: string) => Promise<void>
}

async function importAdType(
  services: Services,
  profile: Profile,
  lists: Lists,
  adType: AdType,
  { signal, onProgress }: AdTypeProgress,
): Promise<number> {
  const { db, clock } = services
  const began = clock.now()
  const listed = Object.fromEntries(Object.keys(entities).map(entity => [entity, [] as string[]])) as Listed
  // An answer about negatives of Sponsored Display leaves out their campaign.
  const campaignOf = new Map<string, string>()
  let changed = 0
  for (const [i, [name, list]] of Object.entries<PortList>(portLists[adType]).entries()) {
    const { entity, what } = list
    // What belongs to campaigns need not be looked for where there are none.
    if (entity !== 'campaign' && !listed.campaign.length) break
    await onProgress(i, what)
    const pages = lists[name]?.pages(filterOf(adType, entity, listed))
    changed += await mirrorPages(services, profile, adType, list, pages, {
      signal,
      campaignOf,
      onPage: items => {
        for (const { amazonId, campaignId } of items) {
          listed[entity].push(amazonId)
          if (entity === 'adGroup') campaignOf.set(amazonId, campaignId)
        }
      },
    })
  }
  for (const entity of Object.keys(entities) as EntityName[])
    changed += await db.tenant(profile.merchantId, tx =>
      markGone(tx, entity, { ...profile, adType }, listed[entity], began),
    )
  return changed
}

interface MirrorOptions {
  signal: AbortSignal
  /** The campaigns of ad groups, for lists that leave them out. */
  campaignOf?: ReadonlyMap<string, string>
  onPage?: (items: readonly Mirrored[]) => void
  /** Whether what the marketplace added goes to the ledger too. */
  recordsAdded?: boolean
}

/** Mirrors a list of the marketplace, each page in a transaction of its own. Returns how many rows were added or changed. */
export async function mirrorPages(
  { db, clock }: Services,
  profile: Profile,
  adType: AdType,
  { idName, entity }: PortList,
  pages: AsyncIterable<Item[]> | undefined,
  { signal, campaignOf, onPage, recordsAdded = false }: MirrorOptions,
): Promise<number> {
  let changed = 0
  // A page is requested when the loop wants it, and not before.
  let nextAskedAt = clock.now()
  for await (const page of pages ?? []) {
    signal.throwIfAborted()
    const items = page.map(item => toMirrored(adType, idName, entity, item, campaignOf))
    const askedAt = nextAskedAt
    onPage?.(items)
    changed += await db.tenant(profile.merchantId, tx =>
      saveMirrored(tx, entity, profile, items, clock.now(), { askedAt, recordsAdded }),
    )
    nextAskedAt = clock.now()
  }
  return changed
}
type Listed = Record<EntityName, string[]>

/** Only campaigns show a serving status, and only negatives when they were added: a call that asks for it counts five times. */
export const isExtended = (entity: EntityName): boolean => entity === 'campaign' || entity === 'negative'

function filterOf(adType: AdType, entity: EntityName, listed: Listed): Filter {
  // A list of all clauses of Sponsored Brands is missing some; those of named campaigns are whole.
  const isByCampaign = adType === 'SPONSORED_BRANDS' && (entity === 'target' || entity === 'negative')
  return { states, extended: isExtended(entity), ...(isByCampaign && { campaignIds: listed.campaign }) }
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
  const adType = 'SPONSORED_PRODUCTS'
  for (const [list, { entity, idName }] of Object.entries<PortList>(portLists[adType])) {
    const items: readonly Item[] = list in created ? created[list as keyof Created] : []
    const unknown = Object.fromEntries(fieldsOf(entity).map(([, { port = '' }]) => [port, null]))
    const mirrored = items.map(item => ({ ...unknown, ...toMirrored(adType, idName, entity, item) }))
    await saveMirrored(tx, entity, profile, mirrored, at, options)
  }
  return idsOf(
    tx,
    'campaign',
    profile,
    created.campaigns.map(campaign => campaign.campaignId),
  )
}

type Item = { campaignId?: string | null } & object
type Condition = Pick<ads.DisplayPredicate, 'type' | 'value'>
interface Clause {
  expression: readonly Condition[]
  resolvedExpression: readonly Condition[]
  expressionType?: string
}
type BrandAd = Pick<ads.BrandAd, 'name' | 'headline' | 'asins'>

/** What people read of a target: its products or groups by name. */
function targetText({ expression, resolvedExpression }: Clause): string {
  return describe(resolvedExpression.length ? resolvedExpression : expression)
}
function describe(conditions: readonly Condition[]): string {
  const text = ({ type, value }: Condition): string =>
    value === null ? type : `${type}: ${typeof value === 'string' ? value : describe(value)}`
  return conditions.map(text).join(', ')
}

const audiences = ['VIEWS', 'PURCHASES', 'AUDIENCE']
function kindOf({ expression, expressionType }: Clause, adType: AdType) {
  if (adType === 'SPONSORED_DISPLAY' && audiences.includes(expression[0]?.type ?? '')) return 'AUDIENCE'
  return adType === 'SPONSORED_PRODUCTS' && expressionType === 'AUTO' ? 'AUTO' : 'PRODUCT'
}

// The port's entities with their id under one name, and those of every ad type in one form: what it does not have is null.
function toMirrored(
  adType: AdType,
  idName: string,
  entity: EntityName,
  item: Item,
  campaignOf?: ReadonlyMap<string, string>,
): Mirrored {
  const missing = fieldsOf(entity).flatMap(([, field]) => (isOfAdType(field, adType) ? [] : [[field.port ?? '', null]]))
  const values = item as Record<string, unknown>
  const mirrored = {
    ...Object.fromEntries(missing),
    // Keywords and negatives of the older calls have none.
    servingStatus: null,
    ...item,
    adType,
    amazonId: String(values[idName]),
    campaignId: item.campaignId ?? campaignOf?.get(String(values['adGroupId'])) ?? '',
  }
  if (entity === 'campaign') return { targetingType: 'MANUAL', ...mirrored }
  if (entity === 'ad') return adType === 'SPONSORED_BRANDS' ? { ...mirrored, ...brandAd(item as BrandAd) } : mirrored
  if ('text' in item) return { ...mirrored, kind: 'KEYWORD', expression: null }
  if (!('expression' in item)) return mirrored
  const clause = item as Clause
  return { ...mirrored, kind: kindOf(clause, adType), text: targetText(clause), matchType: null }
}

/** The headline is what shoppers and sellers know an ad by; videos have none. */
function brandAd({ name, headline, asins }: BrandAd) {
  return { name: headline || name || null, asin: asins.length === 1 ? (asins[0] ?? null) : null }
}
