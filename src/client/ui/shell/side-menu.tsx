import { Link } from '@tanstack/react-router'
import { Icon } from '../ionic/icon.tsx'
import { useNavEntries } from './nav-context.ts'
import { byGroup } from './nav-entry.ts'
import { NewButton } from './tab-bar.tsx'

/** The menu at the side, from 768 px. */
export const SideMenu = () => (
  <div className="side-menu">
    <p className="brand">
      <img src="/icon.svg" alt="" width="32" height="32" />
      Tideline
    </p>
    <NewButton />
    <nav aria-label="Main">
      {byGroup(useNavEntries()).map(([group, entries]) => (
        <section key={group} aria-label={group}>
          {group !== 'Main' && <p className="side-group">{group}</p>}
          <ul>
            {entries.map(entry => (
              <li key={entry.to}>
                <Link to={entry.to} className="side-link">
                  <Icon icon={entry.icon} />
                  {entry.label}
                </Link>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </nav>
  </div>
)
