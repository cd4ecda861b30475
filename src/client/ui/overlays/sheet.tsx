import '../ionic/start-ionic.ts'
import { IonContent, IonModal, IonToolbar } from '@ionic/react'
import { closeOutline } from 'ionicons/icons'
import { type ReactNode, useState } from 'react'
import { useHoldReload } from '../../pwa/can-reload-now.ts'
import { Icon } from '../ionic/icon.tsx'

interface SheetProps {
  open: boolean
  title: string
  onClose: () => void
  short?: boolean
  footer?: ReactNode
  children: ReactNode
}

/** One sheet that rises over the page; swiping it down, Escape and the back button close it. */
export function Sheet({ open, title, onClose, short = false, footer, children }: SheetProps) {
  useHoldReload(open)
  // What is in it stays until the sheet has sunk.
  const [isUp, setUp] = useState(false)
  return (
    <IonModal
      isOpen={open}
      // Its empty frame is always there: Ionic sizes it to the breakpoint when it presents the sheet, and on a busy device that
      // is before React has drawn one. The footer of a half-high sheet then stood below the screen.
      keepContentsMounted
      ref={modal => nameSheet(modal, title)}
      breakpoints={[0, 0.5, 1]}
      initialBreakpoint={short ? 0.5 : 1}
      expandToScroll={false}
      className="sheet"
      onWillPresent={event => {
        unnameHost(event)
        setUp(true)
      }}
      onDidDismiss={() => {
        setUp(false)
        onClose()
      }}
    >
      {/* Without Ionic's header element, which would claim to be the banner of the whole page. */}
      {(open || isUp) && (
        <section className="ion-page sheet-frame" aria-label={title}>
          <IonToolbar className="sheet-head">
            <SheetTitle title={title} onClose={onClose} closeLabel="Close" as="h2" />
          </IonToolbar>
          <IonContent>
            <div className="sheet-body">{children}</div>
          </IonContent>
          {footer && <div className="sheet-footer">{footer}</div>}
        </section>
      )}
    </IonModal>
  )
}

// Ionic copies the name to the dialog inside the modal when it loads; on the modal itself it must not stay (`unnameHost`),
// where it would be content outside any landmark.
function nameSheet(modal: HTMLElement | null, label: string): void {
  if (!modal || modal.dataset.named) return
  modal.dataset.named = 'true'
  modal.setAttribute('aria-label', label)
}
const unnameHost = (event: { target: EventTarget | null }): void =>
  (event.target as Element | null)?.removeAttribute('aria-label')

interface SheetTitleProps {
  title: string
  count?: string
  onClose: () => void
  closeLabel: string
  as: 'h1' | 'h2'
}

export function SheetTitle({ title, count, onClose, closeLabel, as: Heading }: SheetTitleProps) {
  return (
    <div className="sheet-title">
      <Heading tabIndex={-1}>{title}</Heading>
      {count && <span>{count}</span>}
      <button type="button" className="icon-button" aria-label={closeLabel} onClick={onClose}>
        <Icon icon={closeOutline} />
      </button>
    </div>
  )
}
