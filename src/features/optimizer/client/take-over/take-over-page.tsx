import '../optimizer.css'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useRouter } from '@tanstack/react-router'
import { useMemo, useRef, useState } from 'react'
import { failureMessage } from '#client/api/api-error.ts'
import { newIdempotencyKey } from '#client/api/build-request.ts'
import { call } from '#client/api/call.ts'
import { useOnline } from '#client/api/online.ts'
import { useToday } from '#client/api/server-clock.ts'
import { useHoldReload } from '#client/pwa/can-reload-now.ts'
import { navigateHref } from '#client/ui/ionic/navigate-href.ts'
import { SheetStack, type SheetStep } from '#client/ui/overlays/sheets/sheet-stack.tsx'
import { useSheetStep } from '#client/ui/overlays/sheets/use-sheet-step.ts'
import { toast } from '#client/ui/shell/toast-store.ts'
import { Button } from '#client/ui/states/button.tsx'
import { shopText, useCurrentMarketplace, useShop } from '#features/accounts/client/public.ts'
import { timezoneOfMarketplace } from '#shared/marketplace-timezones.ts'
import { dayIn } from '#shared/time.ts'
import { optimizerEndpoints, type TakeoverCheck } from '../../contract.ts'
import { optimizerQueries } from '../queries.ts'
import {
  LimitFields,
  MoneyFields,
  settingErrors,
  settingsOf,
  type SettingValues,
  StrategyFields,
  TargetFields,
} from '../settings-fields.tsx'
import { CampaignsStep } from './campaigns-step.tsx'
import { MoneyNote, Review, StrategyNote, Summary, TargetNote } from './review-step.tsx'
import { effectiveSettings, usualAsks, useTakeOverDraft } from './take-over-draft.ts'

const route = getRouteApi('/action/take-over')

/** By step from the second on, the settings that must be right to go on. */
const fieldsOf: Record<number, readonly (keyof SettingValues)[]> = {
  2: ['targetAcos'],
  3: ['strategy', 'launchUntil', 'launchBudget'],
  4: ['dailyBudget', 'highestBid'],
  5: ['untouched', 'asks'],
  6: ['name'],
}
const stepCount = 6

/** Takes campaigns over: one sheet a question, each with an answer that fits already. */
export function TakeOverPage() {
  const search = route.useSearch()
  const shop = useShop()
  const { currency } = useCurrentMarketplace()
  const today = useToday(at => dayIn(at, timezoneOfMarketplace(shop.marketplaceId)))
  const { step, go } = useSheetStep(stepCount)
  const selected = useMemo(() => search.campaigns?.split(',').map(Number) ?? [], [search.campaigns])
  const { draft, isResumed, choose, set, startOver, finish } = useTakeOverDraft(shop, selected)
  const { data: check, error: checkError } = useQuery(optimizerQueries.check(shop, draft.campaignIds))
  const values = effectiveSettings(draft, check)
  const errors = settingErrors(values)
  const { isSending, send } = useSend(values, draft.campaignIds, check, finish)
  const router = useRouter()
  useHoldReload(draft.campaignIds.length > 0)
  const leave = (): void => void navigateHref(router, '/automation-logs')
  const problem = problemOf(step, draft.campaignIds, check, checkError, errors)
  const fields = { values, errors, onChange: set }
  const steps: SheetStep[] = [
    {
      key: 'campaigns',
      title: 'Campaigns',
      content: (
        <CampaignsStep
          shop={shop}
          chosen={draft.campaignIds}
          onChoose={choose}
          onStartOver={isResumed && draft.campaignIds.length > 0 ? startOver : undefined}
        />
      ),
    },
    {
      key: 'target',
      title: 'Target ACOS',
      content: <TargetFields {...fields}>{check && <TargetNote check={check} values={values} />}</TargetFields>,
    },
    {
      key: 'strategy',
      title: 'Strategy',
      content: (
        <>
          {check && <StrategyNote check={check} />}
          <StrategyFields {...fields} {...(check && { fitting: check.strategy })} today={today} currency={currency} />
        </>
      ),
    },
    {
      key: 'money',
      title: 'Money',
      content: (
        <>
          <MoneyFields {...fields} currency={currency} />
          {check && <MoneyNote check={check} />}
        </>
      ),
    },
    {
      key: 'limits',
      title: 'Limits',
      content: (
        <>
          {isUsual(values) && (
            <p className="take-over-lead">As suggested, the marked ones are asked about for the first 14 days.</p>
          )}
          <LimitFields {...fields} />
        </>
      ),
    },
    {
      key: 'review',
      title: 'Review',
      content: check && <Review check={check} values={values} errors={errors} onChange={set} />,
    },
  ]
  return (
    <SheetStack
      name="Take campaigns over"
      steps={steps}
      step={step}
      onStep={go}
      onLeave={leave}
      footer={<Footer step={step} problem={problem} isSending={isSending} onStep={go} onSend={() => void send()} />}
      aside={<Summary check={check} count={draft.campaignIds.length} values={values} />}
    />
  )
}

/** Whether it asks about the usual kinds, which is for the first weeks only; chosen ones hold for good. */
const isUsual = ({ asks }: SettingValues): boolean => asks.join() === usualAsks.join()

/** What keeps the user from going on, as a sentence; null when nothing does. */
function problemOf(
  step: number,
  ids: readonly number[],
  check: TakeoverCheck | undefined,
  checkError: Error | null,
  errors: ReturnType<typeof settingErrors>,
): string | null {
  if (ids.length === 0) return 'Choose at least one campaign.'
  if (!check) return checkError ? failureMessage(checkError) : 'The campaigns are being checked…'
  const out = check.campaigns.filter(one => one.problem !== null)
  const [first] = out
  if (first) return `${first.name}: ${first.problem?.message ?? ''}`
  // On the last sheet everything must be right.
  const fields = step === stepCount ? Object.values(fieldsOf).flat() : (fieldsOf[step] ?? [])
  return fields.map(field => errors[field]).find(Boolean) ?? null
}

interface FooterProps {
  step: number
  problem: string | null
  isSending: boolean
  onStep: (step: number) => void
  onSend: () => void
}

function Footer({ step, problem, isSending, onStep, onSend }: FooterProps) {
  const online = useOnline()
  const isLast = step === stepCount
  const offline = isLast && !online
  const hint = offline ? 'Taking over needs a connection. Your draft is saved.' : problem
  return (
    <>
      <p className="take-over-hint" aria-live="polite">
        {hint}
      </p>
      <Button disabled={step === 1 || isSending} onClick={() => onStep(step - 1)}>
        Back
      </Button>
      <Button
        tone="primary"
        disabled={problem !== null || offline}
        busy={isSending}
        busyLabel="Taking over…"
        onClick={() => (isLast ? onSend() : onStep(step + 1))}
      >
        {isLast ? 'Start the preview' : 'Continue'}
      </Button>
    </>
  )
}

/** Sends the take-over once, however often it is tried, and leads to its group. */
function useSend(
  values: SettingValues,
  campaignIds: readonly number[],
  check: TakeoverCheck | undefined,
  finish: () => void,
) {
  const shop = useShop()
  const client = useQueryClient()
  const router = useRouter()
  const [isSending, setSending] = useState(false)
  const sent = useRef({ text: '', key: '' })
  const send = async (): Promise<void> => {
    if (!check) return
    const { name, targetAcos, strategy, asks, ...rest } = settingsOf(values)
    if (targetAcos === undefined || strategy === undefined) return
    const body = {
      campaignIds: [...campaignIds],
      targetAcos,
      strategy,
      ...rest,
      ...(name && { name }),
      ...(!isUsual(values) && asks && { asks }),
    }
    const text = JSON.stringify(body)
    if (sent.current.text !== text) sent.current = { text, key: newIdempotencyKey() }
    setSending(true)
    try {
      const { groupId } = await call(
        optimizerEndpoints.takeover,
        { body },
        { shop: shopText(shop), idempotencyKey: sent.current.key, timeoutMs: 60_000 },
      )
      finish()
      void client.invalidateQueries({ queryKey: optimizerQueries.all })
      toast({ title: 'Taken over', message: 'For 48 hours you only see what would be done.', tone: 'success' })
      await navigateHref(router, `/automation-groups/${groupId}`, { replace: true })
    } catch (error) {
      toast({ title: 'The campaigns were not taken over', message: failureMessage(error), tone: 'danger' })
    } finally {
      setSending(false)
    }
  }
  return { isSending, send }
}
