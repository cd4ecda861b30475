import { Link } from '@tanstack/react-router'
import { chevronForwardOutline } from 'ionicons/icons'
import { Icon } from '../../ionic/icon.tsx'
import { Page } from '../../ionic/page.tsx'
import { useWide } from '../use-wide.ts'
import { byGroup, useAccountBlock, useNavEntries } from './nav-context.ts'

export function MorePage() {
  const account = useAccountBlock()
  const wide = useWide()
  return (
    <Page title="More">
      {byGroup(useNavEntries().filter(entry => !entry.tab)).map(([group, entries]) => (
        <div key={group} className="link-group">
          <h2>{group}</h2>
          <ul>
            {entries.map(entry => (
              <li key={entry.to}>
                <Link to={entry.to} className="link-row">
                  <Icon icon={entry.icon} />
                  <span>{entry.label}</span>
                  <Icon icon={chevronForwardOutline} />
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
      {!wide && account}
    </Page>
  )
}
