import { normalTerm } from '#shared/keyword-rules.ts'
import * as v from 'valibot'
import type { Bidding, Campaign, ItemOutcome, Predicate, ProfileAds } from '#integrations/amazon-ads/index.ts'
import type { Db } from '#server/db/tables.ts'
import type { StepName } from '../../contract.ts'
import type { ItemContent } from '../../plan/launch-items.ts'
import { targetExpressions, type TargetMatch } from '../../templates.ts'
import type { LaunchRun } from '../run/launch-run.ts'
import { type JournalItem, itemsOf, notMade, recordItems } from '../sql/items.ts'
import type { LaunchKey } from '../sql/launches.ts'
import type { PlacedItem } from './placed-items.ts'

/** How one step talks to the marketplace. */
export interface Step {
  name: StepName
  /** Written with the step's beginning. */
  prepare?(tx: Db, key: LaunchKey, payload: unknown): Promise<void>
  /** Sends all items in one call; outcomes in their order. Throws what the integration throws. */
  send(run: LaunchRun, items: readonly PlacedItem[]): Promise<ItemOutcome<unknown>[]>
  /** Looks for the items that the marketplace has already as planned; answers their ids there. */
  find(run: LaunchRun, items: readonly PlacedItem[]): Promise<(item: PlacedItem) => string | undefined>
  /** True where sending twice is sending once, so that what is not found is sent again without waiting. */
  isRepeatable?: true
}

type Content<K extends ItemContent['kind']> = Extract<ItemContent, { kind: K }>

/** The content of an item of the expected kind. Throws when the journal has another: a defect of ours. */
function contentOf<K extends ItemContent['kind']>(item: JournalItem, kind: K): Content<K> {
  if (item.content.kind !== kind) throw new Error(`item ${item.key} is not a ${kind}`)
  return item.content as Content<K>
}

const campaignIdsOf = (items: readonly PlacedItem[]): string[] => [...new Set(items.map(i => i.campaignId))]

interface Making<K extends ItemContent['kind'], E, New> {
  kind: K
  collection: (ads: ProfileAds) => {
    create(items: readonly New[]): Promise<ItemOutcome<E>[]>
    all(filter: { campaignIds: readonly string[] }): Promise<E[]>
  }
  toNew: (content: Content<K>, parents: Pick<PlacedItem, 'campaignId' | 'adGroupId'>, run: LaunchRun) => New
  /** A text that is the same for a new entity and for the one that the marketplace made of it. */
  keyOf: (entity: E | New, run: LaunchRun) => string
  idOf: (entity: E) => string
}

/** A step that makes entities in campaigns of the launch. */
function making<K extends ItemContent['kind'], E, New>(
  name: StepName,
  { kind, collection, toNew, keyOf, idOf }: Making<K, E, New>,
): Step {
  const newOf = (run: LaunchRun, item: PlacedItem) => {
    const { campaignId, adGroupId } = item
    return toNew(contentOf(item, kind), { campaignId, adGroupId }, run)
  }
  return {
    name,
    send: (run, items) => collection(run.ads).create(items.map(item => newOf(run, item))),
    find: async (run, items) => {
      const listed = await collection(run.ads).all({ campaignIds: campaignIdsOf(items) })
      const ids = new Map(listed.map(entity => [keyOf(entity, run), idOf(entity)]))
      return item => ids.get(keyOf(newOf(run, item), run))
    },
  }
}

const TAG = 'tideline-launch'

/** What marks a campaign as made by this item of this launch. */
const markOf = ({ key }: LaunchRun, item: PlacedItem): string => `${key.merchantId}-${key.launchId}-${item.no}`

/** The bidding that a campaign of a launch begins with. */
export function biddingOf({ biddingStrategy, topOfSearchPercent }: Content<'CAMPAIGN'>): Bidding {
  const placements = [{ placement: 'TOP_OF_SEARCH' as const, percentage: topOfSearchPercent }]
  return { strategy: biddingStrategy, placements: topOfSearchPercent ? placements : [], audiences: [] }
}

// A campaign with the name is ours when it has our tag; where tags are not returned, when it is as we sent it.
function isOurs(run: LaunchRun, item: PlacedItem, campaign: Campaign): boolean {
  if (campaign.state === 'ARCHIVED') return false
  const mark = campaign.tags[TAG]
  if (mark !== undefined) return mark === markOf(run, item)
  const { targetingType, dailyBudgetMicros } = contentOf(item, 'CAMPAIGN')
  return (
    Object.keys(campaign.tags).length === 0 &&
    item.attempts > 1 &&
    campaign.targetingType === targetingType &&
    campaign.dailyBudgetMicros === dailyBudgetMicros
  )
}

/** Campaigns, made paused and marked. */
export const campaignStep: Step = {
  name: 'CAMPAIGNS',
  send: (run, items) =>
    run.ads.campaigns.create(
      items.map(item => {
        const content = contentOf(item, 'CAMPAIGN')
        const { name, targetingType, dailyBudgetMicros } = content
        const tags = { [TAG]: markOf(run, item) }
        return { name, state: 'PAUSED', targetingType, dailyBudgetMicros, bidding: biddingOf(content), tags }
      }),
    ),
  find: async (run, items) => {
    const ids = new Map<number, string | undefined>()
    for (const item of items) {
      const listed = await run.ads.findCampaigns(contentOf(item, 'CAMPAIGN').name)
      ids.set(item.no, listed.find(campaign => isOurs(run, item, campaign))?.campaignId)
    }
    return item => ids.get(item.no)
  },
}

async function autoTargets({ ads }: LaunchRun, items: readonly PlacedItem[]) {
  const listed = await ads.targets.all({ campaignIds: campaignIdsOf(items) })
  const byGroup = new Map(
    listed
      .filter(target => target.expressionType === 'AUTO')
      .map(target => [`${target.adGroupId} ${target.expression[0]?.type}`, target]),
  )
  return (item: PlacedItem) => byGroup.get(`${item.adGroupId} ${contentOf(item, 'AUTO_TARGET').group}`)
}

const notYet: ItemOutcome<never> = {
  ok: false,
  reason: 'NOT_YET',
  selector: 'transport',
  location: null,
  message: 'The automatic target has not appeared yet.',
  retryable: true,
}

/** What a product target says at the marketplace. */
export function expressionOf(match: TargetMatch, value: string): Predicate[] {
  return [{ type: targetExpressions[match], value }]
}

const state = 'ENABLED' as const
const keywordKey = (k: { adGroupId: string | null; matchType: string; text: string }) =>
  `${k.adGroupId} ${k.matchType} ${normalTerm(k.text)}`

/** The steps that make a launch's items, in their order. */
export const steps: readonly Step[] = [
  campaignStep,
  making('AD_GROUPS', {
    kind: 'AD_GROUP',
    collection: ads => ads.adGroups,
    toNew: ({ name, defaultBidMicros }, { campaignId }) => ({ campaignId, name, defaultBidMicros, state }),
    keyOf: group => `${group.campaignId} ${group.name}`,
    idOf: group => group.adGroupId,
  }),
  making('PRODUCT_ADS', {
    kind: 'PRODUCT_AD',
    collection: ads => ads.productAds,
    // Sellers advertise a sku, vendors an asin.
    toNew: ({ asin, sku }, parents, { profile }) => ({
      ...parents,
      ...(profile.accountType === 'vendor' ? { asin } : { sku }),
      state,
    }),
    keyOf: (ad, { profile }) => `${ad.adGroupId} ${profile.accountType === 'vendor' ? ad.asin : ad.sku}`,
    idOf: ad => ad.adId,
  }),
  making('KEYWORDS', {
    kind: 'KEYWORD',
    collection: ads => ads.keywords,
    toNew: ({ text, matchType, bidMicros }, parents) => ({ ...parents, text, matchType, bidMicros, state }),
    keyOf: keywordKey,
    idOf: keyword => keyword.keywordId,
  }),
  {
    // The four groups of automatic targeting appear with their ad group; they are found and get their bids.
    name: 'AUTO_TARGETS',
    isRepeatable: true,
    find: async (run, items) => {
      const targetOf = await autoTargets(run, items)
      return item => {
        const target = targetOf(item)
        const isDone = target?.state === state && target.bidMicros === contentOf(item, 'AUTO_TARGET').bidMicros
        return isDone ? target.targetId : undefined
      }
    },
    send: async (run, items) => {
      const targetOf = await autoTargets(run, items)
      const present = items.filter(targetOf)
      const outcomes = await run.ads.targets.update(
        present.map(item => {
          const { bidMicros } = contentOf(item, 'AUTO_TARGET')
          return { targetId: targetOf(item)?.targetId ?? '', bidMicros, state }
        }),
      )
      return items.map(item => outcomes[present.indexOf(item)] ?? notYet)
    },
  },
  making('PRODUCT_TARGETS', {
    kind: 'PRODUCT_TARGET',
    collection: ads => ads.targets,
    toNew: ({ match, value, bidMicros }, parents) => ({
      ...parents,
      expression: expressionOf(match, value),
      bidMicros,
      state,
    }),
    keyOf: ({ adGroupId, expression }) => `${adGroupId} ${expression.map(p => `${p.type}=${p.value}`).join('&')}`,
    idOf: target => target.targetId,
  }),
  {
    prepare: skipNegatives,
    ...making('NEGATIVE_KEYWORDS', {
      kind: 'NEGATIVE_KEYWORD',
      collection: ads => ads.negativeKeywords,
      toNew: ({ text, matchType = 'NEGATIVE_EXACT' }, parents) => ({ ...parents, text, matchType, state }),
      keyOf: keywordKey,
      idOf: negative => negative.keywordId,
    }),
  },
  {
    // From here on the campaigns spend.
    name: 'ENABLE',
    prepare: holdBack,
    isRepeatable: true,
    send: ({ ads }, items) => ads.campaigns.update(items.map(({ campaignId }) => ({ campaignId, state }))),
    find: async ({ ads }, items) => {
      const listed = await ads.campaigns.all({ ids: campaignIdsOf(items), states: [state] })
      return ({ campaignId }) => listed.find(campaign => campaign.campaignId === campaignId)?.campaignId
    },
  },
]

// Only this part of the payload: a waiting launch may be older than today's rules.
const withNegatives = v.object({ negativeKeywords: v.optional(v.array(v.object({ keyword: v.string() })), []) })

/**
 * Leaves out negatives whose term no campaign buys, because its keyword failed: they would exclude the term everywhere. What the
 * payload itself excludes stays excluded.
 */
async function skipNegatives(tx: Db, key: LaunchKey, payload: unknown): Promise<void> {
  const items = await itemsOf(tx, key)
  const own = new Set(v.parse(withNegatives, payload).negativeKeywords.map(n => normalTerm(n.keyword)))
  const termsOf = (isCreated: boolean) =>
    new Set(
      items.flatMap(({ content, state }) =>
        content.kind === 'KEYWORD' && (state === 'CREATED') === isCreated ? [normalTerm(content.text)] : [],
      ),
    )
  const [bought, failed] = [termsOf(true), termsOf(false)]
  const needless = items.filter(({ content, state }) => {
    if (content.kind !== 'NEGATIVE_KEYWORD' || content.matchType || state !== 'PLANNED') return false
    const term = normalTerm(content.text)
    return failed.has(term) && !bought.has(term) && !own.has(term)
  })
  const changes = needless.map(i => notMade(i, 'SKIPPED', 'KEYWORD_FAILED'))
  await recordItems(tx, key, changes)
}

// Without one of these a campaign would run differently from what was confirmed; a keyword less only reaches less. An
// automatic target is there also when its bid was rejected, and would buy at the ad group's default bid.
const essential: readonly StepName[] = ['CAMPAIGNS', 'AD_GROUPS', 'PRODUCT_ADS', 'AUTO_TARGETS', 'NEGATIVE_KEYWORDS']

/** Whether the launch must stay paused: something essential failed, or an ad group came out with nothing to target. */
function isHalf(items: readonly JournalItem[]): boolean {
  if (items.some(i => essential.includes(i.step) && (i.state === 'FAILED' || i.reason === 'PARENT_MISSING')))
    return true
  const targeting = items.filter(i => i.step === 'KEYWORDS' || i.step === 'PRODUCT_TARGETS')
  const reached = new Set(targeting.flatMap(i => (i.state === 'CREATED' ? i.parentKey : [])))
  return targeting.some(i => !reached.has(i.parentKey))
}

/** Keeps half a launch paused. */
async function holdBack(tx: Db, key: LaunchKey): Promise<void> {
  const items = await itemsOf(tx, key)
  const waiting = items.filter(i => i.step === 'ENABLE' && i.state === 'PLANNED')
  const changes = waiting.map(i => notMade(i, 'FAILED', 'HELD_BACK'))
  if (isHalf(items)) await recordItems(tx, key, changes)
}
