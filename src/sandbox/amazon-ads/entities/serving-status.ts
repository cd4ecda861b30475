import type { EntityId, EntityState } from '../../core/model/store.ts'
import type { AdsCaller } from '../ads-caller.ts'
import type { ProductFamily, Entity } from './entity-kind.ts'

// Names as in the vendor's specifications (CampaignServingStatus, AdGroupServingStatus, ...); the ad products agree.

export interface ServingStatus {
  status: string
  details: string[]
}

/** What decides whether a campaign, of any ad product, serves. */
export interface ServingCampaign {
  campaignId: EntityId
  state: EntityState
  startDate: string
  endDate: string | null
}

/** Why a campaign does not serve; empty when it does. */
export function campaignReasons(campaign: ServingCampaign, { world, now, today, profile }: AdsCaller): string[] {
  if (campaign.state === 'ARCHIVED') return ['CAMPAIGN_ARCHIVED']
  const reasons: string[] = []
  if (campaign.state === 'PAUSED') reasons.push('CAMPAIGN_PAUSED')
  if (campaign.endDate !== null && campaign.endDate < today) reasons.push('ENDED')
  if (campaign.startDate > today) reasons.push('PENDING_START_DATE')
  if (!profile.validPaymentMethod) reasons.push('ADVERTISER_PAYMENT_FAILURE')
  if (reasons.length === 0 && world.market().isOutOfBudget(campaign.campaignId, now))
    reasons.push('CAMPAIGN_OUT_OF_BUDGET')
  return reasons
}

/** How a kind of entities reports its serving status. */
export interface StatusRules<E extends Entity> {
  product: ProductFamily
  /** What the reasons of the entity's own state begin with (AD: AD_PAUSED); ad groups and campaigns have theirs below. */
  prefix?: string
  live: string
  ownReason?(entity: E, caller: AdsCaller): string | undefined
  /** Why a campaign that could serve does not. */
  campaignReason?(campaignId: EntityId, caller: AdsCaller): string | undefined
  /** Whether the campaign's reasons come before the ad group's. */
  campaignFirst?: boolean
}

const stateReason = (prefix: string, state: EntityState | undefined): string | undefined =>
  state === 'ARCHIVED' || state === 'PAUSED' ? `${prefix}_${state}` : undefined

function reasonsOf<E extends Entity>(rules: StatusRules<E>, entity: E, caller: AdsCaller): string[] {
  const { store } = caller.world
  const campaign = store[rules.product.campaigns].get(entity.campaignId ?? '')
  const adGroup = store[rules.product.adGroups].get(entity.adGroupId ?? '')
  const own = rules.prefix && (stateReason(rules.prefix, entity.state) ?? rules.ownReason?.(entity, caller))
  const group = stateReason('AD_GROUP', adGroup?.state)
  const campaigns = campaign ? campaignReasons(campaign, caller) : []
  const further = campaign && campaigns.length === 0 && rules.campaignReason?.(campaign.campaignId, caller)
  const parents = rules.campaignFirst ? [...campaigns, further, group] : [group, ...campaigns, further]
  return [own, ...parents].filter(reason => typeof reason === 'string')
}

/** The first reason why an entity does not serve, with all of them; `live` when there is none. */
export function servingStatus<E extends Entity>(rules: StatusRules<E>) {
  return (entity: E, caller: AdsCaller): ServingStatus => {
    const reasons = reasonsOf(rules, entity, caller)
    return { status: reasons[0] ?? rules.live, details: reasons.length > 0 ? reasons : [rules.live] }
  }
}
