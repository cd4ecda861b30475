import { z } from 'zod'
import type { AdsCall } from '../client.ts'

export type ChangedEntity = 'CAMPAIGN' | 'AD_GROUP' | 'AD' | 'KEYWORD' | 'PRODUCT_TARGETING' | 'NEGATIVE_KEYWORD'

/** One thing that somebody changed, here, in the marketplace's console or by another tool. */
export interface ChangeEvent {
  at: Date
  entityType: string
  entityId: string
  campaignId: string | null
  adGroupId: string | null
  /** The marketplace's word: STATUS, BID_AMOUNT, BUDGET_AMOUNT, IN_BUDGET, ... */
  changeType: string
  /** As the marketplace writes it, amounts in units of the currency; empty at a creation. */
  previousValue: string
  newValue: string
}

export interface History {
  /** What was changed between two moments, newest first, page by page. The marketplace remembers 90 days. */
  changes(question: {
    from: Date
    to: Date
    entities?: readonly ChangedEntity[]
  }): AsyncGenerator<ChangeEvent[], void, undefined>
}

const all: readonly ChangedEntity[] = ['CAMPAIGN', 'AD_GROUP', 'AD', 'KEYWORD', 'PRODUCT_TARGETING', 'NEGATIVE_KEYWORD']
const PAGE = 200

const text = z.union([z.string(), z.number(), z.boolean()]).transform(String).nullish()

const historyWire = z.object({
  events: z
    .array(
      z.object({
        timestamp: z.number(),
        entityType: z.string(),
        entityId: z.union([z.string(), z.number()]).transform(String),
        changeType: z.string(),
        previousValue: text,
        newValue: text,
        metadata: z.object({ campaignId: text, adGroupId: text }).nullish(),
      }),
    )
    .nullish(),
  nextToken: z.string().nullish(),
})

function fromWire(wire: z.output<typeof historyWire>): ChangeEvent[] {
  return (wire.events ?? []).map(event => ({
    at: new Date(event.timestamp),
    entityType: event.entityType,
    entityId: event.entityId,
    campaignId: event.metadata?.campaignId ?? (event.entityType === 'CAMPAIGN' ? event.entityId : null),
    adGroupId: event.metadata?.adGroupId ?? null,
    changeType: event.changeType,
    previousValue: event.previousValue ?? '',
    newValue: event.newValue ?? '',
  }))
}

export function createHistory(call: AdsCall): History {
  return {
    async *changes({ from, to, entities = all }) {
      let nextToken: string | null | undefined
      do {
        const reply = await call({
          operation: 'read change history',
          method: 'POST',
          path: '/history',
          body: {
            fromDate: from.getTime(),
            toDate: to.getTime(),
            count: PAGE,
            sort: { key: 'DATE', direction: 'DESC' },
            eventTypes: Object.fromEntries(
              entities.map(type => [type, { parents: [{ useProfileIdAdvertiser: true }] }]),
            ),
            ...(nextToken && { nextToken }),
          },
          effect: 'read',
          schema: historyWire,
        })
        const events = fromWire(reply)
        if (events.length) yield events
        nextToken = reply.nextToken === nextToken ? null : reply.nextToken
      } while (nextToken)
    },
  }
}
