import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useOnline } from '#client/api/online.ts'
import { Card } from '#client/ui/lists/card.tsx'
import { actionSheet, confirm } from '#client/ui/overlays/dialogs.ts'
import { Button } from '#client/ui/states/button.tsx'
import type { Subscription } from '../contract.ts'
import { cancelSubscription } from './mutations.ts'
import { overLimitSentence, standingWords } from './subscription-words.ts'

const atEnd = 'At the end of the period'
const now = 'Immediately'

/** How the user's subscription stands, and its end. */
export function CurrentSubscription({ subscription }: { subscription: Subscription }) {
  const { title, tag, sentence } = standingWords(subscription)
  const cancel = useMutation(cancelSubscription(useQueryClient()))
  const online = useOnline()
  const ask = async () => {
    const when = await actionSheet({
      title: 'When should the subscription end?',
      actions: [...(subscription.cancelAtPeriodEnd ? [] : [{ label: atEnd }]), { label: now, tone: 'danger' as const }],
    })
    if (when === undefined) return
    const sure = await confirm({
      title: 'Cancel the subscription?',
      message:
        when === now
          ? 'Your access ends at once. Your campaigns go on at the marketplace as they are.'
          : 'You keep your access until the end of the period.',
      confirmText: 'Cancel subscription',
      cancelText: 'Keep it',
      tone: 'danger',
    })
    if (sure) cancel.mutate(when === atEnd)
  }
  return (
    <Card
      title={title}
      aside={<span className={subscription.hasAccess ? 'tag tag-good' : 'tag tag-danger'}>{tag}</span>}
    >
      <div className="standing">
        <p>{sentence}</p>
        {subscription.overLimits.map(over => (
          <p key={over.limit}>{overLimitSentence(over, new Date())}</p>
        ))}
        {!subscription.isOwn && <p>It belongs to somebody else who shares this merchant with you.</p>}
        {subscription.isOwn && subscription.hasActiveSubscription && (
          <Button tone="danger" busy={cancel.isPending} disabled={!online} onClick={() => void ask()}>
            Cancel subscription
          </Button>
        )}
      </div>
    </Card>
  )
}
