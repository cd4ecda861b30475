import { z } from 'zod'
import { marketplaceByAmazonId } from '#shared/marketplaces.ts'
import { roundToUnit, toMicros } from '#shared/money.ts'
import type { EntityState, Profile } from '../core/model/store.ts'
import { type CollectionName, collectionNames } from '../core/store/collections.ts'
import type { World } from '../core/world.ts'

type EntityOf<Name> = Name extends `${infer Entity}s` ? Entity : never
const others = [
  'sellers',
  'profiles',
  'products',
  'portfolios',
  'budgetRules',
  'bidRules',
  'roasRules',
  'marketEvents',
] as const
/** What the console calls what is in a campaign, and campaigns themselves: the name of the collection without its s. */
export type Entity = EntityOf<Exclude<CollectionName, (typeof others)[number]>>
const entities = collectionNames
  .filter(name => !others.some(other => other === name))
  .map(name => name.slice(0, -1) as Entity)

/** A change that a person makes in the marketplace's own console, without any application noticing. */
const consoleChange = z.object({
  entity: z.enum([...entities, 'login', 'product', 'profile']),
  /** The entity's id; for a login, its e-mail; for a product, `seller|marketplace|SKU`. */
  id: z.string(),
  action: z.enum([
    'pause',
    'enable',
    'archive',
    'bid',
    'budget',
    'rename',
    'revoke',
    'invite-away',
    'stock',
    'price',
    'ineligible',
    'eligible',
    'fail-payment',
    'repair-payment',
  ]),
  /** bid, budget: the amount (a profile without one has no limit); rename: the name; invite-away: the seller's id; stock: how many can be shipped; price: what the product costs from now on. */
  value: z.union([z.string(), z.number()]).optional(),
})
type ConsoleChange = z.output<typeof consoleChange>

const campaigns: readonly string[] = ['campaign', 'brandCampaign', 'displayCampaign']
const groupsWithBid: readonly string[] = ['adGroup', 'displayAdGroup']
const renamable: readonly string[] = [...campaigns, ...groupsWithBid, 'brandAdGroup', 'brandAd']
const withBid: readonly string[] = ['keyword', 'target', 'brandKeyword', 'brandTarget', 'displayTarget']

const stateOf: Partial<Record<ConsoleChange['action'], EntityState>> = {
  pause: 'PAUSED',
  enable: 'ENABLED',
  archive: 'ARCHIVED',
}

/** Makes the change that a body describes. Returns what is wrong, or null. Only amounts are checked against limits here. */
export function changeInConsole(world: World, body: unknown): string | null {
  const { data: change, error } = consoleChange.safeParse(body)
  if (error) return z.prettifyError(error)
  const { entity, id } = change
  if (entity === 'login') return changeLogin(world, change)
  if (entity === 'product') return changeProduct(world, change)
  if (entity === 'profile') return changeProfile(world, change)
  return world.change((store, now) => {
    const collection = store[`${entity}s`]
    const old = collection.get(id)
    const profile = old && store.profiles.get(old.profileId)
    if (!old || !profile) return `There is no ${entity} ${id}.`
    const fields = readChange(change, profile)
    if (typeof fields === 'string') return fields
    // `readChange` returns only fields that the collection's entities have, which the union of their types cannot express.
    const map = collection as Map<string, unknown>
    map.set(id, { ...old, ...fields, updatedAt: now.getTime() })
    return null
  })
}

function readChange({ entity, action, value }: ConsoleChange, profile: Profile): object | string {
  const state = stateOf[action]
  if (state) return { state }
  if (action === 'rename' && renamable.includes(entity))
    return String(value ?? '').trim() ? { name: String(value) } : 'A name is missing.'
  const marketplace = marketplaceByAmazonId(profile.marketplaceId)
  const amountOf = (field: string, low = 0, high = 0): object | string => {
    const text = String(value ?? '')
    if (!marketplace || !/^\d+(\.\d+)?$/.test(text)) return `The ${action} must be an amount.`
    const micros = roundToUnit(toMicros(text), profile.currency)
    return micros < low || micros > high ? `The ${action} is outside the marketplace's limits.` : { [field]: micros }
  }
  if (action === 'budget' && campaigns.includes(entity))
    return amountOf('budgetMicros', marketplace?.minDailyBudgetMicros, marketplace?.maxDailyBudgetMicros)
  const isGroup = groupsWithBid.includes(entity)
  if (action === 'bid' && (isGroup || withBid.includes(entity)))
    return amountOf(isGroup ? 'defaultBidMicros' : 'bidMicros', marketplace?.minBidMicros, marketplace?.maxBidMicros)
  return `A ${entity} has no ${action}.`
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

/** What stops the ads of a product (it is sold out, or its listing is taken down for advertising), and a new price. */
function changeProduct(world: World, { id, action, value }: ConsoleChange): string | null {
  return world.change(store => {
    const product = store.products.get(id)
    if (!product) return `There is no product ${id}.`
    if (action === 'stock') {
      const fulfillable = Number(value)
      if (!Number.isInteger(fulfillable) || fulfillable < 0) return 'The stock must be a whole number.'
      // What is on its way would fill it up again at midnight.
      const inbound = { inboundWorking: 0, inboundShipped: 0, inboundReceiving: 0 }
      store.products.set(id, { ...product, fulfillable, ...(fulfillable === 0 && inbound) })
      return null
    }
    if (action === 'price') {
      const text = String(value)
      const currency = marketplaceByAmazonId(product.marketplaceId)?.currency
      if (!currency || !/^\d+(\.\d+)?$/.test(text)) return 'The price must be an amount.'
      store.products.set(id, { ...product, priceMicros: roundToUnit(toMicros(text), currency) })
      return null
    }
    if (action !== 'ineligible' && action !== 'eligible') return `A product has no ${action}.`
    const eligibilityMessage =
      action === 'eligible' ? null : 'This product is not eligible for advertising because its listing was taken down.'
    store.products.set(id, {
      ...product,
      eligibility: action === 'eligible' ? 'ELIGIBLE' : 'INELIGIBLE',
      eligibilityMessage,
    })
    return null
  })
}

/** The bank refuses the advertiser's card, or accepts it again; or all ads together may cost no more than so much a day. */
function changeProfile(world: World, { id, action, value }: ConsoleChange): string | null {
  return world.change(store => {
    const profile = store.profiles.get(Number(id))
    if (!profile) return `There is no profile ${id}.`
    const change = profileChange(profile, action, value)
    if (typeof change === 'string') return change
    store.profiles.set(profile.profileId, { ...profile, ...change })
    return null
  })
}

function profileChange(
  { currency }: Profile,
  action: ConsoleChange['action'],
  value: ConsoleChange['value'],
): Partial<Profile> | string {
  if (action === 'fail-payment' || action === 'repair-payment')
    return { validPaymentMethod: action === 'repair-payment' }
  if (action !== 'budget') return `A profile has no ${action}.`
  if (value === undefined) return { dailyBudgetMicros: null }
  const text = String(value)
  if (!/^\d+(\.\d+)?$/.test(text)) return 'The budget must be an amount.'
  return { dailyBudgetMicros: roundToUnit(toMicros(text), currency) }
}
