import { barChartOutline } from 'ionicons/icons'
import type { NavEntry } from '#client/ui/shell/navigation/nav-context.ts'
import { firstInsight, insightPages } from './insight-pages.ts'

/** A phone has one tab for all of them, a desk a line for each. */
export const insightsNavigation: NavEntry[] = [
  { to: '/insights', leadsTo: firstInsight, label: 'Insights', icon: barChartOutline, tab: 'only' },
  ...insightPages.map(({ to, label, icon }) => ({ to, label, icon, group: 'Insights' })),
]
