import { marketplaceByAmazonId } from '#shared/marketplaces.ts'
import { roundToUnit, toMicros } from '#shared/money.ts'
import type { EntityState, Profile } from '../core/model/store.ts'
import type { World } from '../core/world.ts'

/** Collections by what the console calls their entities. */
const collections = {
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
type Entity = keyof typeof collections

/** What can be changed; `login` is a person. */
export const changeable = [...(Object.keys(collections) as Entity[]), 'login'] as const

/** A change that a person makes in the marketplace's own console, without any application noticing. */
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
const renamable: readonly string[] = [...campaigns, ...groupsWithBid, 'brandAdGroup', 'brandAd']
const withBid: readonly string[] = ['keyword', 'target', 'brandKeyword', 'brandTarget', 'displayTarget']

const stateOf: Partial<Record<ConsoleChange['action'], EntityState>> = {
  pause: 'PAUSED',
  enable: 'ENABLED',
  archive: 'ARCHIVED',
}

interface Fields {
  state?: EntityState
  name?: string
  bidMicros?: number
  defaultBidMicros?: number
  budgetMicros?: number
}

/** Makes the change. Returns what is wrong, or null. Only amounts are checked against limits here. */
export function changeInConsole(world: World, change: ConsoleChange): string | null {
  if (change.entity === 'login') return changeLogin(world, change)
  const collection = collections[change.entity]
  return world.change((store, now) => {
    const old = store[collection].get(change.id)
    const profile = old && store.profiles.get(old.profileId)
    if (!old || !profile) return `There is no ${change.entity} ${change.id}.`
    const fields = readChange(change, profile)
    if (typeof fields === 'string') return fields
    // `readChange` returns only fields that the collection's entities have, which the union of their types cannot express.
    const map = store[collection] as Map<string, unknown>
    map.set(change.id, { ...old, ...fields, updatedAt: now.getTime() })
    return null
  })
}

function readChange({ entity, action, value }: ConsoleChange, profile: Profile): Fields | string {
  const state = stateOf[action]
  if (state) return { state }
  if (action === 'rename' && renamable.includes(entity))
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

function readAmount(value: ConsoleChange['value'], profile: Profile, kind: 'bid' | 'budget'): number | string {
  const marketplace = marketplaceByAmazonId(profile.marketplaceId)
  const text = String(value ?? '')
  if (!marketplace || !/^\d+(\.\d+)?$/.test(text)) return `The ${kind} must be an amount.`
  const micros = roundToUnit(toMicros(text), profile.currency)
  const [low, high] =
    kind === 'bid'
      ? [marketplace.minBidMicros, marketplace.maxBidMicros]
      : [marketplace.minDailyBudgetMicros, marketplace.maxDailyBudgetMicros]
  return micros < low || micros > high ? `The ${kind} is outside the marketplace's limits.` : micros
}

function changeLogin(world: World, { id, action, value }: ConsoleChange): string | null {
  const login = world.store.logins.find(one => one.email === id)
  if (!login) return `There is no login ${id}.`
  if (action === 'revoke') {
    world.lwa.revokeLogin(id)
    return null
  }
  if (action !== 'invite-away') return `A login has no ${action}.`
  login.sellerIds = login.sellerIds.filter(sellerId => sellerId !== value)
  // Logins are not a collection, so the journal of changes does not contain them.
  world.save()
  return null
}
