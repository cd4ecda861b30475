import { IonApp } from '@ionic/react'
import { Outlet } from '@tanstack/react-router'
import { IonicRouterAdapter } from '../ionic/adapter.tsx'
import { Toasts } from './toasts.tsx'

/** The frame of every screen: Ionic under the router, notifications, the way past the menu for keyboards. */
export const AppShell = () => (
  <IonicRouterAdapter>
    <IonApp>
      <a className="skip-link" href="#page-title" onClick={toHeading}>
        Skip to content
      </a>
      {/* Ionic hides the element of this id from screen readers under an overlay. */}
      <div id="ion-view-container-root" className="app-frame">
        <Outlet />
      </div>
      <Toasts />
    </IonApp>
  </IonicRouterAdapter>
)

// The address keeps its own fragment, so the heading is focused here.
const toHeading = (event: React.MouseEvent): void => {
  event.preventDefault()
  document.querySelector<HTMLElement>('#page-title')?.focus()
}
