import { onlineManager } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { ApiError, failureMessage } from '#client/api/api-error.ts'
import { newIdempotencyKey } from '#client/api/build-request.ts'
import { navigateHref } from '#client/ui/ionic/navigate-href.ts'
import { confirm } from '#client/ui/overlays/confirm.ts'
import { toast } from '#client/ui/shell/toast-store.ts'
import { followLaunch, sendLaunch } from '#features/launches/client/public.ts'
import { payloadOf } from '../../payload-of.ts'
import { type Fault, faultAt, firstIncomplete, launchFaults, type MarketView } from '../../rules.ts'
import type { DraftStore } from '../draft/draft-store.ts'
import { faultsOfRefusal } from './refusal.ts'
import type { DraftedWizard } from '../draft/use-draft.ts'

type PlacedFault = Fault & { step: number }
interface LaunchOptions {
  wizard: DraftedWizard
  store: DraftStore
  view: MarketView
  onFaults: (faults: readonly PlacedFault[]) => void
}

/**
 * Launching: one idempotency key for the user's intent, kept beside the draft until the server has answered. A page that died in
 * between sends the same again when it comes back, which makes no second launch.
 */
export const useLaunch = ({ wizard, store, view, onFaults }: LaunchOptions) => {
  const { state, draftId, discard } = wizard
  const router = useRouter()
  const [sending, setSending] = useState(false)
  const busy = useRef(false)
  const refused = (faults: readonly PlacedFault[]) => {
    // Logged, as well as shown: product.md, section 5.
    // oxlint-disable-next-line no-console
    console.warn('The launch is not valid:', faults.map(f => f.message).join('; '))
    onFaults(faults)
  }

  const launch = async (): Promise<void> => {
    if (busy.current) return
    const faults = problemsOf(state, view)
    const payload = payloadOf(state)
    if (faults.length || !payload) return refused(faults)
    if (!onlineManager.isOnline())
      return void toast({ title: 'Launching needs a connection', message: 'Your draft is kept.', tone: 'warning' })
    busy.current = true
    setSending(true)
    const known = store.readIntent()
    const body = JSON.stringify(payload)
    const key = known?.draftId === draftId ? known.key : newIdempotencyKey()
    store.writeIntent({ draftId, key, body, failed: false })
    try {
      const id = await sendLaunch(payload, key)
      followLaunch({ id, name: payload.campaignName, dismissed: false })
      discard()
    } catch (error) {
      await onFailure(error, { draftId, key, body, failed: true })
    } finally {
      busy.current = false
      setSending(false)
    }
  }

  const onFailure = async (error: unknown, intent: Parameters<DraftStore['writeIntent']>[0]): Promise<void> => {
    const reused = error instanceof ApiError && error.code === 'IDEMPOTENCY_KEY_REUSED'
    const unclear = !(error instanceof ApiError) || error.status >= 500 || error.status === 429
    // A reload also ends the request with an error, right before the page is gone: that is no failure the user was told of.
    if (unclear) await pause(pageIsGoneWithinMs)
    // Refused for certain: the next attempt is another intent. Unclear: it must stay the same.
    store.writeIntent(unclear ? intent : null)
    if (reused) {
      const look = await confirm({
        title: 'Launched already',
        message: 'Your first attempt has arrived, with the settings it had then. Look at it before you launch again.',
        confirmText: 'See launches',
        cancelText: 'Stay here',
      })
      if (look) void navigateHref(router, '/create-campaign-logs')
      return
    }
    const message =
      error instanceof ApiError ? error.problem.details.join(', ') || error.message : failureMessage(error)
    toast({
      title: 'Failed to create campaign. Please try again.',
      message: unclear ? `${message} Trying again makes no second campaign.` : message,
      tone: 'danger',
    })
    const faults = faultsOfRefusal(error)
    if (faults.length) refused(faults)
  }

  const resume = useEffectEvent(() => {
    const intent = store.readIntent()
    const payload = payloadOf(state)
    const died = intent?.draftId === draftId && !intent.failed && payload && intent.body === JSON.stringify(payload)
    if (died) void launch()
  })
  useEffect(() => {
    const timer = setTimeout(() => resume(), 0)
    return () => clearTimeout(timer)
  }, [])
  return { sending, launch }
}

const pageIsGoneWithinMs = 300

const pause = async (ms: number): Promise<void> => {
  const settled = Promise.withResolvers<void>()
  setTimeout(() => settled.resolve(), ms)
  await settled.promise
}

const problemsOf = (state: DraftedWizard['state'], view: MarketView): PlacedFault[] => {
  const missing = launchFaults(state)
  if (missing.length) return missing.sort((a, b) => a.step - b.step)
  return firstIncomplete(state, view)?.faults.map(f => faultAt(f.field, f.message)) ?? []
}
