import * as v from 'valibot'
import { defineEndpoint } from '#shared/define-endpoint.ts'
import { id, pageOf, queryInt } from '#shared/query-schemas.ts'
import { money } from '#shared/money.ts'
import { MAX_BULK } from '#features/structure/contract.ts'
import { amountChangeProblem } from './bulk-change.ts'
import * as query from './list-queries.ts'

const amount = v.pipe(
  v.strictObject({
    kind: v.picklist(['TO', 'BY', 'PERCENT'], 'Must be TO, BY or PERCENT'),
    value: v.number('Enter an amount'),
    floor: v.optional(money),
    ceiling: v.optional(money),
  }),
  v.rawCheck(({ dataset, addIssue }) => {
    const problem = dataset.typed ? amountChangeProblem(dataset.value) : null
    if (problem) addIssue({ message: problem })
  }),
)

/** What is done to every chosen row. */
const bulkChange = v.variant('kind', [
  v.strictObject({
    kind: v.literal('STATE'),
    to: v.picklist(['ENABLED', 'PAUSED', 'ARCHIVED'], 'Must be ENABLED, PAUSED or ARCHIVED'),
  }),
  v.strictObject({
    kind: v.literal('AMOUNT'),
    field: v.picklist(['bid', 'budget', 'defaultBid'], 'Must be bid, budget or defaultBid'),
    amount,
  }),
  v.strictObject({ kind: v.literal('PORTFOLIO'), to: v.nullable(v.string()) }),
])
export type BulkChange = v.InferOutput<typeof bulkChange>

const value = v.nullable(v.union([v.string(), v.number()]))
const previewRow = v.object({
  id,
  version: v.number(),
  name: v.string(),
  before: value,
  /** What it would become; the same as `before` where there is nothing to change. */
  after: value,
  /** Why it cannot be changed; null when it can. */
  problem: v.nullable(v.string()),
  currency: v.string(),
})
export type PreviewRow = v.InferOutput<typeof previewRow>

const chosen = {
  /** The chosen rows; without them all that match the filter. */
  ids: v.optional(v.pipe(v.array(id), v.maxLength(MAX_BULK, 'At most 1,000 rows at a time'))),
  change: bulkChange,
  page: v.optional(queryInt, 0),
  size: v.optional(
    v.pipe(queryInt, v.minValue(1, 'Must be at least 1'), v.maxValue(MAX_BULK, 'Must be at most 1,000')),
    MAX_BULK,
  ),
}
const rowsOf = <const K extends string, F extends v.GenericSchema>(entity: K, filter: F) =>
  v.strictObject({ entity: v.literal(entity), filter: v.optional(filter), ...chosen })

export const bulkPreviewEndpoints = {
  preview: defineEndpoint({
    method: 'POST',
    path: '/bulk/preview',
    access: 'subscription',
    summary: 'What a change of many rows would do to each, before and after, and which rows cannot be changed and why',
    body: v.variant('entity', [
      rowsOf('campaign', query.campaignsQuery),
      rowsOf('adGroup', query.adGroupsQuery),
      rowsOf('ad', query.adsQuery),
      rowsOf('keyword', query.keywordsQuery),
      rowsOf('target', query.targetsQuery),
    ]),
    response: v.object({
      ...pageOf(previewRow).entries,
      /** The field that changes. */
      field: v.string(),
    }),
    errors: ['FORBIDDEN', 'RULE_VIOLATED', 'VALIDATION_FAILED'],
  }),
}
