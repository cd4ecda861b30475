import type { AnyRouter } from '@tanstack/react-router'
import { ApiError, failureMessage } from '#client/api/api-error.ts'
import { navigateHref } from '#client/ui/ionic/navigate-href.ts'
import { confirm } from '#client/ui/overlays/confirm.ts'
import { toast } from '#client/ui/shell/toast-store.ts'

/** True when the launch may have been accepted all the same. */
export const isUnclear = (error: unknown): boolean =>
  !(error instanceof ApiError) || error.status >= 500 || error.status === 429

/** True when the first attempt of the same intent was accepted, with other settings. */
export const isLaunchedAlready = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'IDEMPOTENCY_KEY_REUSED'

/** Tells that an earlier attempt has arrived, and leads to it. */
export const offerLaunches = async (router: AnyRouter): Promise<void> => {
  const look = await confirm({
    title: 'Launched already',
    message: 'Your first attempt has arrived, with the settings it had then. Look at it before you launch again.',
    confirmText: 'See launches',
    cancelText: 'Stay here',
  })
  if (look) void navigateHref(router, '/create-campaign-logs')
}

/** Tells that a launch was not accepted, or that nobody knows. */
export const tellFailure = (error: unknown): void => {
  const message = error instanceof ApiError ? error.problem.details.join(', ') || error.message : failureMessage(error)
  toast({
    title: 'Failed to create campaign. Please try again.',
    message: isUnclear(error) ? `${message} Trying again makes no second campaign.` : message,
    tone: 'danger',
  })
}
