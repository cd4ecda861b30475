import { linkOutline, settingsOutline } from 'ionicons/icons'
import type { NavEntry } from '#client/ui/shell/navigation/nav-context.ts'

export const accountsNavigation: NavEntry[] = [
  { to: '/connections', label: 'Connections', icon: linkOutline, group: 'Account' },
  { to: '/settings', label: 'Settings', icon: settingsOutline, group: 'Account' },
]
