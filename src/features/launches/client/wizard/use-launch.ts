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
import type { WizardWithDraft } from '../draft/use-draft.ts'
import { problemsOfRejection } from './rejection.ts'
import { ApiError, failureMessage } from '#client/api/api-error.ts'
import { navigateHref } from '#client/ui/ionic/navigate-href.ts'
import { confirm } from '#client/ui/overlays/dialogs.ts'

interface LaunchOptions {
  wizard: WizardWithDraft
  store: DraftStore
  market: LaunchMarket
  onProblems: (problems: readonly FieldProblem[]) => void
}

/**
 * Sends the launch with one idempotency key, stored next to the draft until the server has answered. If the page dies before
 * that, it sends the same request again after the reload, which creates no second launch.
 */
export function useLaunch({ wizard, store, market, onProblems }: LaunchOptions) {
  const { state, draftId, discard } = wizard
  const router = useRouter()
  const shop = useShop()
  const [sending, setSending] = useState(false)
  const busy = useRef(false)
  const showProblems = (problems: readonly FieldProblem[]) => {
    // oxlint-disable-next-line no-console
    console.warn('The launch is not valid:', problems.map(p => p.message).join('; '))
    onProblems(problems)
  }
  const onFailure = async (error: unknown, intent: LaunchIntent): Promise<void> => {
    const unclear = isUnclear(error)
    // A reload ends the request with an error too, just before the page is gone. The user has not seen that failure.
    if (unclear) await pause(pageIsGoneWithinMs)
    // After a certain rejection the next attempt is a new intent; after an unclear outcome it must be the same one.
    store.writeIntent(unclear ? { ...intent, failed: true } : null)
    if (isLaunchedAlready(error)) return offerLaunches(router)
    announceFailure(error)
    const problems = problemsOfRejection(error)
    if (problems.length) showProblems(problems)
  }

  const launch = async (): Promise<void> => {
    if (busy.current) return
    const problems = launchProblems(state, market)
    if (problems.length) return showProblems(problems)
    if (!onlineManager.isOnline())
      return void toast({ title: 'Launching needs a connection', message: 'Your draft is saved.', tone: 'warning' })
    const payload = launchPayloadOf(state)
    busy.current = true
    setSending(true)
    const previous = store.readIntent()
    const key = previous?.draftId === draftId ? previous.key : newIdempotencyKey()
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
  useResumedLaunch(wizard, store, () => void launch())
  return { sending, launch }
}

/** Repeats the request of a page that died before its answer. */
function useResumedLaunch({ state, draftId }: WizardWithDraft, store: DraftStore, launch: () => void): void {
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

/** True when the server may have accepted the launch. */
function isUnclear(error: unknown): boolean {
  return !(error instanceof ApiError) || error.status >= 500 || error.status === 429
}

/** True when the first attempt of the same intent was accepted, with other settings. */
function isLaunchedAlready(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'IDEMPOTENCY_KEY_REUSED'
}

/** Says that an earlier attempt was accepted, and offers the way to it. */
async function offerLaunches(router: AnyRouter): Promise<void> {
  const confirmed = await confirm({
    title: 'Already launched',
    message: 'Your first attempt went through, with the settings it had then. Check it before you launch again.',
    confirmText: 'See launches',
    cancelText: 'Stay here',
  })
  if (confirmed) void navigateHref(router, '/create-campaign-logs')
}

/** Says that a launch was rejected, or that its outcome is unclear. */
function announceFailure(error: unknown): void {
  const message = error instanceof ApiError ? error.problem.details.join(', ') || error.message : failureMessage(error)
  toast({
    title: 'Failed to create campaign. Please try again.',
    message: isUnclear(error) ? `${message} Trying again does not create a second campaign.` : message,
    tone: 'danger',
  })
}
