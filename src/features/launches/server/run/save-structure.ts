import { type Created, saveCreated, saveLaunched } from '#features/structure/server/public.ts'
import { dayIn } from '#shared/time.ts'
import { readInput } from '../log/read-launches.ts'
import { itemsOf, type JournalItem } from '../sql/items.ts'
import { launchById, ofLaunch, updateStep } from '../sql/launches.ts'
import { biddingOf, expressionOf } from '../steps/steps.ts'
import { inJournal, type LaunchRun } from './launch-run.ts'

interface Place {
  id: string
  campaignId: string
  adGroupId: string
  state: 'ENABLED' | 'PAUSED' | 'ARCHIVED'
}

/** The entity that an item became, as the marketplace has it, in the list of its kind. */
function entityOf(
  { content }: JournalItem,
  { id, state, ...parents }: Place,
  { isVendor, today }: { isVendor: boolean; today: string },
): Partial<Created> {
  const common = { servingStatus: null, createdAt: null, updatedAt: null, state }
  const place = { ...common, ...parents }
  switch (content.kind) {
    case 'CAMPAIGN': {
      const { name, targetingType, dailyBudgetMicros } = content
      const own = { campaignId: id, name, targetingType, dailyBudgetMicros, bidding: biddingOf(content) }
      return { campaigns: [{ ...common, ...own, startDate: today, endDate: null, portfolioId: null, tags: {} }] }
    }
    case 'AD_GROUP': {
      const { name, defaultBidMicros } = content
      return { adGroups: [{ ...place, name, defaultBidMicros, adGroupId: id }] }
    }
    case 'PRODUCT_AD':
      return { productAds: [{ ...place, adId: id, asin: content.asin, sku: isVendor ? null : content.sku }] }
    case 'KEYWORD': {
      const { text, matchType, bidMicros } = content
      return { keywords: [{ ...place, text, matchType, bidMicros, keywordId: id }] }
    }
    case 'AUTO_TARGET':
    case 'PRODUCT_TARGET': {
      const isAuto = content.kind === 'AUTO_TARGET'
      const expression = isAuto ? [{ type: content.group, value: null }] : expressionOf(content.match, content.value)
      const expressionType = isAuto ? 'AUTO' : 'MANUAL'
      const says = { expressionType, expression, resolvedExpression: expression } as const
      return { targets: [{ ...place, ...says, targetId: id, bidMicros: content.bidMicros }] }
    }
    case 'NEGATIVE_KEYWORD': {
      const { text, matchType = 'NEGATIVE_EXACT' } = content
      return { negativeKeywords: [{ ...place, text, matchType, keywordId: id }] }
    }
    case 'ENABLE':
      return {}
  }
}

/**
 * What a launch created and the mirror does not have yet, by the journal, so that the marketplace need not be asked again; or,
 * of what was `saved` before, what has another state now. Campaigns are ENABLED where the last step reached them, and ARCHIVED
 * after an undo.
 */
function createdEntities(done: readonly JournalItem[], saved: boolean, run: LaunchRun, now: Date): Created {
  const byKey = new Map(done.map(i => [i.key, i]))
  const enabled = new Map(done.filter(i => i.step === 'ENABLE').map(i => [i.parentKey, i]))
  const parentOf = (item: JournalItem | undefined) => (item?.parentKey ? byKey.get(item.parentKey) : undefined)
  const isNew = (i: JournalItem) => !i.saved || i.state === 'ARCHIVED' || enabled.get(i.key)?.saved === false
  const facts = { isVendor: run.profile.accountType === 'vendor', today: dayIn(now, run.profile.timezone) }
  const entities = done
    .filter(i => i.saved === saved && isNew(i))
    .map(item => {
      const isPaused = item.step === 'CAMPAIGNS' && !enabled.has(item.key)
      const state = item.state === 'ARCHIVED' ? 'ARCHIVED' : isPaused ? 'PAUSED' : 'ENABLED'
      const parent = parentOf(item)
      const campaign = parent?.step === 'CAMPAIGNS' ? parent : parentOf(parent)
      const parents = { campaignId: campaign?.amazonId ?? '', adGroupId: parent?.amazonId ?? '' }
      return entityOf(item, { id: item.amazonId ?? '', ...parents, state }, facts)
    })
  return {
    campaigns: entities.flatMap(e => e.campaigns ?? []),
    adGroups: entities.flatMap(e => e.adGroups ?? []),
    productAds: entities.flatMap(e => e.productAds ?? []),
    keywords: entities.flatMap(e => e.keywords ?? []),
    targets: entities.flatMap(e => e.targets ?? []),
    negativeKeywords: entities.flatMap(e => e.negativeKeywords ?? []),
    negativeTargets: [],
  }
}

/** The ledger's group of what a launch created, or of what its undo archived: the same however often it is saved. */
const groupOf = (launchId: number, undoing: boolean): string =>
  `00000000-0000-8000-${undoing ? '8001' : '8000'}-${String(launchId).padStart(12, '0')}`

/**
 * Writes what the launch created, and the mirror does not have yet, into the account's structure and its ledger; its
 * campaigns are marked as launched and get the target ACOS of the payload.
 */
export async function saveStructure(run: LaunchRun): Promise<void> {
  const { key, profile } = run
  const now = run.services.clock.now()
  await inJournal(run, async tx => {
    const done = (await itemsOf(tx, key)).filter(i => i.state === 'CREATED' || i.state === 'ARCHIVED')
    const existing = done.filter(i => i.amazonId)
    const accountId = (await launchById(tx, key))?.account_id ?? null
    const launch = { groupId: groupOf(key.launchId, run.undoing), accountId }
    const ids = await saveCreated(tx, profile, createdEntities(existing, false, run, now), now, { launch })
    const { payload } = await readInput(tx, key)
    if (ids.size) await saveLaunched(tx, profile, [...ids.keys()], payload?.targetAcos ?? null, now)
    // The mirror may have been edited since an earlier save, which a retry must not undo.
    await saveCreated(tx, profile, createdEntities(existing, true, run, now), now, { launch, update: 'STATE' })
    await tx
      .updateTable('launch_item')
      .set({ saved: true })
      .where(eb => eb.and(ofLaunch(key)).and('state', 'in', ['CREATED', 'ARCHIVED']))
      .execute()
    await updateStep(tx, key, 'SAVE', 'IN_PROGRESS')
    await updateStep(tx, key, 'SAVE', done.length ? 'COMPLETED' : 'SKIPPED')
  })
}
