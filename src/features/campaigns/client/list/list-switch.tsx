import { useRouter } from '@tanstack/react-router'
import { layersOutline } from 'ionicons/icons'
import { Icon } from '#client/ui/ionic/icon.tsx'
import { navigateHref } from '#client/ui/ionic/navigate-href.ts'
import { actionSheet } from '#client/ui/overlays/dialogs.ts'
import { PageTabs } from '#client/ui/shell/navigation/page-tabs.tsx'
import { useWide } from '#client/ui/shell/use-wide.ts'

const lists = [
  { to: '/campaigns', label: 'Campaigns' },
  { to: '/adgroups', label: 'Ad groups' },
  { to: '/keywords', label: 'Keywords' },
  { to: '/targets', label: 'Targets' },
  { to: '/ads', label: 'Ads' },
] as const

/** The way to the other lists of the account, in a line; on a phone the ListMenu has them. */
export function ListTabs() {
  return useWide() ? <PageTabs label="Lists" pages={lists} /> : null
}

/** The way to the other lists of the account, behind a button of a phone's header. */
export function ListMenu() {
  const router = useRouter()
  const wide = useWide()
  const choose = async (): Promise<void> => {
    const label = await actionSheet({ title: 'Show', actions: lists.map(list => ({ label: list.label })) })
    const chosen = lists.find(list => list.label === label)
    if (chosen) await navigateHref(router, chosen.to)
  }
  return wide ? null : (
    <button type="button" className="icon-button" aria-label="Other lists" onClick={() => void choose()}>
      <Icon icon={layersOutline} />
    </button>
  )
}
