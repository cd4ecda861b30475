import type { DisplayCampaign } from '../../core/model/display.ts'
import type { AdsCaller } from '../ads-caller.ts'
import type { Entity, ProductFamily, Scope } from '../entities/entity-kind.ts'
import { servingStatus, type StatusRules } from '../entities/serving-status.ts'
import { numberStyle } from '../entities/wire-styles.ts'
import { displayBidRange, type MoneyRange } from '../limits/ad-limits.ts'

/** What the resources of Sponsored Display share; every answer is plain JSON. */
export const sponsoredDisplay = {
  product: {
    style: numberStyle,
    campaigns: 'displayCampaigns',
    adGroups: 'displayAdGroups',
  } satisfies ProductFamily,
  types: { change: 'application/json', one: 'application/json', list: 'application/json' },
}

export const campaignOf = ({ caller, draft }: Scope<Entity>): DisplayCampaign | undefined =>
  caller.world.store.displayCampaigns.get(draft.campaignId ?? '')

/** Bids of the campaign's cost type. A campaign exists only where there are some. */
export function bidRange(scope: Scope<Entity>): MoneyRange {
  return (
    displayBidRange(scope.caller.marketplace.key, campaignOf(scope)?.costType ?? 'CPC') ?? {
      leastMicros: 0,
      mostMicros: 0,
    }
  )
}

/** What `/extended` adds to an entity: dates in epoch milliseconds, and the first reason why it does not serve. */
export function extendedBy<E extends Entity>(rules: Omit<StatusRules<E>, 'product'>) {
  const statusOf = servingStatus<E>({ product: sponsoredDisplay.product, ...rules })
  return (entity: E, caller: AdsCaller): Record<string, unknown> => ({
    servingStatus: statusOf(entity, caller).status,
    creationDate: entity.createdAt,
    lastUpdatedDate: entity.updatedAt,
  })
}
