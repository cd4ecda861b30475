import { ellipsisVertical } from 'ionicons/icons'
import { actionSheet } from '../overlays/dialogs.ts'
import { Icon } from '../ionic/icon.tsx'

export interface RowAction {
  label: string
  onSelect: () => void
  icon?: string
  tone?: 'plain' | 'danger'
}

interface RowMenuProps {
  name: string
  actions: readonly RowAction[]
  /** Where the button goes in a component of Ionic's. */
  slot?: string
}

export function RowMenu({ name, actions, slot }: RowMenuProps) {
  const choose = async (): Promise<void> => {
    const chosen = await actionSheet({
      title: name,
      actions: actions.map(({ label, tone }) => ({ label, ...(tone && { tone }) })),
    })
    actions.find(({ label }) => label === chosen)?.onSelect()
  }
  return (
    <button
      type="button"
      slot={slot}
      className="icon-button"
      aria-label={`Actions for ${name}`}
      onClick={() => void choose()}
    >
      <Icon icon={ellipsisVertical} />
    </button>
  )
}
