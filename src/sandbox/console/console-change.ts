import { marketplaceByAmazonId } from '#shared/marketplaces.ts'
import { roundToUnit, toMicros } from '#shared/money.ts'
import type { EntityState, Profile } from '../core/model/store.ts'
import type { World } from '../core/world.ts'

/** Shelves by what the console calls their entries. */
const shelfOf = {
  campaign: 'campaigns',
  adGroup: 'adGroups',
  productAd: 'productAds',
  keyword: 'keywords',
  target: 'targets',
  negativeKeyword: 'negativeKeywords',
  negativeTarget: 'negativeTargets',
  brandCampaign: 'brandCampaigns',
  brandAdGroup: 'brandAdGroups',
  brandAd: 'brandAds',
  brandKeyword: 'brandKeywords',
  brandTarget: 'brandTargets',
  brandNegativeKeyword: 'brandNegativeKeywords',
  brandNegativeTarget: 'brandNegativeTargets',
  displayCampaign: 'displayCampaigns',
  displayAdGroup: 'displayAdGroups',
  displayAd: 'displayAds',
  displayTarget: 'displayTargets',
  displayNegativeTarget: 'displayNegativeTargets',
} as const
type Entity = keyof typeof shelfOf

/** What can be changed, and `login` for a person. */
export const changeable = [...(Object.keys(shelfOf) as Entity[]), 'login'] as const

/** What a person does in the marketplace's own console, behind everybody's back. */
export interface ConsoleChange {
  entity: Entity | 'login'
  /** The entity's id; for a login, its e-mail. */
  id: string
  action: 'pause' | 'enable' | 'archive' | 'bid' | 'budget' | 'rename' | 'revoke' | 'invite-away'
  /** bid, budget: the amount; rename: the name; invite-away: the seller's id. */
  value?: string | number | undefined
}

const campaigns: readonly string[] = ['campaign', 'brandCampaign', 'displayCampaign']
const groupsWithBid: readonly string[] = ['adGroup', 'displayAdGroup']
const named: readonly string[] = [...campaigns, ...groupsWithBid, 'brandAdGroup', 'brandAd']
const withBid: readonly string[] = ['keyword', 'target', 'brandKeyword', 'brandTarget', 'displayTarget']

const stateOf: Partial<Record<ConsoleChange['action'], EntityState>> = {
  pause: 'PAUSED',
  enable: 'ENABLED',
  archive: 'ARCHIVED',
}

interface Changed {
  state?: EntityState
  name?: string
  bidMicros?: number
  defaultBidMicros?: number
  budgetMicros?: number
}

/** Carries it out; answers a sentence when it cannot be, else null. Other limits than those of amounts do not hold here. */
export const changeInConsole = (world: World, change: ConsoleChange): string | null => {
  if (change.entity === 'login') return changeLogin(world, change)
  const shelf = shelfOf[change.entity]
  return world.change((store, now) => {
    const old = store[shelf].get(change.id)
    const profile = old && store.profiles.get(old.profileId)
    if (!old || !profile) return `There is no ${change.entity} ${change.id}.`
    const changed = readChange(change, profile)
    if (typeof changed === 'string') return changed
    // The shelf and the fields go together by `readChange`; the union of the shelves' values cannot say so.
    const map = store[shelf] as Map<string, unknown>
    map.set(change.id, { ...old, ...changed, updatedAt: now.getTime() })
    return null
  })
}

const readChange = ({ entity, action, value }: ConsoleChange, profile: Profile): Changed | string => {
  const state = stateOf[action]
  if (state) return { state }
  if (action === 'rename' && named.includes(entity))
    return String(value ?? '').trim() ? { name: String(value) } : 'A name is missing.'
  if (action === 'budget' && campaigns.includes(entity)) {
    const micros = readAmount(value, profile, 'budget')
    return typeof micros === 'string' ? micros : { budgetMicros: micros }
  }
  if (action === 'bid' && (withBid.includes(entity) || groupsWithBid.includes(entity))) {
    const micros = readAmount(value, profile, 'bid')
    if (typeof micros === 'string') return micros
    return groupsWithBid.includes(entity) ? { defaultBidMicros: micros } : { bidMicros: micros }
  }
  return `A ${entity} has no ${action}.`
}

const readAmount = (value: ConsoleChange['value'], profile: Profile, kind: 'bid' | 'budget'): number | string => {
  const facts = marketplaceByAmazonId(profile.marketplaceId)
  const text = String(value ?? '')
  if (!facts || !/^\d+(\.\d+)?$/.test(text)) return `The ${kind} must be an amount.`
  const micros = roundToUnit(toMicros(text), profile.currency)
  const [low, high] =
    kind === 'bid' ? [facts.minBidMicros, facts.maxBidMicros] : [facts.minDailyBudgetMicros, facts.maxDailyBudgetMicros]
  return micros < low || micros > high ? `The ${kind} is outside the marketplace's limits.` : micros
}

const changeLogin = (world: World, { id, action, value }: ConsoleChange): string | null => {
  const login = world.store.logins.find(one => one.email === id)
  if (!login) return `There is no login ${id}.`
  if (action === 'revoke') {
    world.lwa.revokeLogin(id)
    return null
  }
  if (action !== 'invite-away') return `A login has no ${action}.`
  login.sellerIds = login.sellerIds.filter(sellerId => sellerId !== value)
  // Logins are no shelf of the books, so the journal of changes does not hold them.
  world.save()
  return null
}
