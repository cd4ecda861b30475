import { Outlet } from '@tanstack/react-router'
import { type ReactNode, useMemo } from 'react'
import { Icon } from '../ionic/icon.tsx'
import {
  byGroup,
  type Navigation,
  NavigationContext,
  useAccountBlock,
  useNavEntries,
  type NavEntry,
  useReachable,
} from './navigation/nav-context.ts'
import { NavLink } from './navigation/nav-link.tsx'
import { useWide } from './use-wide.ts'
import { addOutline, ellipsisHorizontalOutline } from 'ionicons/icons'

interface DashboardLayoutProps extends Navigation {
  /** Above every page. */
  bar?: ReactNode
  floating?: ReactNode
  /** Below every page, above the tabs of a phone. */
  banner?: ReactNode
}

export function DashboardLayout({ bar, floating, banner, ...shown }: DashboardLayoutProps) {
  const { entries, authorities, canReach, account, bell } = shown
  const wide = useWide()
  const navigation = useMemo(
    () => ({ entries, authorities, canReach, account, bell }),
    [entries, authorities, canReach, account, bell],
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
      {bar}
      <div className="dashboard">
        {wide && <SideMenu />}
        <div className="outlet">
          <Outlet />
        </div>
      </div>
      <div className="floating-cards">{floating}</div>
      {banner}
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
      {byGroup(useNavEntries().filter(entry => entry.tab !== 'only')).map(([group, entries]) => (
        <div key={group}>
          {group !== 'Main' && <p className="side-group">{group}</p>}
          <ul aria-label={group}>
            {entries.map(entry => (
              <li key={entry.to}>
                <NavLink to={entry.to} className="side-link" activeOptions={activeAmong(entries, entry)}>
                  <Icon icon={entry.icon} />
                  {entry.label}
                </NavLink>
              </li>
            ))}
          </ul>
        </div>
      ))}
      {useAccountBlock()}
    </nav>
  )
}

/** Of two entries of which one lies below the other, one is where the user is. */
const activeAmong = (entries: readonly Pick<NavEntry, 'to'>[], { to }: Pick<NavEntry, 'to'>) => ({
  exact: entries.some(other => other.to.startsWith(`${to}/`)),
  includeSearch: false,
})

interface TabProps extends Pick<NavEntry, 'to' | 'leadsTo' | 'label' | 'icon'> {
  /** Read out after the label, where the label alone does not say where the link leads. */
  children?: ReactNode
  /** All that are in the bar. */
  among?: readonly NavEntry[]
}

function Tab({ to, leadsTo, label, icon, children, among = [] }: TabProps) {
  return (
    <NavLink to={to} leadsTo={leadsTo} className="tab" activeOptions={activeAmong(among, { to })}>
      <Icon icon={icon} />
      <span>
        {label}
        {children}
      </span>
    </NavLink>
  )
}

const newCampaign = { to: '/create-campaign', label: 'New', icon: addOutline, authorities: ['MERCHANT_MANAGER'] }

function NewButton() {
  return useReachable([newCampaign]).map(({ to, label, icon }) => (
    <NavLink key={to} to={to} className="new-button">
      <Icon icon={icon} />
      <span>{label}</span>
    </NavLink>
  ))
}

// The main action stands in the middle, with two destinations on each side.
const beforeNew = 2

/** The bar at the bottom of a phone. Links, not tabs: each leads to a page of its own. */
function TabBar() {
  const all = useNavEntries()
  // No more have room; the others are found under More.
  const destinations = all.filter(entry => entry.tab).slice(0, 3)
  // Who can reach none of them, as without a subscription, gets those that are left.
  const shown = destinations.length > 0 ? destinations : all.slice(0, 4)
  const tabs = shown.map(({ to, leadsTo, label, icon }) => (
    <Tab key={to} {...{ to, leadsTo, label, icon }} among={shown} />
  ))
  return (
    <nav aria-label="Main" className="tab-bar">
      {tabs.slice(0, beforeNew)}
      <NewButton />
      {tabs.slice(beforeNew)}
      <Tab to="/more" label="More" icon={ellipsisHorizontalOutline}>
        <span className="visually-hidden"> screens</span>
      </Tab>
    </nav>
  )
}
