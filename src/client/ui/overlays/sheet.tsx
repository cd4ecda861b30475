import { IonContent, IonModal, IonToolbar } from '@ionic/react'
import { closeOutline } from 'ionicons/icons'
import type { ReactNode } from 'react'
import { Icon } from '../ionic/icon.tsx'

interface SheetProps {
  open: boolean
  title: string
  onClose: () => void
  /** Buttons at the bottom. */
  footer?: ReactNode
  children: ReactNode
}

/** One sheet that rises over the page; swiping it down, Escape and the back button close it. */
export const Sheet = ({ open, title, onClose, footer, children }: SheetProps) => (
  <IonModal
    isOpen={open}
    aria-label={title}
    breakpoints={[0, 0.5, 1]}
    initialBreakpoint={1}
    expandToScroll={false}
    className="sheet"
    onDidDismiss={onClose}
  >
    <SheetFrame title={title} footer={footer} onClose={onClose}>
      {children}
    </SheetFrame>
  </IonModal>
)

interface SheetFrameProps {
  title: string
  /** Before the title, for instance "2 of 5". */
  count?: string
  onClose: () => void
  closeLabel?: string
  footer?: ReactNode
  children: ReactNode
}

/** The inside of a sheet. Without Ionic's header element, which would claim to be the banner of the whole page. */
export const SheetFrame = ({ title, count, onClose, closeLabel = 'Close', footer, children }: SheetFrameProps) => (
  <div className="ion-page sheet-frame">
    <IonToolbar className="sheet-head">
      <div className="sheet-title">
        <h2>{title}</h2>
        {count && <span>{count}</span>}
        <button type="button" className="icon-button" aria-label={closeLabel} onClick={onClose}>
          <Icon icon={closeOutline} />
        </button>
      </div>
    </IonToolbar>
    <IonContent>
      <div className="sheet-body">{children}</div>
    </IonContent>
    {footer && <div className="sheet-footer">{footer}</div>}
  </div>
)
