import { Outlet, Link } from '@tanstack/react-router'
import { type ReactNode, useMemo } from 'react'
import { Icon } from '../ionic/icon.tsx'
import {
  byGroup,
  type Navigation,
  NavigationContext,
  useAccountBlock,
  useNavEntries,
} from './navigation/nav-context.ts'
import { TabBar, NewButton } from './navigation/tab-bar.tsx'
import { useWide } from './use-wide.ts'

interface DashboardLayoutProps extends Navigation {
  floating?: ReactNode
}

export function DashboardLayout({ entries, authorities, canReach, account, floating }: DashboardLayoutProps) {
  const wide = useWide()
  const navigation = useMemo(
    () => ({ entries, authorities, canReach, account }),
    [entries, authorities, canReach, account],
  )
  return (
    <NavigationContext value={navigation}>
      {/* The way past the menu for keyboards. The address keeps its own fragment, so the heading is focused here. */}
      <a
        className="skip-link"
        href="#page-title"
        onClick={event => {
          event.preventDefault()
          document.querySelector<HTMLElement>('#page-title')?.focus()
        }}
      >
        Skip to content
      </a>
      <div className="dashboard">
        {wide && <SideMenu />}
        <div className="outlet">
          <Outlet />
        </div>
      </div>
      {floating}
      {!wide && <TabBar />}
    </NavigationContext>
  )
}

function SideMenu() {
  return (
    <nav aria-label="Main" className="side-menu">
      <p className="brand">
        <img src="/icon.svg" alt="" width="32" height="32" />
        Tideline
      </p>
      <NewButton />
      {byGroup(useNavEntries()).map(([group, entries]) => (
        <div key={group}>
          {group !== 'Main' && <p className="side-group">{group}</p>}
          <ul aria-label={group}>
            {entries.map(entry => (
              <li key={entry.to}>
                <Link to={entry.to} className="side-link">
                  <Icon icon={entry.icon} />
                  {entry.label}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
      {useAccountBlock()}
    </nav>
  )
}
