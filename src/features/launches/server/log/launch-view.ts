import * as v from 'valibot'
import type { Db } from '#server/db/tables.ts'
import { type createdEntities, type Launch, type LaunchLogRow, type StepName, stepNames } from '../../contract.ts'
import { storedPayload } from '../../launch-schema.ts'
import { fieldOfItem, type ItemContent, matchOfItem } from '../../plan/launch-items.ts'
import { countItems, failedItems, type JournalItem } from '../sql/items.ts'
import type { launchById } from '../sql/launches.ts'
import { stepsOf } from '../sql/launches.ts'

type LaunchRow = NonNullable<Awaited<ReturnType<typeof launchById>>>

const entityOf: Record<ItemContent['kind'], (typeof createdEntities)[number] | null> = {
  CAMPAIGN: 'CAMPAIGN',
  AD_GROUP: 'AD_GROUP',
  PRODUCT_AD: 'PRODUCT_AD',
  KEYWORD: 'KEYWORD',
  PRODUCT_TARGET: 'PRODUCT_TARGET',
  NEGATIVE_KEYWORD: 'NEGATIVE_KEYWORD',
  // These change what appeared by itself or was made before.
  AUTO_TARGET: null,
  ENABLE: null,
}

function factsOf(content: ItemContent) {
  const matchType = matchOfItem(content)
  return { kind: content.kind, ...(content.phase && { phase: content.phase }), ...(matchType && { matchType }) }
}

/** What exists by a launch, for its answer. */
export function createdOf(items: readonly Pick<JournalItem, 'content' | 'amazonId' | 'label'>[]): Launch['created'] {
  return items.flatMap(item => {
    const entity = entityOf[item.content.kind]
    return entity && item.amazonId ? [{ entity, id: item.amazonId, name: item.label, ...factsOf(item.content) }] : []
  })
}

/** Launches as their log shows them, in the order of `rows`. */
export async function presentLaunches(tx: Db, merchantId: number, rows: readonly LaunchRow[]): Promise<LaunchLogRow[]> {
  const ids = rows.map(row => row.id)
  const steps = await stepsOf(tx, merchantId, ids)
  const counts = await countItems(tx, merchantId, ids)
  const failed = await failedItems(tx, merchantId, ids)
  return rows.map(row => {
    const own = counts.filter(c => c.launchId === row.id)
    const parsed = failed.some(f => f.launchId === row.id) ? v.safeParse(storedPayload, row.payload) : null
    const payload = parsed?.success ? parsed.output : {}
    const sum = (step: StepName | null, done: boolean) =>
      own
        .filter(c => (step === null || c.step === step) && (!done || c.state === 'CREATED' || c.state === 'ARCHIVED'))
        .reduce((total, c) => total + c.count, 0)
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
      createdCount: sum(null, true) - sum('ENABLE', true) - sum('AUTO_TARGETS', true),
      steps: stepNames.flatMap(name => {
        const step = steps.find(s => s.launch_id === row.id && s.name === name)
        if (!step) return []
        const stopped = step.reason
          ? [{ item: row.campaign_name, reason: step.reason, message: step.message ?? '' }]
          : []
        // These two have no items: they are done or not.
        const single = name === 'RECOMMENDATIONS' || name === 'SAVE'
        return [
          {
            name,
            status: step.status,
            startedAt: step.started_at?.toISOString() ?? null,
            finishedAt: step.finished_at?.toISOString() ?? null,
            done: single ? Number(step.status === 'COMPLETED') : sum(name, true),
            total: single ? 1 : sum(name, false),
            errors: [
              ...stopped,
              ...failed
                .filter(f => f.launchId === row.id && f.step === name)
                .map(({ item, content, reason, message }) => {
                  const field = fieldOfItem(content, reason, payload)
                  return { item, reason, message, ...factsOf(content), ...(field && { field }) }
                }),
            ],
          },
        ]
      }),
    }
  })
}

/** Whether there is something to try again: never once an undo was asked for. */
export const canRetry = (row: Pick<LaunchRow, 'status' | 'undo'>): boolean =>
  row.undo === null && (row.status === 'PARTIAL' || row.status === 'FAILED')
