import { Outlet } from '@tanstack/react-router'

/** The frame of screens without the dashboard: log-in, wizard, connecting an account. */
export const PlainLayout = () => (
  <div className="outlet">
    <Outlet />
  </div>
)
