import type { Profile } from '#features/accounts/server/public.ts'
import { type Created, saveCreated, saveTargetAcos } from '#features/structure/server/public.ts'
import { dayIn } from '#shared/time.ts'
import type { ItemContent } from '../../plan/launch-items.ts'
import { readAsked } from '../log/read-launches.ts'
import { itemsOf, type JournalItem, markSaved } from '../sql/items.ts'
import { updateStep } from '../sql/launches.ts'
import { biddingOf } from '../steps/campaign-steps.ts'
import { expressionOf } from '../steps/group-steps.ts'
import { inJournal, type LaunchRun } from './launch-run.ts'

type Entities = { [K in keyof Created]: Created[K][number][] }

interface Place {
  id: string
  campaignId: string
  adGroupId: string
  state: 'ENABLED' | 'PAUSED' | 'ARCHIVED'
}

const fieldsOf = <C extends ItemContent>({ kind: _kind, phase: _phase, ...fields }: C) => fields

/** Adds the entity that an item became, as the marketplace has it. */
function addEntity(
  created: Entities,
  content: ItemContent,
  { id, state, ...parents }: Place,
  { isVendor, today }: { isVendor: boolean; today: string },
): void {
  const common = { servingStatus: null, createdAt: null, updatedAt: null, state }
  const place = { ...common, ...parents }
  switch (content.kind) {
    case 'CAMPAIGN': {
      const { name, targetingType, dailyBudgetMicros } = content
      const fresh = { startDate: today, endDate: null, portfolioId: null, tags: {} }
      const bidding = biddingOf(content)
      created.campaigns.push({ ...common, ...fresh, campaignId: id, name, targetingType, dailyBudgetMicros, bidding })
      break
    }
    case 'AD_GROUP':
      created.adGroups.push({ ...place, ...fieldsOf(content), adGroupId: id })
      break
    case 'PRODUCT_AD':
      created.productAds.push({ ...place, adId: id, asin: content.asin, sku: isVendor ? null : content.sku })
      break
    case 'KEYWORD':
      created.keywords.push({ ...place, ...fieldsOf(content), keywordId: id })
      break
    case 'AUTO_TARGET': {
      const { group, ...fields } = fieldsOf(content)
      const expression = [{ type: group, value: null }]
      const target = { targetId: id, expressionType: 'AUTO' as const, expression, resolvedExpression: expression }
      created.targets.push({ ...place, ...fields, ...target })
      break
    }
    case 'PRODUCT_TARGET': {
      const { match, value, ...fields } = fieldsOf(content)
      const expression = expressionOf(match, value)
      const target = { targetId: id, expressionType: 'MANUAL' as const, expression, resolvedExpression: expression }
      created.targets.push({ ...place, ...fields, ...target })
      break
    }
    case 'NEGATIVE_KEYWORD': {
      const { text, matchType = 'NEGATIVE_EXACT' } = content
      created.negativeKeywords.push({ ...place, keywordId: id, text, matchType })
      break
    }
    case 'ENABLE':
  }
}

/**
 * What a launch created and the mirror does not have yet, by the journal, so that the marketplace need not be asked again.
 * Campaigns are ENABLED where the last step reached them, and ARCHIVED after an undo.
 */
function createdEntities(
  items: readonly JournalItem[],
  { accountType }: Pick<Profile, 'accountType'>,
  today: string,
  isIncluded: (item: JournalItem) => boolean,
): Created {
  const created: Entities = {
    campaigns: [],
    adGroups: [],
    productAds: [],
    keywords: [],
    targets: [],
    negativeKeywords: [],
    negativeTargets: [],
  }
  const done = items.filter(i => i.amazonId && (i.state === 'CREATED' || i.state === 'ARCHIVED'))
  const byKey = new Map(done.map(i => [i.key, i]))
  const enableItems = done.filter(i => i.step === 'ENABLE')
  const enabled = new Set(enableItems.map(i => i.parentKey))
  const newlyEnabled = new Set(enableItems.filter(i => !i.saved).map(i => i.parentKey))
  const parentOf = (item: JournalItem | undefined) => (item?.parentKey ? byKey.get(item.parentKey) : undefined)
  // Of what was saved before only another state is new.
  const isNew = (i: JournalItem) => !i.saved || i.state === 'ARCHIVED' || newlyEnabled.has(i.key)
  for (const item of done.filter(i => isNew(i) && isIncluded(i))) {
    const id = item.amazonId ?? ''
    const isPaused = item.step === 'CAMPAIGNS' && !enabled.has(item.key)
    const state = item.state === 'ARCHIVED' ? 'ARCHIVED' : isPaused ? 'PAUSED' : 'ENABLED'
    const parent = parentOf(item)
    const campaign = parent?.step === 'CAMPAIGNS' ? parent : parentOf(parent)
    const place = { id, campaignId: campaign?.amazonId ?? '', adGroupId: parent?.amazonId ?? '', state } as const
    addEntity(created, item.content, place, { isVendor: accountType === 'vendor', today })
  }
  return created
}

/**
 * Writes what the launch created, and the mirror does not have yet, into the account's structure; its campaigns get the target
 * ACOS of the payload.
 */
export async function saveStructure(run: LaunchRun): Promise<void> {
  const now = run.services.clock.now()
  await inJournal(run, async tx => {
    const items = await itemsOf(tx, run.key)
    const done = items.filter(i => i.state === 'CREATED' || i.state === 'ARCHIVED')
    const entities = (saved: boolean) =>
      createdEntities(items, run.profile, dayIn(now, run.profile.timezone), item => item.saved === saved)
    const ids = await saveCreated(tx, run.profile, entities(false), now)
    const { payload } = await readAsked(tx, run.key)
    if (payload && ids.size) await saveTargetAcos(tx, run.profile, [...ids.keys()], payload.targetAcos, now)
    // The mirror may have been edited since an earlier save, which a retry must not undo.
    await saveCreated(tx, run.profile, entities(true), now, 'STATE')
    await markSaved(
      tx,
      run.key,
      done.map(i => i.no),
    )
    await updateStep(tx, run.key, 'SAVE', { status: 'IN_PROGRESS' })
    await updateStep(tx, run.key, 'SAVE', { status: done.length ? 'COMPLETED' : 'SKIPPED' })
  })
}
