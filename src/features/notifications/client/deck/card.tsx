import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useRouter } from '@tanstack/react-router'
import { chevronForwardOutline } from 'ionicons/icons'
import { useId, useState } from 'react'
import { useOnline } from '#client/api/online.ts'
import { DataAge } from '#client/ui/figures/data-age.tsx'
import { formatMoney, formatPercent } from '#client/ui/figures/format.ts'
import { MoneyField, NumberField } from '#client/ui/forms/number-field.tsx'
import { Icon } from '#client/ui/ionic/icon.tsx'
import { navigateHref } from '#client/ui/ionic/navigate-href.ts'
import { toast } from '#client/ui/shell/toast-store.ts'
import { Button } from '#client/ui/states/button.tsx'
import { accountQueries, chooseShop } from '#features/accounts/client/public.ts'
import { raiseText, useAdvice } from '#features/budget-rescue/client/public.ts'
import { type AppNotification, kinds, type NotificationAction } from '../../contract.ts'
import { type Amounts, canWait } from '../decision-edit.ts'
import type { Decisions } from '../use-decisions.ts'
import { actionEffects, actionWords, evidenceText, isOfShop, kindIcons, placeWords, shopWords } from '../words.ts'

/** What happened, why, what speaks for it, and the money at stake. */
export function NotificationCard({ one }: { one: AppNotification }) {
  const { kind, title, body, merchant, campaign, createdAt, evidence, stake } = one
  return (
    <>
      <p className="deck-kind">
        <Icon icon={kindIcons[kind]} />
        <span>{kinds[kind].label}</span>
        <DataAge at={createdAt} prefix="" />
      </p>
      <h2>{title}</h2>
      <p className="deck-place">{[merchant?.name, campaign?.name].filter(Boolean).join(' · ')}</p>
      {stake && (
        <p className="deck-stake">
          <strong>{formatMoney(stake.amount, stake.currency)}</strong> at stake
        </p>
      )}
      <p className="deck-body">{body}</p>
      {evidence.length > 0 && (
        <dl className="deck-evidence">
          {evidence.map(line => (
            <div key={line.label}>
              <dt>{line.label}</dt>
              <dd>{evidenceText(one, line)}</dd>
            </div>
          ))}
        </dl>
      )}
      <Place one={one} />
    </>
  )
}

/** Leads to where it is solved; where that is in another shop than the current one, works in that shop from then on. */
function Place({ one }: { one: AppNotification }) {
  const online = useOnline()
  const router = useRouter()
  const choose = useMutation(chooseShop(useQueryClient()))
  const other = useOtherShop(one)
  if (!other)
    return (
      <Link to={one.url} className="deck-link">
        {placeWords(one)}
        <Icon icon={chevronForwardOutline} />
      </Link>
    )
  const open = async (): Promise<void> => {
    await choose.mutateAsync({ merchantId: other.id, marketplaceId: other.marketplaceId })
    toast({ title: `You now work in ${shopWords(other)}` })
    await navigateHref(router, one.url)
  }
  return (
    <>
      <button
        type="button"
        className="deck-link"
        disabled={!online || choose.isPending}
        onClick={() => void open().catch(() => undefined)}
      >
        {placeWords(one)}
        <Icon icon={chevronForwardOutline} />
      </button>
      <p className="deck-switch">
        {online ? 'Switches to' : 'Once you are online. It is in'} {shopWords(other)}.
      </p>
    </>
  )
}

/** The shop that a notification is about, where the user works in another one at the moment. */
function useOtherShop(one: AppNotification): AppNotification['merchant'] {
  const { data: merchant } = useQuery({ ...accountQueries.currentMerchant(), meta: { silent: true } })
  const { data: marketplace } = useQuery({ ...accountQueries.currentMarketplace(), meta: { silent: true } })
  const of = one.merchant
  if (!of || !merchant || !isOfShop(one)) return null
  const isCurrent =
    of.id === merchant.id && (of.marketplaceId === null || !marketplace || of.marketplaceId === marketplace.id)
  return isCurrent ? null : of
}

interface Effect {
  label: string
  effect: string | undefined
  /** Once what it does is known, and sound. */
  isReady: boolean
  /** What it is done with. */
  amounts?: Amounts
}

/** What an action is called, and what it does and costs; `after` is the number that the person has entered. */
function useEffectOf(
  one: AppNotification,
  action: NotificationAction | undefined,
  after: number | null,
): Effect | null {
  const { merchant, campaign, proposed } = one
  const shop = { merchantId: merchant?.id ?? 0, marketplaceId: merchant?.marketplaceId ?? 0 }
  const isRaise = action === 'RAISE_BUDGET_TODAY' && shop.marketplaceId !== 0
  const advice = useAdvice(shop, isRaise ? (campaign?.id ?? null) : null)
  if (action === undefined) return null
  const label = actionWords[action]
  if (action === 'APPROVE_PROPOSAL' && proposed) {
    if (after === null || after < 0) return { label, effect: 'Enter a number first.', isReady: false }
    const text = proposed.unit === 'PERCENT' ? formatPercent(after, 0) : formatMoney(after, proposed.currency)
    const amounts = after === proposed.after ? {} : { after }
    return { label: `${label} ${text}`, effect: actionEffects[action], isReady: true, amounts }
  }
  if (!isRaise) return { label, effect: actionEffects[action], isReady: true }
  const { data, isError } = advice
  if (!data?.recommended || data.obstacle !== null)
    return {
      label,
      effect: data?.obstacle ?? (isError ? 'What it costs could not be asked.' : 'Asking what it costs…'),
      isReady: false,
    }
  const { budget } = data.recommended
  const { title, effect } = raiseText(data, budget)
  return { label: title, effect, isReady: true, amounts: { budget } }
}

const mayWait = (action: NotificationAction): boolean => canWait({ verb: 'act', action })

interface DecideProps {
  one: AppNotification
  decisions: Decisions
  /** False to people who may look only. */
  mayAct: boolean
}

/** The first word in sight, so that all buttons share a line of a phone; the others are read out. */
function Short({ words }: { words: string }) {
  const [first, ...others] = words.split(' ')
  return (
    <>
      {first}
      <span className="visually-hidden"> {others.join(' ')}</span>
    </>
  )
}

/** The buttons of a card, under the thumb: the action with its effect first. */
export function Decide({ one, decisions, mayAct }: DecideProps) {
  const online = useOnline()
  const id = useId()
  const [first, ...others] = mayAct ? one.actions : []
  const { proposed } = one
  const [after, setAfter] = useState(proposed?.after ?? null)
  const main = useEffectOf(one, first, after)
  const field = { label: 'Your number', name: 'after', value: after, onChange: setAfter }
  return (
    <div className="deck-decide">
      {main && first && (
        <>
          {proposed &&
            first === 'APPROVE_PROPOSAL' &&
            (proposed.unit === 'PERCENT' ? (
              <NumberField {...field} suffix="%" digits={0} />
            ) : (
              <MoneyField {...field} currency={proposed.currency} />
            ))}
          <Button
            tone="accent"
            block
            disabled={!main.isReady || !(online || mayWait(first))}
            aria-describedby={id}
            onClick={() => void decisions.act(one, first, main.amounts)}
          >
            {main.label}
          </Button>
          <p id={id} className="deck-effect">
            {online || mayWait(first) ? main.effect : 'You are offline. It can be done once you are online.'}
          </p>
        </>
      )}
      <div className="deck-buttons">
        {others.map(action => (
          <Button key={action} disabled={!online && !mayWait(action)} onClick={() => void decisions.act(one, action)}>
            <Short words={actionWords[action]} />
          </Button>
        ))}
        <Button onClick={() => void decisions.askSnooze(one)}>Snooze</Button>
        <Button onClick={() => void decisions.askDismiss(one)}>Dismiss</Button>
      </div>
    </div>
  )
}
