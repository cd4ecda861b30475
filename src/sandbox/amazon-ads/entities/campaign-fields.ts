import type { EntityId } from '../../core/model/store.ts'
import type { Entity, Field } from './entity-kind.ts'
import { itemError, throwFirst } from './item-error.ts'

/**
 * The days on which a campaign starts (by default today) and ends. It may not begin before today (of the profile's time
 * zone), nor end before it begins or before today. Some products check dates again that an item repeats unchanged, and
 * require a start of a new campaign with an end.
 */
export const dates = ({
  checksUnchanged = false,
  endNeedsStart = false,
}): Field<Entity & { startDate: string; endDate: string | null }> => ({
  read({ caller: { today }, item, style, before }) {
    const start = style.readDay(item, 'startDate')
    const startDate = start ?? before?.startDate ?? today
    const endDate = before && item.endDate === undefined ? before.endDate : (style.readDay(item, 'endDate') ?? null)
    if (!before && endNeedsStart && endDate !== null && start === undefined)
      throw itemError('MISSING_VALUE', 'A campaign with an end date needs a start date', { startDate: undefined })
    const moved = startDate !== before?.startDate
    if (before && moved && before.startDate <= today)
      throw itemError('UPDATING_READ_ONLY_START_DATE', 'The campaign has begun; its start date cannot be changed', {
        startDate: item.startDate,
      })
    const isSaid = checksUnchanged && (start !== undefined || item.endDate !== undefined)
    const [hasEnd, end] = [endDate !== null, endDate ?? '']
    if (moved || isSaid || endDate !== before?.endDate)
      throwFirst([
        [
          moved && startDate < today,
          'START_DATE_EARLIER_THAN_TODAY',
          'The start date is earlier than today',
          { startDate },
        ],
        [hasEnd && end < startDate, 'START_DATE_AFTER_END_DATE', 'The start date is after the end date', { endDate }],
        [hasEnd && end < today, 'END_DATE_EARLIER_THAN_TODAY', 'The end date is earlier than today', { endDate }],
      ])
    return { startDate, endDate }
  },
  write: ({ startDate, endDate }, { style }) => ({
    startDate: style.day(startDate),
    ...(endDate && { endDate: style.day(endDate) }),
  }),
})

/** The portfolio a campaign belongs to. Throws when the profile has none with this id. */
export const portfolio: Field<Entity & { portfolioId: EntityId | null }> = {
  read({ caller, item, style, before }) {
    const portfolioId = style.readPortfolioId(item)
    if (!portfolioId) return portfolioId === null || !before ? { portfolioId: null } : undefined
    if (caller.world.store.portfolios.get(portfolioId)?.profileId !== caller.profile.profileId) {
      const more = { entityId: portfolioId, entityType: 'PORTFOLIO' }
      throw itemError('ENTITY_NOT_FOUND', 'The portfolio was not found', { portfolioId }, more)
    }
    return { portfolioId }
  },
  write: ({ portfolioId }, { style }) => (portfolioId ? { portfolioId: style.id(portfolioId) } : {}),
}

/** Nobody creates a campaign without a valid payment method. */
export const validPayment: Field = {
  once: true,
  read({ caller }) {
    if (!caller.profile.validPaymentMethod)
      throw itemError('ADVERTISER_BILLING_SETUP_INCOMPLETE', 'The advertiser has no valid payment method')
    return undefined
  },
}
