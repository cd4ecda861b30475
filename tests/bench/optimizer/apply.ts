import type { Decision } from '#features/optimizer/engine/decisions.ts'
import type { Store } from '#sandbox/core/model/store.ts'

/** What a decision changed, so that it can be undone from the row alone. */
export interface AppliedRow {
  day: string
  decision: Decision
  /** What was made: its id. */
  createdId?: string
}

/** The bid of a keyword or target; null if there is no such thing. */
export function bidOf(store: Store, id: string): number | null {
  const one = store.keywords.get(id) ?? store.targets.get(id)
  return one ? (one.bidMicros ?? store.adGroups.get(one.adGroupId)?.defaultBidMicros ?? null) : null
}

export function setBid(store: Store, id: string, bidMicros: number, at: number): void {
  const keyword = store.keywords.get(id)
  const target = store.targets.get(id)
  if (keyword) store.keywords.set(id, { ...keyword, bidMicros, updatedAt: at })
  else if (target) store.targets.set(id, { ...target, bidMicros, updatedAt: at })
  else throw new Error(`There is no target ${id}.`)
}

const isAsin = (text: string): boolean => /^B0[0-9A-Z]{8}$/.test(text)

/** Carries a decision out in the marketplace. Empty where there is nothing to carry out. */
export function applyDecision(store: Store, decision: Decision, day: string, at: number): AppliedRow[] {
  const { kind, entityId, before, after } = decision
  if (after === null) return []
  const row = { day, decision }
  if (kind === 'bid' || kind === 'breaker') {
    setBid(store, entityId, Number(after), at)
    return [row]
  }
  if (kind === 'budget' || kind === 'placement') {
    setCampaign(store, entityId, kind, Number(after), at)
    return [row]
  }
  if (kind === 'negative') return [{ ...row, createdId: addNegative(store, entityId, String(after), at) }]
  if (kind === 'harvest') return [{ ...row, createdId: addTarget(store, entityId, String(before), Number(after), at) }]
  return []
}

function setCampaign(store: Store, id: string, kind: 'budget' | 'placement', value: number, at: number): void {
  const campaign = store.campaigns.get(id)
  if (!campaign) throw new Error(`There is no campaign ${id}.`)
  const others = campaign.placements.filter(one => one.placement !== 'PLACEMENT_TOP')
  const percentage = Math.round(value * 100)
  const raised = percentage > 0 ? [{ placement: 'PLACEMENT_TOP' as const, percentage }] : []
  const change = kind === 'budget' ? { budgetMicros: value } : { placements: [...raised, ...others] }
  store.campaigns.set(id, { ...campaign, ...change, updatedAt: at })
}

const nextId = (store: Store): string =>
  String(
    900_000_000_000_000 +
      store.negativeKeywords.size +
      store.negativeTargets.size +
      store.keywords.size +
      store.targets.size,
  )

function partsOf(store: Store, adGroupId: string, at: number) {
  const group = store.adGroups.get(adGroupId)
  if (!group) throw new Error(`There is no ad group ${adGroupId}.`)
  const { campaignId, profileId } = group
  return { adGroupId, campaignId, profileId, state: 'ENABLED' as const, createdAt: at, updatedAt: at }
}

function addNegative(store: Store, adGroupId: string, text: string, at: number): string {
  const id = nextId(store)
  const parts = partsOf(store, adGroupId, at)
  if (isAsin(text))
    store.negativeTargets.set(id, { targetId: id, ...parts, expression: [{ type: 'ASIN_SAME_AS', value: text }] })
  else store.negativeKeywords.set(id, { keywordId: id, ...parts, keywordText: text, matchType: 'NEGATIVE_EXACT' })
  return id
}

function addTarget(store: Store, adGroupId: string, text: string, bidMicros: number, at: number): string {
  const id = nextId(store)
  const parts = partsOf(store, adGroupId, at)
  if (isAsin(text)) {
    const expression = [{ type: 'ASIN_SAME_AS', value: text }]
    store.targets.set(id, { targetId: id, ...parts, expression, expressionType: 'MANUAL', bidMicros })
  } else store.keywords.set(id, { keywordId: id, ...parts, keywordText: text, matchType: 'EXACT', bidMicros })
  return id
}

/** Undoes a row if the marketplace still has what it set; what was made is paused, and negatives are archived. */
export function undoRow(store: Store, { decision, createdId }: AppliedRow, at: number): boolean {
  const { kind, entityId, before, after } = decision
  if (kind === 'bid' || kind === 'breaker') {
    if (bidOf(store, entityId) !== after) return false
    setBid(store, entityId, Number(before), at)
    return true
  }
  if (kind === 'budget' || kind === 'placement') {
    setCampaign(store, entityId, kind, Number(before), at)
    return true
  }
  const id = createdId ?? ''
  const [keyword, target] = [store.keywords.get(id), store.targets.get(id)]
  const [negative, page] = [store.negativeKeywords.get(id), store.negativeTargets.get(id)]
  if (keyword) store.keywords.set(id, { ...keyword, state: 'PAUSED', updatedAt: at })
  if (target) store.targets.set(id, { ...target, state: 'PAUSED', updatedAt: at })
  if (negative) store.negativeKeywords.set(id, { ...negative, state: 'ARCHIVED', updatedAt: at })
  if (page) store.negativeTargets.set(id, { ...page, state: 'ARCHIVED', updatedAt: at })
  return true
}
