import { z } from 'zod'
import { MAX_ARRAY, type ManagedCollection } from '../arrays/array-collection.ts'
import { chunks } from '../chunks.ts'
import type { AdsCall } from '../client.ts'
import { inBatches } from '../structure/outcome.ts'
import { type ItemOutcome, refusedAs, unknownOutcome } from '../structure/outcome.ts'
import type { BrandClauseFilter } from './entities.ts'
import { targetResultsWire } from './wire.ts'

interface TargetResource<E, Change, S extends z.ZodType> {
  path: string
  /** Name of the list in requests and answers. */
  key: string
  schema: S
  fromWire: (wire: z.output<S>) => E
  toChange: (change: Change) => object
}

const PAGE = 1000

/** Targets of Sponsored Brands: lists inside an object, answers apart by how they went. */
export function createTargetCollection<E, Change, S extends z.ZodType>(
  call: AdsCall,
  { path, key, schema, fromWire, toChange }: TargetResource<E, Change, S>,
): ManagedCollection<E, Change, BrandClauseFilter> {
  const sendBatch = async (changes: Change[]): Promise<ItemOutcome<E>[]> => {
    const reply = await call({
      operation: `update ${path}`,
      method: 'PUT',
      path,
      body: { [key]: changes.map(toChange) },
      acceptType: '*/*',
      effect: 'write',
      schema: targetResultsWire,
    })
    const outcomes = changes.map((): ItemOutcome<E> => unknownOutcome('the answer does not mention it'))
    for (const { targetRequestIndex: at, code, details, description } of reply.updateTargetErrorResults ?? [])
      if (at in outcomes) outcomes[at] = refusedAs(code ?? 'OTHER_ERROR', details ?? description ?? code ?? 'refused')
    for (const { targetRequestIndex: at, targetId } of reply.updateTargetSuccessResults ?? [])
      if (at in outcomes) outcomes[at] = { ok: true, id: targetId ?? '', entity: null }
    return outcomes
  }

  async function* listPages(campaignIds: readonly string[], states: BrandClauseFilter['states']) {
    let nextToken: string | null | undefined
    do {
      const reply = await call({
        operation: `list ${path}`,
        method: 'POST',
        path: `${path}/list`,
        acceptType: '*/*',
        body: {
          filters: [
            { filterType: 'CAMPAIGN_ID', values: campaignIds },
            ...(states ? [{ filterType: 'TARGETING_STATE', values: states.map(state => state.toLowerCase()) }] : []),
          ],
          maxResults: PAGE,
          ...(nextToken && { nextToken }),
        },
        effect: 'read',
        schema: z
          .looseObject({ nextToken: z.string().nullish() })
          .transform((page): unknown => ({ nextToken: page.nextToken, rows: page[key] ?? [] }))
          .pipe(z.object({ nextToken: z.string().nullish(), rows: z.array(schema) })),
      })
      if (reply.rows.length) yield reply.rows.map(fromWire)
      nextToken = reply.nextToken === nextToken ? null : reply.nextToken
    } while (nextToken)
  }

  return {
    update: changes => inBatches(changes, sendBatch, MAX_ARRAY),
    async *pages({ campaignIds, states }) {
      for (const chunk of chunks(campaignIds, MAX_ARRAY)) yield* listPages(chunk, states)
    },
  }
}
