import { cardOutline } from 'ionicons/icons'
import { type GuardQuestions, questionOf } from '#client/guarded.ts'
import type { NavEntry } from '#client/ui/shell/navigation/nav-context.ts'
import { subscriptionQueries } from './queries.ts'

export { subscriptionQueries } from './queries.ts'
export { subscriptionDashboardRoutes } from './routes.tsx'

/** What the guard asks of this feature. */
export const subscriptionQuestions = {
  subscription: questionOf(subscriptionQueries.current()),
} satisfies GuardQuestions

export const subscriptionNavigation: NavEntry[] = [
  { to: '/subscription', label: 'Subscription', icon: cardOutline, group: 'Account' },
]
