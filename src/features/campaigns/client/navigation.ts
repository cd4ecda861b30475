import { megaphoneOutline, removeCircleOutline, searchOutline, timeOutline } from 'ionicons/icons'
import type { NavEntry } from '#client/ui/shell/navigation/nav-context.ts'

export const campaignsNavigation: NavEntry[] = [
  { to: '/campaigns', label: 'Campaigns', icon: megaphoneOutline, tab: true, authorities: ['MERCHANT_MANAGER'] },
  { to: '/search-terms', label: 'Search terms', icon: searchOutline, authorities: ['MERCHANT_MANAGER'] },
  { to: '/negatives', label: 'Negatives', icon: removeCircleOutline, authorities: ['MERCHANT_MANAGER'] },
  { to: '/changes', label: 'History', icon: timeOutline, authorities: ['MERCHANT_MANAGER'] },
]
