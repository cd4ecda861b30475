import { Outlet } from '@tanstack/react-router'
import { useSelector } from '@tanstack/react-store'
import { closeOutline } from 'ionicons/icons'
import { createElement, useEffect } from 'react'
import { Icon } from '../ionic/icon.tsx'
import { dismissToast, type Toast, toasts } from './toast-store.ts'

/**
 * The frame of every screen. Pages are drawn by the router's own outlet, so IonRouterOutlet and IonTabs must not be used.
 * Ionic's overlays open in its ion-app, whose code comes once the first screen is drawn; React's wrapper would bring theirs.
 */
export function AppShell() {
  return createElement(
    'ion-app',
    { class: 'ion-page' },
    // Ionic hides the element of this id from screen readers under an overlay.
    <div id="ion-view-container-root" className="app-frame">
      <Outlet />
    </div>,
    <Toasts />,
  )
}

export function PlainLayout() {
  return (
    <div className="outlet">
      <Outlet />
    </div>
  )
}

function Toasts() {
  const shown = useSelector(toasts)
  return (
    <section className="toasts" aria-label="Messages" aria-live="polite">
      {shown.map(toast => (
        <ToastCard key={toast.id} toast={toast} />
      ))}
    </section>
  )
}

function ToastCard({ toast }: { toast: Toast }) {
  const { id, title, message, tone = 'plain', action, durationMs = 4000 } = toast
  useEffect(() => {
    if (!Number.isFinite(durationMs)) return
    const timer = setTimeout(() => dismissToast(id), durationMs)
    return () => clearTimeout(timer)
  }, [id, durationMs])
  return (
    <div className={`toast toast-${tone}`}>
      <div className="toast-text">
        <strong>{title}</strong>
        {message && <p>{message}</p>}
      </div>
      {action && (
        <button
          type="button"
          className="toast-action"
          onClick={() => {
            dismissToast(id)
            action.onSelect()
          }}
        >
          {action.label}
        </button>
      )}
      <button type="button" className="toast-close" aria-label={`Close: ${title}`} onClick={() => dismissToast(id)}>
        <Icon icon={closeOutline} />
      </button>
    </div>
  )
}
