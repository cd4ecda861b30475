import * as v from 'valibot'
import { defineEndpoint } from '#shared/define-endpoint.ts'
import { exportEndpoint, exportQuery } from '#shared/export-file.ts'
import { day, id, queryId } from '#shared/query-schemas.ts'
import { money } from '#shared/money.ts'

export const decimalMarks = ['POINT', 'COMMA'] as const
export type DecimalMark = (typeof decimalMarks)[number]
/** Most bytes of a file of costs. */
export const costFileBytes = 2_000_000
const decimalMark = v.picklist(decimalMarks, 'Must be POINT or COMMA')

/** What is wrong with a line, or with the whole file. */
const costFault = v.object({
  /** As an editor counts them; the heading is line 1. */
  line: v.number(),
  field: v.picklist(['file', 'sku', 'cogs', 'valid_from', 'currency']),
  /** What the line says. */
  value: v.string(),
  message: v.string(),
})
export type CostFault = v.InferOutput<typeof costFault>

const costPreview = v.object({
  currency: v.string(),
  /** Lines with a cost. */
  lines: v.number(),
  /** Null while the file's amounts could mean either: the user decides. */
  decimal: v.nullable(decimalMark),
  /** One of the amounts that could mean either. */
  ambiguous: v.nullable(v.string()),
  /** Costs that would change; the first hundred of them. */
  changes: v.array(
    v.object({
      line: v.number(),
      sku: v.string(),
      title: v.nullable(v.string()),
      validFrom: day,
      before: v.nullable(money),
      after: money,
    }),
  ),
  changesTotal: v.number(),
  unchanged: v.number(),
  /** The first two hundred. */
  faults: v.array(costFault),
  faultsTotal: v.number(),
  /** The import, once it was applied. */
  importId: v.nullable(id),
})
export type CostPreview = v.InferOutput<typeof costPreview>

const costImport = v.object({
  id,
  fileName: v.string(),
  createdAt: v.pipe(v.string(), v.isoTimestamp()),
  changes: v.number(),
  undoneAt: v.nullable(v.pipe(v.string(), v.isoTimestamp())),
})

export const costImportEndpoints = {
  importCosts: defineEndpoint({
    method: 'POST',
    path: '/inventory/cogs/import',
    access: 'subscription',
    summary:
      'Reads a file of costs, says what is wrong with which line and what would change, and applies it when asked',
    // In base64, with the rest of the request.
    maxBodyBytes: Math.ceil((costFileBytes * 4) / 3) + 4096,
    body: v.strictObject({
      fileName: v.pipe(v.string(), v.trim(), v.maxLength(200, 'At most 200 characters')),
      /** The bytes of the file, in base64. */
      content: v.pipe(
        v.string(),
        v.maxLength(Math.ceil((costFileBytes * 4) / 3) + 4, 'The file must have at most 2 MB'),
        v.base64('Must be the file in base64'),
      ),
      /** Where the amounts could mean either. */
      decimal: v.optional(decimalMark),
      /** NONE previews; ALL applies a file without faults; VALID applies the other lines. */
      apply: v.optional(v.picklist(['NONE', 'ALL', 'VALID'], 'Must be NONE, ALL or VALID'), 'NONE'),
    }),
    response: costPreview,
    errors: ['FORBIDDEN', 'RULE_VIOLATED', 'VALIDATION_FAILED'],
  }),
  costImports: defineEndpoint({
    method: 'GET',
    path: '/inventory/cogs/imports',
    access: 'subscription',
    summary: 'The last imports of costs, the newest first',
    response: v.array(costImport),
    errors: ['RULE_VIOLATED'],
  }),
  undoCostImport: defineEndpoint({
    method: 'POST',
    path: '/inventory/cogs/imports/:importId/undo',
    access: 'subscription',
    summary: 'Brings back the costs that an import replaced; what was changed since stays',
    params: v.strictObject({ importId: queryId }),
    response: v.object({ restored: v.number(), changedSince: v.number() }),
    errors: ['FORBIDDEN', 'NOT_FOUND', 'RULE_VIOLATED'],
  }),
  costTemplate: defineEndpoint({
    ...exportEndpoint,
    path: '/inventory/cogs/template',
    summary: 'Every sku with its present cost, as a file to fill in and import',
    query: v.strictObject(exportQuery([])),
    errors: ['RULE_VIOLATED'],
  }),
}
