import { z } from 'zod'
import type { AdsCall } from '../client.ts'
import { id, listOf, orNull, schemaOf } from '../entities/wire-fields.ts'

const entityTypes = ['CAMPAIGN', 'AD_GROUP', 'AD', 'KEYWORD', 'PRODUCT_TARGETING', 'NEGATIVE_KEYWORD'] as const
type ChangedEntity = (typeof entityTypes)[number]

const word = orNull(z.union([z.string(), z.number(), z.boolean()]).transform(String))
const value = { from: word.transform(text => text ?? '') }
/** One thing that somebody changed, here, in the marketplace's console or by another tool. */
const changeEvent = schemaOf({
  fields: {
    at: { wire: 'timestamp', from: z.number().transform(at => new Date(at)) },
    entityType: { from: z.string() },
    entityId: id,
    campaignId: { wire: 'metadata.campaignId', from: word },
    adGroupId: { wire: 'metadata.adGroupId', from: word },
    /** The marketplace's word: STATUS, BID_AMOUNT, BUDGET_AMOUNT, IN_BUDGET, ... */
    changeType: { from: z.string() },
    /** As the marketplace writes it, amounts in units of the currency; empty at a creation. */
    previousValue: value,
    newValue: value,
  },
}).transform(event => ({
  ...event,
  campaignId: event.campaignId ?? (event.entityType === 'CAMPAIGN' ? event.entityId : null),
}))
type ChangeEvent = z.output<typeof changeEvent>

const historyWire = z.object({ events: listOf(changeEvent), nextToken: z.string().nullish() })
const PAGE = 200

export interface History {
  /** What was changed between two moments, newest first, page by page. The marketplace remembers 90 days. */
  changes(question: {
    from: Date
    to: Date
    entities?: readonly ChangedEntity[]
  }): AsyncGenerator<ChangeEvent[], void, undefined>
}

export function createHistory(call: AdsCall): History {
  return {
    async *changes({ from, to, entities = entityTypes }) {
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
        if (reply.events.length) yield reply.events
        nextToken = reply.nextToken === nextToken ? null : reply.nextToken
      } while (nextToken)
    },
  }
}
