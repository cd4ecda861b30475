import { itemError } from '../entities/item-error.ts'
import { type Item, optionalText } from '../entities/read-fields.ts'

/** A calendar day (yyyy-MM-dd) or nothing; null counts as nothing. Throws an item error for what is no day. */
export const readDate = (item: Item, field: 'startDate' | 'endDate'): string | undefined => {
  const text = optionalText(item, field)
  if (text === undefined) return undefined
  const at = new Date(`${text}T00:00:00Z`)
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || Number.isNaN(at.getTime()) || at.toISOString().slice(0, 10) !== text)
    throw itemError('dateError', 'INVALID_DATE', { message: 'The date must be YYYY-MM-DD', field, trigger: text })
  return text
}

/** A campaign may not begin before today (of the profile's time zone), nor end before it begins or before today. */
export const checkDates = (
  { startDate, endDate }: { startDate: string; endDate: string | null },
  today: string,
  { startMayBePast }: { startMayBePast: boolean },
): void => {
  if (!startMayBePast && startDate < today)
    throw itemError('dateError', 'START_DATE_EARLIER_THAN_TODAY', {
      message: 'The start date is earlier than today',
      field: 'startDate',
      trigger: startDate,
    })
  if (endDate !== null && endDate < startDate)
    throw itemError('dateError', 'START_DATE_AFTER_END_DATE', {
      message: 'The start date is after the end date',
      field: 'endDate',
      trigger: endDate,
    })
  if (endDate !== null && endDate < today)
    throw itemError('dateError', 'END_DATE_EARLIER_THAN_TODAY', {
      message: 'The end date is earlier than today',
      field: 'endDate',
      trigger: endDate,
    })
}
