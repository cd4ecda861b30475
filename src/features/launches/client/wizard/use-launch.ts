import type { LaunchMarket } from '../../problems.ts'
import { onlineManager } from '@tanstack/react-query'
import { useRouter, type AnyRouter } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { newIdempotencyKey } from '#client/api/build-request.ts'
import { toast } from '#client/ui/shell/toast-store.ts'
import { useShop } from '#features/accounts/client/public.ts'
import { followLaunch } from '../active-launch.ts'
import { sendLaunch } from '../mutations.ts'
import { launchPayloadOf, payloadOf } from '../../draft/payload-of.ts'
import { type FieldProblem, launchProblems } from '../../draft/rules.ts'
import type { DraftStore, LaunchIntent } from '../draft/draft-store.ts'
import type { DraftedWizard } from '../draft/use-draft.ts'
import { faultsOfRefusal } from './refusal.ts'
import { ApiError, failureMessage } from '#client/api/api-error.ts'
import { navigateHref } from '#client/ui/ionic/navigate-href.ts'
import { confirm } from '#client/ui/overlays/dialogs.ts'

interface LaunchOptions {
  wizard: DraftedWizard
  store: DraftStore
  market: LaunchMarket
  onFaults: (faults: readonly FieldProblem[]) => void
}

/**
 * Launching: one idempotency key for the user's intent, kept beside the draft until the server has answered. A page that died in
 * between sends the same again when it comes back, which makes no second launch.
 */
export function useLaunch({ wizard, store, market, onFaults }: LaunchOptions) {
  const { state, draftId, discard } = wizard
  const router = useRouter()
  const shop = useShop()
  const [sending, setSending] = useState(false)
  const busy = useRef(false)
  const refused = (faults: readonly FieldProblem[]) => {
    // Logged, as well as shown: product.md, section 5.
    // oxlint-disable-next-line no-console
    console.warn('The launch is not valid:', faults.map(f => f.message).join('; '))
    onFaults(faults)
  }
  const onFailure = async (error: unknown, intent: LaunchIntent): Promise<void> => {
    const unclear = isUnclear(error)
    // A reload also ends the request with an error, right before the page is gone: that is no failure the user was told of.
    if (unclear) await pause(pageIsGoneWithinMs)
    // Refused for certain: the next attempt is another intent. Unclear: it must stay the same.
    store.writeIntent(unclear ? { ...intent, failed: true } : null)
    if (isLaunchedAlready(error)) return offerLaunches(router)
    tellFailure(error)
    const faults = faultsOfRefusal(error)
    if (faults.length) refused(faults)
  }

  const launch = async (): Promise<void> => {
    if (busy.current) return
    const faults = launchProblems(state, market)
    if (faults.length) return refused(faults)
    if (!onlineManager.isOnline())
      return void toast({ title: 'Launching needs a connection', message: 'Your draft is saved.', tone: 'warning' })
    const payload = launchPayloadOf(state)
    busy.current = true
    setSending(true)
    const known = store.readIntent()
    const key = known?.draftId === draftId ? known.key : newIdempotencyKey()
    const intent = { draftId, key, body: JSON.stringify(payload), failed: false }
    store.writeIntent(intent)
    try {
      const id = await sendLaunch(payload, key, shop)
      followLaunch({ id, name: payload.campaignName, dismissed: false })
      discard()
    } catch (error) {
      await onFailure(error, intent)
    } finally {
      busy.current = false
      setSending(false)
    }
  }
  useUnanswered(wizard, store, () => void launch())
  return { sending, launch }
}

/** Sends again what a page that died left without an answer. */
function useUnanswered({ state, draftId }: DraftedWizard, store: DraftStore, launch: () => void): void {
  const resume = useEffectEvent(() => {
    const intent = store.readIntent()
    const payload = payloadOf(state)
    const died = intent?.draftId === draftId && !intent.failed && payload && intent.body === JSON.stringify(payload)
    if (died) launch()
  })
  useEffect(() => {
    const timer = setTimeout(() => resume(), 0)
    return () => clearTimeout(timer)
  }, [])
}

const pageIsGoneWithinMs = 300

async function pause(ms: number): Promise<void> {
  const settled = Promise.withResolvers<void>()
  setTimeout(() => settled.resolve(), ms)
  await settled.promise
}

/** True when the launch may have been accepted all the same. */
function isUnclear(error: unknown): boolean {
  return !(error instanceof ApiError) || error.status >= 500 || error.status === 429
}

/** True when the first attempt of the same intent was accepted, with other settings. */
function isLaunchedAlready(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'IDEMPOTENCY_KEY_REUSED'
}

/** Tells that an earlier attempt has arrived, and leads to it. */
async function offerLaunches(router: AnyRouter): Promise<void> {
  const look = await confirm({
    title: 'Already launched',
    message: 'Your first attempt went through, with the settings it had then. Check it before you launch again.',
    confirmText: 'See launches',
    cancelText: 'Stay here',
  })
  if (look) void navigateHref(router, '/create-campaign-logs')
}

/** Tells that a launch was not accepted, or that nobody knows. */
function tellFailure(error: unknown): void {
  const message = error instanceof ApiError ? error.problem.details.join(', ') || error.message : failureMessage(error)
  toast({
    title: 'Failed to create campaign. Please try again.',
    message: isUnclear(error) ? `${message} Trying again does not create a second campaign.` : message,
    tone: 'danger',
  })
}
