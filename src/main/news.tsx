import { ConnectionNews } from '#features/accounts/client/connection-news.tsx'
import { LaunchNews } from '#features/launches/client/launch-news.tsx'

/** What the user is told on whatever page. */
export const News = () => (
  <>
    <ConnectionNews />
    <LaunchNews />
  </>
)
