import { Link } from '@tanstack/react-router'
import { Icon } from '../../ionic/icon.tsx'
import { useAccountBlock, useNavEntries } from './nav-context.ts'
import { byGroup } from './nav-entry.ts'
import { NewButton } from './tab-bar.tsx'

/** The menu at the side, from 768 px. */
export function SideMenu() {
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
