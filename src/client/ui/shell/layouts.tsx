import { IonApp } from '@ionic/react'
import { Outlet } from '@tanstack/react-router'
import { IonicRouterAdapter } from '../ionic/adapter.tsx'
import { Toasts } from './toasts.tsx'

/** The frame of every screen: Ionic under the router, notifications. */
export function AppShell() {
  return (
    <IonicRouterAdapter>
      <IonApp>
        {/* Ionic hides the element of this id from screen readers under an overlay. */}
        <div id="ion-view-container-root" className="app-frame">
          <Outlet />
        </div>
        <Toasts />
      </IonApp>
    </IonicRouterAdapter>
  )
}

/** The frame of screens without the dashboard: log-in, wizard, connecting an account. */
export function PlainLayout() {
  return (
    <div className="outlet">
      <Outlet />
    </div>
  )
}
