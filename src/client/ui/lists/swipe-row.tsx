import { defineCustomElement } from '@ionic/core/components/ion-item.js'
import { IonItem, IonItemOption, IonItemOptions, IonItemSliding } from '@ionic/react'
import { ellipsisVertical } from 'ionicons/icons'
import { type ReactNode, useRef } from 'react'
import { actionSheet } from '../overlays/action-sheet.ts'
import { Icon } from '../ionic/icon.tsx'

defineCustomElement()

export interface RowAction {
  label: string
  onSelect: () => void
  icon?: string
  tone?: 'plain' | 'danger'
}

interface SwipeRowProps {
  /** Name of the row, for the menu's heading. */
  name: string
  actions: readonly RowAction[]
  children: ReactNode
}

/** A row whose actions come by a swipe and, the same ones, behind a button. */
export const SwipeRow = ({ name, actions, children }: SwipeRowProps) => {
  const sliding = useRef<HTMLIonItemSlidingElement>(null)
  const choose = async (): Promise<void> => {
    const chosen = await actionSheet({
      title: name,
      actions: actions.map(({ label, tone }) => ({ label, ...(tone && { tone }) })),
    })
    actions.find(({ label }) => label === chosen)?.onSelect()
  }
  return (
    <IonItemSliding ref={sliding}>
      <IonItem lines="none" className="swipe-item">
        <div className="swipe-content">{children}</div>
        <button
          type="button"
          slot="end"
          className="icon-button"
          aria-label={`Actions for ${name}`}
          onClick={() => void choose()}
        >
          <Icon icon={ellipsisVertical} />
        </button>
      </IonItem>
      <IonItemOptions side="end">
        {actions.map(({ label, icon, tone, onSelect }) => (
          <IonItemOption
            key={label}
            color={tone === 'danger' ? 'danger' : 'primary'}
            onClick={() => {
              void sliding.current?.close()
              onSelect()
            }}
          >
            {icon && <Icon icon={icon} />}
            {label}
          </IonItemOption>
        ))}
      </IonItemOptions>
    </IonItemSliding>
  )
}
