import { pricetagsOutline, textOutline, timeOutline } from 'ionicons/icons'
import type { MetricName } from '#shared/metrics.ts'

interface InsightPage {
  to: string
  /** In the menu. */
  label: string
  /** On the switch, where three must fit side by side on a phone. */
  short: string
  icon: string
}

/** Where /insights leads. */
export const firstInsight = '/insights/hourly-trends'

/** Of which figure its hours are first shown. */
export const firstMetric = 'acos' satisfies MetricName

/** The pages of insights, in the order of the menu and of the switch on each of them. */
export const insightPages: readonly InsightPage[] = [
  { to: firstInsight, label: 'Hourly trends', short: 'Hours', icon: timeOutline },
  { to: '/insights/asin-performance', label: 'Products', short: 'Products', icon: pricetagsOutline },
  { to: '/insights/keyword-performance', label: 'Keyword performance', short: 'Keywords', icon: textOutline },
]
