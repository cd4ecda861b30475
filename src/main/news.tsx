import { ConnectionNews } from '#features/accounts/client/connection-news.tsx'
import { LaunchNews } from '#features/launches/client/launch-news.tsx'
import { PushSync } from '#features/notifications/client/push-sync.tsx'
import { Outbox } from './outbox.tsx'

/** What the user is told, and what goes on, on whatever page. */
export function News() {
  return (
    <>
      <ConnectionNews />
      <LaunchNews />
      <PushSync />
      <Outbox />
    </>
  )
}
