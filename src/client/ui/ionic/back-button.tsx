import { useCanGoBack, useRouter } from '@tanstack/react-router'
import { arrowBackOutline } from 'ionicons/icons'
import { Icon } from './icon.tsx'
import { navigateHref } from './navigate-href.ts'

/** Goes back to where the user came from, or to `to` when the page was opened by its address. A native button, to stay light. */
export function BackButton({ to, slot }: { to: string; slot?: string }) {
  const router = useRouter()
  const canGoBack = useCanGoBack()
  const goBack = (): void => {
    if (canGoBack) router.history.back()
    else void navigateHref(router, to, { replace: true, direction: 'back' })
  }
  return (
    <button type="button" slot={slot} className="icon-button back-button" aria-label="Back" onClick={goBack}>
      <Icon icon={arrowBackOutline} />
    </button>
  )
}
