import { IonApp } from '@ionic/react'
import { Outlet } from '@tanstack/react-router'
import { Toasts } from './toasts.tsx'

/** The frame of every screen. Pages are drawn by the router's own outlet, so IonRouterOutlet and IonTabs must not be used. */
export function AppShell() {
  return (
    <IonApp>
      {/* Ionic hides the element of this id from screen readers under an overlay. */}
      <div id="ion-view-container-root" className="app-frame">
        <Outlet />
      </div>
      <Toasts />
    </IonApp>
  )
}

export function PlainLayout() {
  return (
    <div className="outlet">
      <Outlet />
    </div>
  )
}
