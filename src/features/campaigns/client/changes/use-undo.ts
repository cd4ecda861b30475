import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import * as v from 'valibot'
import { ApiError, failureMessage } from '#client/api/api-error.ts'
import { call } from '#client/api/call.ts'
import { formatMoment, formatNumber } from '#client/ui/figures/format.ts'
import { actionSheet, confirm } from '#client/ui/overlays/dialogs.ts'
import { toast } from '#client/ui/shell/toast-store.ts'
import { shopText, useShop } from '#features/accounts/client/public.ts'
import { changeEndpoints, entityChange, type UndoOutcome } from '#features/structure/contract.ts'
import { marketplaceById } from '#shared/marketplaces.ts'
import { campaignQueries } from '../queries.ts'
import { changeLabel, hasValues, originLabels, valueText } from './changed-value.tsx'

/** One change, or every change of a group. */
export type Undone = { id: number } | { groupId: string }

const conflict = v.object({ blocked: v.number(), of: v.number(), newer: v.fallback(v.array(entityChange), []) })
type Conflict = v.InferOutput<typeof conflict>

/** What stands in the way of an undo; null when the error is about something else. */
function conflictOf(error: unknown): Conflict | null {
  if (!(error instanceof ApiError) || error.code !== 'CONFLICT') return null
  const parsed = v.safeParse(conflict, error.extra)
  return parsed.success ? parsed.output : null
}

const overAll = { lost: 'Undo all, and discard newer changes', archived: 'Undo all, and archive newer additions too' }
const mostNamed = 3

/** The newer changes, each in a line: what, its values, by whom and when. */
function newerText({ newer, blocked }: Conflict, marketplaceId: number): string {
  const market = marketplaceById(marketplaceId)
  const lines = newer.slice(0, mostNamed).map(({ entity, field, name, before, after, by, origin, at }) => {
    const textOf = (value: unknown): string => valueText(entity, field ?? '', value, market?.currency ?? 'USD')
    const who = `${by ?? originLabels[origin]}, ${formatMoment(at, market?.timezone ?? 'UTC')}`
    const values = hasValues(field) ? ` ${textOf(before)} → ${textOf(after)}` : ''
    return `${name}: ${changeLabel(entity, field)}${values} (${who})`
  })
  const rest = Math.max(newer.length, blocked) - lines.length
  return [...lines, ...(rest > 0 ? [`and ${formatNumber(rest)} more`] : [])].join('\n')
}

/** What the user wants where something newer stands in the way; null for nothing. */
async function askOver(
  found: Conflict,
  marketplaceId: number,
  archives: boolean,
): Promise<'force' | 'skipNewer' | null> {
  const { blocked, of } = found
  const newer = newerText(found, marketplaceId)
  if (of === 1) {
    const lost = archives
      ? 'Undo archives it anyway, with everything in it.'
      : 'Undo restores the value from before and discards the newer change, which stays in the history.'
    const isSure = await confirm({
      title: 'This has changed again since',
      message: newer ? `${newer}\n\n${lost}` : lost,
      confirmText: 'Undo anyway',
    })
    return isSure ? 'force' : null
  }
  const rest = `Undo the other ${formatNumber(of - blocked)}`
  const all = archives ? overAll.archived : overAll.lost
  const chosen = await actionSheet({
    title: `${formatNumber(blocked)} of ${formatNumber(of)} have changed again since`,
    message: newer,
    actions: [...(blocked < of ? [{ label: rest }] : []), { label: all, tone: 'danger' as const }],
  })
  return chosen === rest ? 'skipNewer' : chosen === all ? 'force' : null
}

/** What is said of an undo that has a name of its own. */
interface Named {
  title: string
  message: string
}

function report(outcomes: readonly UndoOutcome[], named?: Named): void {
  const left = outcomes.filter(({ status }) => status !== 'UNDONE' && status !== 'SAME')
  const undone = outcomes.length - left.length
  const message = left[0]?.message
  toast({
    title: undone === 1 ? 'Change undone' : `${formatNumber(undone)} changes undone`,
    ...(left.length === 0 && named),
    ...(left.length && { message: `${formatNumber(left.length)} left as they are: ${message ?? ''}`, tone: 'warning' }),
  })
}

/** Asks before what was created is archived, which is for good. */
const askArchive = () =>
  confirm({
    title: 'Undo and archive?',
    message:
      'What was created is archived at the marketplace, with everything in it. It cannot come back. To stop it for a while, pause it instead.',
    confirmText: 'Hold to undo',
    tone: 'danger',
    isHeld: true,
  })

/** Undoes a change or a group, after a question where something newer stands in its way. Resolves to the group of the undo. */
export function useUndo() {
  const client = useQueryClient()
  const currentShop = useShop()
  const shop = shopText(currentShop)
  const [isPending, setPending] = useState(false)
  const send = (undone: Undone, how: { force?: boolean; skipNewer?: boolean }) => {
    const options = { shop, timeoutMs: 60_000 }
    return 'id' in undone
      ? call(changeEndpoints.undo, { params: undone, body: how }, options)
      : call(changeEndpoints.undoGroup, { params: undone, body: how }, options)
  }
  const undo = async (
    undone: Undone,
    { named, archives = false }: { named?: Named; archives?: boolean } = {},
  ): Promise<string | null> => {
    if (archives && !(await askArchive())) return null
    setPending(true)
    try {
      const answer = await send(undone, {}).catch(async (error: unknown) => {
        const found = conflictOf(error)
        if (!found) throw error
        const how = await askOver(found, currentShop.marketplaceId, archives)
        return how && send(undone, { [how]: true })
      })
      if (answer) report(answer.outcomes, named)
      return answer?.groupId ?? null
    } catch (error) {
      toast({ title: 'Not undone', message: failureMessage(error), tone: 'danger' })
      return null
    } finally {
      setPending(false)
      void client.invalidateQueries({ queryKey: campaignQueries.all })
    }
  }
  return { undo, isPending }
}
