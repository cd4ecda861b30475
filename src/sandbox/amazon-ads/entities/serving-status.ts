import type { Campaign, EntityState } from '../../core/model/store.ts'
import type { AdsCaller } from '../ads-caller.ts'
import type { Entity, ProductFamily, StatusRules } from './entity-kind.ts'

// Names as in the vendor's specifications (CampaignServingStatus, AdGroupServingStatus, ...); the ad products agree.

/** Why a campaign does not serve; empty when it does. */
export function campaignReasons(
  campaign: Pick<Campaign, 'campaignId' | 'state' | 'startDate' | 'endDate' | 'portfolioId'>,
  { world, now, today, profile }: AdsCaller,
): string[] {
  if (campaign.state === 'ARCHIVED') return ['CAMPAIGN_ARCHIVED']
  const reasons: string[] = []
  if (campaign.state === 'PAUSED') reasons.push('CAMPAIGN_PAUSED')
  if (campaign.endDate !== null && campaign.endDate < today) reasons.push('ENDED')
  if (campaign.startDate > today) reasons.push('PENDING_START_DATE')
  if (!profile.validPaymentMethod) reasons.push('ADVERTISER_PAYMENT_FAILURE')
  const portfolio = world.store.portfolios.get(campaign.portfolioId ?? '')
  if (portfolio?.endDate && portfolio.endDate < today) reasons.push('PORTFOLIO_ENDED')
  if (portfolio?.startDate && portfolio.startDate > today) reasons.push('PORTFOLIO_PENDING_START_DATE')
  const out = reasons.length === 0 ? world.market().budgets.outOf(campaign.campaignId, now) : null
  return out ? [`${out}_OUT_OF_BUDGET`] : reasons
}

const stateReason = (prefix: string, state: EntityState | undefined): string | undefined =>
  state === 'ARCHIVED' || state === 'PAUSED' ? `${prefix}_${state}` : undefined

// The statuses of ad groups have another name for an account that reached its daily budget.
const ofAdGroup = (reason: string): string => (reason === 'ACCOUNT_OUT_OF_BUDGET' ? 'ADVERTISER_OUT_OF_BUDGET' : reason)

/** The reasons why an entity does not serve, the first of which is its status; only what it is `live` if there is none. */
export function servingStatus(
  { product, status }: { product: ProductFamily; status: StatusRules },
  entity: Entity,
  caller: AdsCaller,
): string[] {
  const { prefix, live, campaignFirst } = status
  const { store } = caller.world
  const campaign = store[product.campaigns].get(entity.campaignId ?? '')
  const adGroup = store[product.adGroups].get(entity.adGroupId ?? '')
  const own = (prefix && stateReason(prefix, entity.state)) ?? status.ownReason?.(entity, caller)
  const group = stateReason('AD_GROUP', adGroup?.state)
  const campaigns: (string | undefined)[] = campaign ? campaignReasons(campaign, caller) : []
  if (campaign && campaigns.length === 0) campaigns.push(product.campaignReason?.(campaign.campaignId, caller))
  const all = [own, ...(campaignFirst ? [...campaigns, group] : [group, ...campaigns])]
  const reasons = all.flatMap(reason =>
    reason === undefined ? [] : live.startsWith('AD_GROUP') ? ofAdGroup(reason) : reason,
  )
  return reasons.length > 0 ? reasons : [live]
}
