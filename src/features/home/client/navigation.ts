import { homeOutline } from 'ionicons/icons'
import type { NavEntry } from '#client/ui/shell/navigation/nav-context.ts'

export const homeNavigation: NavEntry[] = [{ to: '/home', label: 'Home', icon: homeOutline, tab: true }]
