import {
  alertCircleOutline,
  banOutline,
  barChartOutline,
  batteryDeadOutline,
  cardOutline,
  checkmarkCircleOutline,
  closeCircleOutline,
  createOutline,
  documentTextOutline,
  downloadOutline,
  handLeftOutline,
  helpCircleOutline,
  hourglassOutline,
  pricetagOutline,
  speedometerOutline,
  trendingUpOutline,
} from 'ionicons/icons'
import { serverNow } from '#client/api/server-clock.ts'
import { formatFigure, formatMoment, formatNumber, formatPercent, formatTime } from '#client/ui/figures/format.ts'
import { marketplaceById } from '#shared/marketplaces.ts'
import { dayIn } from '#shared/time.ts'
import type {
  AppNotification,
  dismissReasons,
  Evidence,
  NotificationAction,
  NotificationKind,
  snoozeHours,
} from '../contract.ts'
import { region } from '#client/api/region.ts'

export const kindIcons: Record<NotificationKind, string> = {
  LAUNCH_FINISHED: checkmarkCircleOutline,
  LAUNCH_FAILED: closeCircleOutline,
  BUDGET_PACING: speedometerOutline,
  OUT_OF_BUDGET: batteryDeadOutline,
  SPEND_SPIKE: trendingUpOutline,
  NO_SALES: pricetagOutline,
  PAYMENT_PROBLEM: cardOutline,
  CONNECTION_LOST: alertCircleOutline,
  EXTERNAL_CHANGE: createOutline,
  PRODUCT_INELIGIBLE: banOutline,
  REPORT_READY: barChartOutline,
  INVOICE_READY: documentTextOutline,
  TRIAL_ENDING: hourglassOutline,
  OPTIMIZER_PROPOSAL: helpCircleOutline,
  OPTIMIZER_STOPPED: handLeftOutline,
  SEEDING_FINISHED: downloadOutline,
}

export const actionWords: Record<NotificationAction, string> = {
  PAUSE_CAMPAIGN: 'Pause campaign',
  RAISE_BUDGET_TODAY: 'Raise today’s budget',
  UNDO_CHANGE: 'Undo the change',
  APPROVE_PROPOSAL: 'Approve',
  REJECT_PROPOSAL: 'Reject',
}

export const actionEffects: Partial<Record<NotificationAction, string>> = {
  PAUSE_CAMPAIGN: 'Its ads stop until somebody enables it again.',
  UNDO_CHANGE: 'What was changed gets its value from before.',
  APPROVE_PROPOSAL: 'It is sent to the marketplace. The log of changes can undo it.',
  REJECT_PROPOSAL: 'Nothing is changed, and it is not proposed again for two weeks.',
}

export const reasonWords: Record<(typeof dismissReasons)[number], string> = {
  EXPECTED: 'I expected this',
  NOT_IMPORTANT: 'Not important to me',
  WRONG: 'This is wrong',
  LATER_MYSELF: 'I’ll see to it myself',
}

export const snoozeWords: Record<(typeof snoozeHours)[number], string> = {
  1: 'For 1 hour',
  4: 'For 4 hours',
  24: 'Until tomorrow',
  72: 'For 3 days',
}

const market = ({ merchant }: AppNotification) =>
  merchant?.marketplaceId == null ? undefined : marketplaceById(merchant.marketplaceId)

/** The time of a moment of today, with its day of any other. */
function momentText(at: Date, timezone = region().timeZone): string {
  const isToday = dayIn(at, timezone) === dayIn(new Date(serverNow()), timezone)
  return isToday ? formatTime(at, timezone) : formatMoment(at, timezone)
}

/** A line of evidence, as people write its value: money in the marketplace's currency, times in its time zone. */
export function evidenceText(of: AppNotification, { format, value }: Evidence): string {
  if (typeof value === 'string')
    return format === 'time' && !Number.isNaN(Date.parse(value))
      ? momentText(new Date(value), market(of)?.timezone)
      : value
  if (format === 'money') return formatFigure(value, 'money', of.stake?.currency ?? market(of)?.currency ?? 'USD')
  return format === 'percent' ? formatPercent(value, 1) : formatNumber(value, 2)
}

/** False for what is the same in every shop. */
export const isOfShop = ({ url }: AppNotification): boolean => !/^\/(connections|subscription|settings)\b/.test(url)

/** A merchant with its country, as the switch of shops names them. */
export const shopWords = ({ name, marketplaceId }: NonNullable<AppNotification['merchant']>): string =>
  [name, marketplaceById(marketplaceId ?? 0)?.key].filter(Boolean).join(' · ')

// Each before those that begin like it.
const places: readonly (readonly [path: string, name: string])[] = [
  ['/campaigns', 'campaign'],
  ['/connections', 'connections'],
  ['/subscription/billing', 'billing'],
  ['/subscription/invoices', 'invoice'],
  ['/subscription', 'subscription'],
  ['/create-campaign-logs', 'launches'],
  ['/automation-logs', 'decision'],
  ['/inventory', 'inventory'],
  ['/performance-reports', 'reports'],
  ['/settings', 'settings'],
  ['/home', 'Home'],
]

/** The link to where a notification is solved, by what is there. */
export function placeWords({ kind, url }: AppNotification): string {
  if (kind === 'OPTIMIZER_PROPOSAL') return 'See why'
  const place = places.find(([path]) => url.startsWith(path))
  return place ? `Open ${place[1]}` : 'Open'
}
