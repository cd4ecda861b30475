import type { EntityId } from '../../core/model/store.ts'
import type { AdsCaller } from '../ads-caller.ts'
import { itemError } from '../entities/item-error.ts'

/** The portfolio a campaign is to be in. Throws when the profile has none of this id. */
export const ownPortfolio = ({ world, profile }: AdsCaller, portfolioId: EntityId): EntityId => {
  if (world.store.portfolios.get(portfolioId)?.profileId !== profile.profileId)
    throw itemError('entityNotFoundError', 'ENTITY_NOT_FOUND', {
      message: 'The portfolio was not found',
      field: 'portfolioId',
      trigger: portfolioId,
      more: { entityId: portfolioId, entityType: 'PORTFOLIO' },
    })
  return portfolioId
}
