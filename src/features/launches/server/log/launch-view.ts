import { type NegativeMatchType } from '#shared/keyword-rules.ts'
import * as v from 'valibot'
import type { Db } from '#server/db/tables.ts'
import { type LaunchLogRow, type StepName, stepNames } from '../../contract.ts'
import { storedPayload } from '../../launch-schema.ts'
import { fieldOfItem, type ItemContent } from '../../plan/launch-items.ts'
import type { GroupMatch } from '../../templates.ts'
import { countItems } from '../sql/items.ts'
import { type LaunchRow, stepsOf } from '../sql/launches.ts'

/** The match type of an item, in the words of an ad group. */
function matchOf(content: ItemContent): GroupMatch | NegativeMatchType | null {
  if (content.kind === 'AUTO_TARGET') return 'AUTO'
  if (content.kind === 'PRODUCT_TARGET') return content.match
  if (content.kind === 'NEGATIVE_KEYWORD') return content.matchType ?? 'NEGATIVE_EXACT'
  return content.kind === 'KEYWORD' ? content.matchType : null
}

/** What an item is, for an answer. */
export function factsOf(content: ItemContent) {
  const matchType = matchOf(content)
  return { kind: content.kind, ...(content.phase && { phase: content.phase }), ...(matchType && { matchType }) }
}

async function failedItems(tx: Db, merchantId: number, launchIds: readonly number[]) {
  if (!launchIds.length) return []
  return tx
    .selectFrom('launch_item')
    .select(['launch_id as launchId', 'step', 'label', 'content', 'reason', 'message'])
    .where('merchant_id', '=', merchantId)
    .where('launch_id', 'in', launchIds)
    .where('state', '=', 'FAILED')
    .orderBy('launch_id')
    .orderBy('item_no')
    .execute()
}

/** Launches as their log shows them, in the order of `rows`. */
export async function presentLaunches(tx: Db, merchantId: number, rows: readonly LaunchRow[]): Promise<LaunchLogRow[]> {
  const ids = rows.map(row => row.id)
  const steps = await stepsOf(tx, merchantId, ids)
  const counts = await countItems(tx, merchantId, ids)
  const failed = await failedItems(tx, merchantId, ids)
  return rows.map(row => {
    const own = counts.filter(c => c.launchId === row.id)
    const failures = failed.filter(f => f.launchId === row.id)
    const parsed = failures.length ? v.safeParse(storedPayload, row.payload) : null
    const payload = parsed?.success ? parsed.output : {}
    const sum = (some: typeof own) => some.reduce((total, { count }) => total + count, 0)
    const isDone = ({ state }: (typeof own)[number]) => state === 'CREATED' || state === 'ARCHIVED'
    const presentStep = (name: StepName) => {
      const step = steps.find(s => s.launch_id === row.id && s.name === name)
      if (!step) return []
      const { status, reason, message } = step
      const items = own.filter(c => c.step === name)
      // These two have no items: they are done or not.
      const isSingle = name === 'RECOMMENDATIONS' || name === 'SAVE'
      const stopped = reason ? [{ item: row.campaign_name, reason, message: message ?? '' }] : []
      const errors = failures
        .filter(f => f.step === name)
        .map(({ label: item, reason: code, message: text, ...f }) => {
          const content = f.content as ItemContent
          const field = fieldOfItem(content, code ?? 'OTHER_ERROR', payload)
          const problem = { item, reason: code ?? 'OTHER_ERROR', message: text ?? '' }
          return { ...problem, ...factsOf(content), ...(field && { field }) }
        })
      return [
        {
          name,
          status,
          startedAt: step.started_at?.toISOString() ?? null,
          finishedAt: step.finished_at?.toISOString() ?? null,
          done: isSingle ? Number(status === 'COMPLETED') : sum(items.filter(isDone)),
          total: isSingle ? 1 : sum(items),
          errors: [...stopped, ...errors],
        },
      ]
    }
    return {
      id: row.id,
      campaignName: row.campaign_name,
      template: row.template,
      status: row.status,
      undo: row.undo,
      canRetry: canRetry(row),
      waitingUntil: row.waiting_until?.toISOString() ?? null,
      createdAt: row.created_at.toISOString(),
      finishedAt: row.finished_at?.toISOString() ?? null,
      createdCount: sum(own.filter(c => isDone(c) && c.step !== 'ENABLE' && c.step !== 'AUTO_TARGETS')),
      steps: stepNames.flatMap(presentStep),
    }
  })
}

/** Whether there is something to try again: never once an undo was asked for. */
export const canRetry = (row: Pick<LaunchRow, 'status' | 'undo'>): boolean =>
  row.undo === null && (row.status === 'PARTIAL' || row.status === 'FAILED')
