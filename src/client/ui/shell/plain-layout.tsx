import { Outlet } from '@tanstack/react-router'

/** The frame of screens without the dashboard: log-in, wizard, connecting an account. */
export function PlainLayout() {
  return (
    <div className="outlet">
      <Outlet />
    </div>
  )
}
