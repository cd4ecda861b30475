import './bulk.css'
import '#client/ui/shell/floating-card.css'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useEffectEvent } from 'react'
import { useHoldReload } from '#client/pwa/can-reload-now.ts'
import { formatNumber } from '#client/ui/figures/format.ts'
import { navigateHref } from '#client/ui/ionic/navigate-href.ts'
import { Sheet } from '#client/ui/overlays/sheet.tsx'
import { toast } from '#client/ui/shell/toast-store.ts'
import { Button } from '#client/ui/states/button.tsx'
import { ProgressBar } from '#client/ui/states/progress-bar.tsx'
import { shopText, useShop } from '#features/accounts/client/public.ts'
import type { ChangeGroup } from '#features/structure/contract.ts'
import { GroupView, useGroup } from '../changes/group-view.tsx'
import { useUndo } from '../changes/use-undo.ts'
import { type ActiveBulk, followBulk, updateBulk } from './active-bulk.ts'
import { isSending, isStartedHere } from './send-bulk.ts'

const undoMs = 10_000

/** How far a bulk change is: in a sheet, or in a card while the user works on. */
export function BulkProgress({ active }: { active: ActiveBulk }) {
  const shop = useShop()
  const { groupId, isOpen, notSent } = active
  // After a reload nobody sends the rest.
  const isUnderWay = isSending(groupId) && active.stopped === null
  const isOfThisShop = active.shop === shopText(shop)
  useHoldReload(isUnderWay)
  useUnloadQuestion(isUnderWay)
  const { data: group } = useGroup(shop, groupId, isUnderWay)
  const { undo } = useUndo()
  const isSettled = !isUnderWay && group?.pending === 0
  const isGood = isSettled && group.rejected === 0 && notSent.length === 0 && active.sent >= active.total
  const onSent = useEffectEvent(() => {
    const action = { label: 'Undo', onSelect: () => void undo({ groupId }) }
    updateBulk(groupId, () => ({ isAnnounced: true }))
    if (group && group.accepted + group.pending > 0)
      toast({ title: active.title, message: 'On its way to the marketplace', durationMs: undoMs, action })
  })
  const isSent = !isUnderWay && group !== undefined && active.sent > 0 && !active.isAnnounced
  useEffect(() => {
    if (isSent) onSent()
  }, [isSent])
  useEffect(() => {
    // After a reload nobody waits to hear that all went well.
    if (isGood && (!isOpen || !isStartedHere(groupId))) followBulk(null)
  }, [isGood, isOpen, groupId])
  // Another account's changes are shown where that account is chosen.
  if (!isOfThisShop) return null
  if (!isOpen) return <BulkCard active={active} group={group} isUnderWay={isUnderWay} />
  return <BulkProgressSheet active={active} group={group} isUnderWay={isUnderWay} isSettled={isSettled} />
}

/** Closing the page would lose the rows that were not sent yet. */
function useUnloadQuestion(isAsked: boolean): void {
  useEffect(() => {
    if (!isAsked) return
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [isAsked])
}

interface PartProps {
  active: ActiveBulk
  group: ChangeGroup | undefined
  isUnderWay: boolean
}

function BulkProgressSheet({ active, group, isUnderWay, isSettled }: PartProps & { isSettled: boolean }) {
  const router = useRouter()
  const shop = useShop()
  const { groupId, title, what, total, sent, notSent, stopped } = active
  const close = (): void => (isSettled ? followBulk(null) : updateBulk(groupId, () => ({ isOpen: false })))
  const openHistory = (): void => {
    close()
    void navigateHref(router, `/changes?group=${groupId}`)
  }
  const isCutOff = !isUnderWay && sent < total
  return (
    <Sheet
      open
      title={title}
      onClose={close}
      footer={
        <>
          <Button onClick={openHistory}>History</Button>
          <Button tone="primary" onClick={close}>
            {isSettled ? 'Done' : 'Keep working'}
          </Button>
        </>
      }
    >
      {sent < total && isUnderWay && (
        <>
          <ProgressBar label="Saved" value={sent / total} />
          <p
            className="bulk-summary"
            aria-live="polite"
          >{`${formatNumber(sent)} of ${formatNumber(total)} ${what} saved.`}</p>
        </>
      )}
      {isCutOff && (
        <p className="bulk-row-problem" role="alert">
          {`Only ${formatNumber(sent)} of ${formatNumber(total)} were saved. ${stopped ?? 'The page was closed before the rest was sent.'} Choose the rest again in the list.`}
        </p>
      )}
      {notSent.length > 0 && (
        <section aria-label="Not changed">
          <h3>{`Not changed: ${formatNumber(notSent.length)}`}</h3>
          <ul className="bulk-not-sent">
            {notSent.map(({ name, message }, i) => (
              <li key={i}>
                <strong>{name}</strong> {message}
              </li>
            ))}
          </ul>
        </section>
      )}
      {(group || sent > notSent.length) && <GroupView shop={shop} groupId={groupId} isSending={isUnderWay} />}
    </Sheet>
  )
}

function BulkCard({ active, group, isUnderWay }: PartProps) {
  const { groupId, title, sent, total, notSent } = active
  const done = group ? group.total - group.pending : 0
  const failed = (group?.rejected ?? 0) + notSent.length
  const isOver = !isUnderWay && group?.pending === 0
  return (
    <aside className="floating-card bulk-card" aria-label="Bulk change">
      <output>
        <strong>{title}</strong>
        <span>
          {isOver
            ? `${formatNumber(failed)} could not be changed`
            : `${formatNumber(done)} of ${formatNumber(Math.max(total, group?.total ?? 0))} answered`}
        </span>
      </output>
      {!isOver && <ProgressBar label={title} value={Math.min(sent, done) / total} />}
      <Button onClick={() => updateBulk(groupId, () => ({ isOpen: true }))}>
        {isOver ? 'Show what failed' : 'Show'}
      </Button>
    </aside>
  )
}
