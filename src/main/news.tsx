import { ConnectionNews } from '#features/accounts/client/connection-news.tsx'
import { LaunchNews } from '#features/launches/client/launch-news.tsx'
import { PushSync } from '#features/notifications/client/push-sync.tsx'
import { Outbox } from './outbox.tsx'

/** Notifications and background progress, shown on every page. */
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
