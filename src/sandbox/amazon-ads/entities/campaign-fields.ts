import type { EntityId } from '../../core/model/store.ts'
import type { AdsCaller } from '../ads-caller.ts'
import type { Entity, Field } from './entity-kind.ts'
import { itemError } from './item-error.ts'
import { missing } from './read-fields.ts'

interface Dates {
  startDate: string
  endDate: string | null
}

/** A campaign may not begin before today (of the profile's time zone), nor end before it begins or before today. */
function checkDates({ startDate, endDate }: Dates, { today }: AdsCaller, startMayBePast: boolean): void {
  const refuse = (
    reason: 'START_DATE_EARLIER_THAN_TODAY' | 'START_DATE_AFTER_END_DATE' | 'END_DATE_EARLIER_THAN_TODAY',
    message: string,
    [field, trigger]: readonly [string, string],
  ) => itemError('dateError', reason, { message, field, trigger })
  if (!startMayBePast && startDate < today)
    throw refuse('START_DATE_EARLIER_THAN_TODAY', 'The start date is earlier than today', ['startDate', startDate])
  if (endDate !== null && endDate < startDate)
    throw refuse('START_DATE_AFTER_END_DATE', 'The start date is after the end date', ['endDate', endDate])
  if (endDate !== null && endDate < today)
    throw refuse('END_DATE_EARLIER_THAN_TODAY', 'The end date is earlier than today', ['endDate', endDate])
}

interface DateRules {
  /** Whether dates that an item repeats unchanged are checked again. */
  checksUnchanged?: boolean
  /** Whether a new campaign with an end date must have a start date. */
  endNeedsStart?: boolean
}

/** The days on which a campaign starts (by default today) and ends. */
export function dates({ checksUnchanged, endNeedsStart }: DateRules): Field<Entity & Dates> {
  return {
    read({ caller, item, style, before }) {
      const start = style.readDay(item, 'startDate')
      const startDate = start ?? before?.startDate ?? caller.today
      const endDate = before && item.endDate === undefined ? before.endDate : (style.readDay(item, 'endDate') ?? null)
      if (!before && endNeedsStart && endDate !== null && start === undefined)
        throw itemError('missingValueError', 'MISSING_VALUE', {
          message: 'A campaign with an end date needs a start date',
          field: 'startDate',
        })
      const moved = startDate !== before?.startDate
      if (before && moved && before.startDate <= caller.today)
        throw itemError('dateError', 'UPDATING_READ_ONLY_START_DATE', {
          message: 'The campaign has begun; its start date cannot be changed',
          field: 'startDate',
          trigger: item.startDate,
        })
      const isSaid = checksUnchanged && (start !== undefined || item.endDate !== undefined)
      if (moved || isSaid || endDate !== before?.endDate) checkDates({ startDate, endDate }, caller, !moved)
      return { startDate, endDate }
    },
    write: ({ startDate, endDate }, { style }) => ({
      startDate: style.day(startDate),
      ...(endDate && { endDate: style.day(endDate) }),
    }),
  }
}

/** The portfolio a campaign belongs to. Throws when the profile has none with this id. */
export const portfolio: Field<Entity & { portfolioId: EntityId | null }> = {
  read({ caller, item, style, before }) {
    const portfolioId = style.readPortfolioId(item)
    if (!portfolioId) return portfolioId === null || !before ? { portfolioId: null } : undefined
    if (caller.world.store.portfolios.get(portfolioId)?.profileId !== caller.profile.profileId)
      throw itemError('entityNotFoundError', 'ENTITY_NOT_FOUND', {
        message: 'The portfolio was not found',
        field: 'portfolioId',
        trigger: portfolioId,
        more: { entityId: portfolioId, entityType: 'PORTFOLIO' },
      })
    return { portfolioId }
  },
  write: ({ portfolioId }, { style }) => (portfolioId ? { portfolioId: style.id(portfolioId) } : {}),
}

/** Nobody creates a campaign without a valid payment method. */
export const validPayment: Field<Entity> = {
  read({ caller, before }) {
    if (!before && !caller.profile.validPaymentMethod)
      throw itemError('billingError', 'ADVERTISER_BILLING_SETUP_INCOMPLETE', {
        message: 'The advertiser has no valid payment method',
      })
    return undefined
  },
}

/** A word of a campaign that an update may repeat but not change; it is checked even then. */
export function checkedWord<T extends string>(name: string, allowed: readonly T[], fallback?: T): Field<Entity> {
  return {
    read({ item, style, before }) {
      const value = style.readWord(item, name, allowed)
      if (before) return undefined
      if (value === undefined && fallback === undefined) throw missing(name)
      return { [name]: value ?? fallback }
    },
    write: (entity, { style }) => ({ [name]: style.word((entity as unknown as Record<string, string>)[name] ?? '') }),
  }
}
