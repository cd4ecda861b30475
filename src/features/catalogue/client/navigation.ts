import { cubeOutline } from 'ionicons/icons'
import type { NavEntry } from '#client/ui/shell/navigation/nav-context.ts'

export const catalogueNavigation: NavEntry[] = [{ to: '/inventory', label: 'Inventory', icon: cubeOutline, tab: true }]
