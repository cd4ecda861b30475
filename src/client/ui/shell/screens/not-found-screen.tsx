import { Link } from '@tanstack/react-router'
import { Page } from '../../ionic/page.tsx'

/** What stands at an address that leads nowhere. */
export function NotFoundScreen() {
  return (
    <Page title="Not Found" back="/">
      <p>There is nothing at this address.</p>
      <Link to="/" className="button button-primary">
        Go to the start
      </Link>
    </Page>
  )
}
