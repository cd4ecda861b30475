import { pauseOutline, playOutline } from 'ionicons/icons'
import type { RowAction } from '#client/ui/lists/row-menu.tsx'

/** The action that takes a row to the other of running and paused. */
export function switchAction(next: 'ENABLED' | 'PAUSED', onSelect: () => void): RowAction {
  return {
    label: next === 'PAUSED' ? 'Pause' : 'Enable',
    icon: next === 'PAUSED' ? pauseOutline : playOutline,
    onSelect,
  }
}
