import { fromMicros } from '#shared/money.ts'
import type { Dated, EntityId } from '../../../core/model/entity.ts'
import type { EntityState, Profile } from '../../../core/model/store.ts'
import type { World } from '../../../core/world.ts'
import type { AdsCaller } from '../../ads-caller.ts'
import { campaignReasons } from '../../entities/serving-status.ts'
import type { AdProduct } from '../../../market/market.ts'

/** What the common models are made from, besides the entity itself. */
export interface ModelContext {
  world: World
  profile: Profile
  /** The profile's entries of a collection. */
  own: <T extends { profileId: number }>(collection: ReadonlyMap<string, T>) => T[]
  /** Why the campaign with this id does not serve, as the common models name it; empty when it does. */
  campaignReasons(campaignId: EntityId): readonly string[]
}

// Serving statuses that have another name in the common models.
const commonReasons: Record<string, string> = {
  PENDING_START_DATE: 'CAMPAIGN_PENDING_START_DATE',
  ENDED: 'CAMPAIGN_END_DATE_REACHED',
}

/** A context that caches each campaign's reasons. */
export function createModelContext(caller: AdsCaller): ModelContext {
  const cached = new Map<EntityId, readonly string[]>()
  const { world, profile } = caller
  return {
    world,
    profile,
    own: collection => [...collection.values()].filter(one => one.profileId === profile.profileId),
    campaignReasons(campaignId) {
      let reasons = cached.get(campaignId)
      if (!reasons) {
        const { campaigns, brandCampaigns, displayCampaigns } = world.store
        const campaign = campaigns.get(campaignId) ?? brandCampaigns.get(campaignId) ?? displayCampaigns.get(campaignId)
        reasons = campaign ? campaignReasons(campaign, caller).map(reason => commonReasons[reason] ?? reason) : []
        cached.set(campaignId, reasons)
      }
      return reasons
    },
  }
}

/** An entity in the vendor's common model, with what exports filter by. */
export interface CommonModel {
  adProduct: AdProduct
  state: EntityState
  [field: string]: unknown
}

export function delivery(reasons: readonly string[]): object {
  return {
    deliveryStatus: reasons.length > 0 ? 'NOT_DELIVERING' : 'DELIVERING',
    ...(reasons.length > 0 && { deliveryReasons: reasons }),
  }
}

export function dates({ createdAt, updatedAt }: Dated): object {
  return {
    creationDateTime: new Date(createdAt).toISOString(),
    lastUpdatedDateTime: new Date(updatedAt).toISOString(),
  }
}

export const bidIn = (profile: Profile, name: string, bidMicros: number | null): object =>
  bidMicros === null ? {} : { bid: { currencyCode: profile.currency, [name]: fromMicros(bidMicros) } }

/** `PAUSED` and `ARCHIVED` as a reason of this kind of entity. */
export const stateReasons = (kind: 'AD_GROUP' | 'AD' | 'TARGET', state: EntityState): string[] =>
  state === 'PAUSED' || state === 'ARCHIVED' ? [`${kind}_${state}`] : []
