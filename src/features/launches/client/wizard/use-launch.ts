import { onlineManager } from '@tanstack/react-query'
import { type AnyRouter, useRouter } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import * as v from 'valibot'
import { ApiError, failureMessage } from '#client/api/api-error.ts'
import { newIdempotencyKey } from '#client/api/build-request.ts'
import { call } from '#client/api/call.ts'
import { navigateHref } from '#client/ui/ionic/navigate-href.ts'
import { confirm } from '#client/ui/overlays/dialogs.ts'
import { toast } from '#client/ui/shell/toast-store.ts'
import { type Shop, shopText, useShop } from '#features/accounts/client/public.ts'
import type { CreatePayloadInput } from '../../launch-schema.ts'
import { launchEndpoints } from '../../contract.ts'
import { launchPayloadOf, payloadOf } from '../../draft/payload-of.ts'
import { type FieldProblem, launchProblems, problemAt } from '../../draft/rules.ts'
import type { LaunchMarket } from '../../problems.ts'
import { followLaunch } from '../active-launch.ts'
import type { DraftStore, LaunchIntent } from '../draft/draft-store.ts'
import type { WizardWithDraft } from '../draft/use-draft.ts'
import { useLater } from './use-later.ts'

/**
 * Sends the launch with one idempotency key, stored next to the draft until the server has answered. If the page dies before
 * that, it sends the same request again after the reload, which creates no second launch.
 */
export function useLaunch(
  wizard: WizardWithDraft,
  store: DraftStore,
  market: LaunchMarket,
  onProblems: (problems: readonly FieldProblem[]) => void,
) {
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
    // Without a certain rejection the server may have accepted the launch.
    const unclear = !(error instanceof ApiError) || error.status >= 500 || error.status === 429
    // A reload ends the request with an error too, just before the page is gone. The user has not seen that failure.
    if (unclear) await pause(300)
    // After a certain rejection the next attempt is a new intent; after an unclear outcome it must be the same one.
    store.writeIntent(unclear ? { ...intent, failed: true } : null)
    if (error instanceof ApiError && error.code === 'IDEMPOTENCY_KEY_REUSED') return offerLaunches(router)
    const details = error instanceof ApiError && error.problem.details.join(', ')
    const message = details || failureMessage(error, 'Failed to create campaign')
    toast({
      title: 'Failed to create campaign. Please try again.',
      message: unclear ? `${message.replace(/\.?$/, '.')} Trying again does not create a second campaign.` : message,
      tone: 'danger',
    })
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
  // Repeats the request of a page that died before its answer.
  useLater(true, 0, () => {
    const intent = store.readIntent()
    const payload = payloadOf(state)
    const died = intent?.draftId === draftId && !intent.failed && payload && intent.body === JSON.stringify(payload)
    if (died) void launch()
  })
  return { sending, launch }
}

async function pause(ms: number): Promise<void> {
  const settled = Promise.withResolvers<void>()
  setTimeout(() => settled.resolve(), ms)
  await settled.promise
}

// The first attempt of the same intent was accepted, with other settings.
async function offerLaunches(router: AnyRouter): Promise<void> {
  const confirmed = await confirm({
    title: 'Already launched',
    message: 'Your first attempt went through, with the settings it had then. Check it before you launch again.',
    confirmText: 'See launches',
    cancelText: 'Stay here',
  })
  if (confirmed) void navigateHref(router, '/create-campaign-logs')
}

// Returns the launch's id. Waits while another tab or an earlier page has the same request in flight.
async function sendLaunch(payload: CreatePayloadInput, idempotencyKey: string, shop: Shop): Promise<number> {
  const options = { idempotencyKey, shop: shopText(shop), timeoutMs: 60_000 }
  for (let tries = 1; ; tries += 1)
    try {
      const { launchId } = await call(launchEndpoints.create, { body: payload }, options)
      return launchId
    } catch (error) {
      const inFlight = error instanceof ApiError && error.code === 'IDEMPOTENCY_IN_FLIGHT'
      if (!inFlight || tries >= 20) throw error
      await pause(1500)
    }
}

const extraSchema = v.object({ fields: v.optional(v.record(v.string(), v.string())), field: v.optional(v.string()) })

/** The problems for which the server rejected a launch, in the order of the steps; empty when it named no field. */
export function problemsOfRejection(error: unknown): FieldProblem[] {
  if (!(error instanceof ApiError)) return []
  const parsed = v.safeParse(extraSchema, error.extra)
  const { fields, field } = parsed.success ? parsed.output : {}
  return Object.entries(fields ?? (field ? { [field]: error.message } : {}))
    .map(([name, message]) => problemAt(name, message))
    .sort((a, b) => a.step - b.step)
}
