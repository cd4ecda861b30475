import '../ionic/start-ionic.ts'
import { defineCustomElement } from '@ionic/core/components/ion-item.js'
import { IonItem, IonItemOption, IonItemOptions, IonItemSliding } from '@ionic/react'
import { type ReactNode, startTransition, useEffect, useRef, useState } from 'react'
import { Icon } from '../ionic/icon.tsx'
import { type RowAction, RowMenu } from './row-menu.tsx'
import './swipe-row.css'

// Ionic's React wrappers of IonItem, IonButton and their kin register themselves by class only, without the elements inside
// them (the ripple, for one).
defineCustomElement()

interface SwipeRowProps {
  name: string
  actions: readonly RowAction[]
  children: ReactNode
}

/** A row whose actions come by a swipe and, the same ones, behind a button. */
export function SwipeRow({ name, actions, children }: SwipeRowProps) {
  const sliding = useRef<HTMLIonItemSlidingElement>(null)
  // What is behind the row comes after its first frame: it would make the first rows of a list late.
  const [hasOptions, setHasOptions] = useState(false)
  useEffect(() => startTransition(() => setHasOptions(true)), [])
  return (
    <IonItemSliding ref={sliding}>
      <IonItem lines="none" className="swipe-item">
        <div className="swipe-content">{children}</div>
        <RowMenu name={name} actions={actions} slot="end" />
      </IonItem>
      {hasOptions && (
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
      )}
    </IonItemSliding>
  )
}
