import { useMutation, useQueryClient, type UseQueryResult } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { cardOutline } from 'ionicons/icons'
import { useOnline } from '#client/api/online.ts'
import { DataAge } from '#client/ui/figures/data-age.tsx'
import { formatMoney } from '#client/ui/figures/format.ts'
import { Icon } from '#client/ui/ionic/icon.tsx'
import { Card } from '#client/ui/lists/card.tsx'
import { RowMenu } from '#client/ui/lists/row-menu.tsx'
import { confirm } from '#client/ui/overlays/dialogs.ts'
import { toast } from '#client/ui/shell/toast-store.ts'
import { Button } from '#client/ui/states/button.tsx'
import { QueryView } from '#client/ui/states/query-view.tsx'
import type { Invoice, PaymentCard, PaymentMethods } from '../contract.ts'
import { cardExpiry, cardName, expiryTags, invoiceName } from './billing-words.ts'
import { openCardPage, removeCard, setDefaultCard } from './queries.ts'

/** The cards: which one is charged, which ones expire; adding and removing them. */
export function CardsCard({ query }: { query: UseQueryResult<PaymentMethods> }) {
  const online = useOnline()
  const add = useMutation(openCardPage())
  return (
    <Card
      title="Cards"
      aside={
        <Button busy={add.isPending} busyLabel="Opening…" disabled={!online} onClick={() => add.mutate()}>
          Add a card
        </Button>
      }
    >
      <QueryView
        query={query}
        loading={{ rows: 1, label: 'Loading your cards' }}
        failedTitle="Your cards could not be loaded"
        empty={({ cards }) => {
          if (cards === null) return <p className="muted">The payment provider does not answer. Try again later.</p>
          return (
            cards.length === 0 && (
              <p className="muted">
                No card yet. You enter it on the payment provider’s page; Tideline never sees its number.
              </p>
            )
          )
        }}
      >
        {({ cards, isReachable, asOf }) => (
          <>
            <ul className="billing-list">
              {cards?.map(card => (
                <CardRow key={card.id} card={card} canChange={online && isReachable} />
              ))}
            </ul>
            {!isReachable && (
              <p className="billing-note">
                The payment provider does not answer, so cards cannot be changed now.{' '}
                <DataAge at={asOf} prefix="As of" />
              </p>
            )}
          </>
        )}
      </QueryView>
    </Card>
  )
}

function CardRow({ card, canChange }: { card: PaymentCard; canChange: boolean }) {
  const { makeDefault, remove, isBusy } = useCardActions(card)
  const name = cardName(card)
  const tag = expiryTags[card.expiry]
  return (
    <li className="payment-card" aria-busy={isBusy || undefined}>
      <Icon icon={cardOutline} />
      <div>
        <strong>{name}</strong>
        <div className="payment-card-detail">
          <span className="list-row-detail">{cardExpiry(card)}</span>
          {card.isDefault && <span className="tag tag-good">Default</span>}
          {tag && <span className="tag tag-danger">{tag}</span>}
        </div>
      </div>
      {canChange && !isBusy && (
        <RowMenu
          name={name}
          actions={[
            ...(card.isDefault ? [] : [{ label: 'Make default', onSelect: makeDefault }]),
            { label: 'Remove', tone: 'danger' as const, onSelect: () => void remove() },
          ]}
        />
      )}
    </li>
  )
}

function useCardActions(card: PaymentCard) {
  const client = useQueryClient()
  const setDefault = useMutation(setDefaultCard(client))
  const detach = useMutation(removeCard(client))
  const offerToPay = useOfferToPay()
  const name = cardName(card)
  return {
    isBusy: setDefault.isPending || detach.isPending,
    makeDefault: () =>
      setDefault.mutate(card.id, {
        onSuccess: ({ openInvoices }) => {
          toast({ title: `${name} is charged from now on`, tone: 'success' })
          void offerToPay(openInvoices, name)
        },
      }),
    remove: async () => {
      const sure = await confirm({
        title: `Remove ${name}?`,
        message: 'You can add it again later.',
        confirmText: 'Remove card',
        cancelText: 'Keep it',
        tone: 'danger',
      })
      if (sure) detach.mutate(card.id, { onSuccess: () => toast({ title: `${name} was removed`, tone: 'success' }) })
    },
  }
}

/** Offers to pay what is owed, once there is a card to pay it with; leads to the oldest invoice. */
export function useOfferToPay() {
  const navigate = useNavigate()
  return async (openInvoices: readonly Invoice[], card: string): Promise<void> => {
    const [first] = openInvoices
    if (!first) return
    const wants = await confirm({
      title: 'Pay what is open?',
      message: `${invoiceName(first)} of ${formatMoney(first.amountRemaining, first.currency)} is not paid. You can pay it with ${card} now.`,
      confirmText: 'Show the invoice',
      cancelText: 'Later',
    })
    if (wants) await navigate({ to: '/subscription/invoices/$invoiceId', params: { invoiceId: first.id } })
  }
}
