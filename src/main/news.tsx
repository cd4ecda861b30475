import { ConnectionNews } from '#features/accounts/client/connection-news.tsx'
import { BulkWatch } from '#features/campaigns/client/bulk/bulk-watch.tsx'
import { LaunchNews } from '#features/launches/client/launch-news.tsx'
import { InstallSheet } from '#client/pwa/install-app.tsx'
import { PushSync } from '#features/notifications/client/push-sync.tsx'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useOnline } from '#client/api/online.ts'
import { whenIdle } from '#client/early/when-idle.ts'
import type { OutboxRoute } from '#client/outbox/flush-outbox.ts'
import { OutboxCard } from '#client/outbox/outbox-card.tsx'
import { knownShop, shopText } from '#features/accounts/client/shop/shop.ts'

const rows = () => import('#features/campaigns/client/edit/use-edit.ts').then(m => m.rowKinds)
const negatives = () => import('#features/campaigns/client/negatives/negative-drafts.ts')
const kinds: OutboxRoute['kinds'] = {
  campaign: () => rows().then(r => r.campaign),
  adGroup: () => rows().then(r => r.adGroup),
  ad: () => rows().then(r => r.ad),
  keyword: () => rows().then(r => r.keyword),
  target: () => rows().then(r => r.target),
  addNegatives: () => negatives().then(n => n.addNegativesKind),
  removeNegative: () => negatives().then(n => n.removeNegativeKind),
  harvest: () => import('#features/campaigns/client/search-terms/harvest-send.ts').then(m => m.harvestKind),
  notification: () => import('#features/notifications/client/decision-edit.ts').then(m => m.notificationKind),
  cogs: () => import('#features/catalogue/client/mutations.ts').then(m => m.cogsKind),
}

/** Sends the edits that were made offline. */
function Outbox() {
  const client = useQueryClient()
  const shop = (): string | undefined => {
    const currentShop = knownShop(client)
    return currentShop && shopText(currentShop)
  }
  // Shows the server's state after edits were sent or rejected.
  const refresh = (): void => void client.invalidateQueries({ predicate: query => query.meta?.figures === true })
  return <OutboxCard kinds={kinds} shop={shop} onSettled={refresh} />
}

// The first screen, and a tap right after it, come first.
const keepAfterMs = 8000
const keepEveryMs = 30 * 60_000

/** Loads what the other screens open with, while the page is looked at and has nothing else to do. */
function KeepScreens() {
  const client = useQueryClient()
  const online = useOnline()
  const shop = JSON.stringify(knownShop(client))
  useEffect(() => {
    if (!online) return
    const keep = (): void =>
      whenIdle(() => void import('./keep-all-screens.ts').then(m => m.keepAllScreens(client)).catch(() => undefined))
    const first = setTimeout(keep, keepAfterMs)
    const timer = setInterval(keep, keepEveryMs)
    return () => {
      clearTimeout(first)
      clearInterval(timer)
    }
  }, [client, online, shop])
  return null
}

/** Notifications and background progress, shown on every page. */
export function News() {
  return (
    <>
      <ConnectionNews />
      <LaunchNews />
      <BulkWatch />
      <PushSync />
      <InstallSheet />
      <Outbox />
      <KeepScreens />
    </>
  )
}
