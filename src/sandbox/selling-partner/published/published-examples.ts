import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Id of the account that consists only of the marketplace's own published examples. */
export const PUBLISHED_SELLER_ID = 'A0PUBLISHEDEX1'

/** One published pair of request and answer. */
export interface Example {
  operationId: string
  status: number
  /** Values that the request must have, by parameter; `body` is the whole body. */
  parameters: Record<string, { value?: unknown }>
  response: unknown
}

const files = [
  'sellers.json',
  'fbaInventory.json',
  'listingsItems_2021-08-01.json',
  'reports_2021-06-30.json',
  'catalogItems_2022-04-01.json',
  'sales.json',
  'productFeesV0.json',
  'productPricing_2022-05-01.json',
  'feeds_2021-06-30.json',
  'orders_2026-01-01.json',
  'tokens_2021-03-01.json',
]

interface Model {
  paths: Record<string, Record<string, { operationId?: string; responses?: Record<string, Answer> }>>
}
interface Answer {
  'x-amzn-api-sandbox'?: { static?: { request?: { parameters?: Example['parameters'] }; response?: unknown }[] }
}

function examplesOf(model: Model): Example[] {
  return Object.values(model.paths).flatMap(operations =>
    Object.values(operations).flatMap(({ operationId, responses }) =>
      Object.entries(responses ?? {}).flatMap(([status, answer]) =>
        (answer['x-amzn-api-sandbox']?.static ?? []).map(({ request, response }) => ({
          operationId: operationId ?? '',
          status: Number(status),
          parameters: request?.parameters ?? {},
          response,
        })),
      ),
    ),
  )
}

const cache = new Map<string, Example[]>()

/**
 * Every static example in the models of a folder (`SPAPI_MODELS_DIR` unless named), untouched. Null without a folder;
 * throws when the folder lacks a model.
 */
export function publishedExamples(folder = process.env.SPAPI_MODELS_DIR): Example[] | null {
  if (!folder || !existsSync(folder)) return null
  let examples = cache.get(folder)
  if (!examples) {
    // The models are the vendor's, in a shape their own schema fixes; only the parts named above are touched.
    examples = files.flatMap(file => examplesOf(JSON.parse(readFileSync(join(folder, file), 'utf8')) as Model))
    cache.set(folder, examples)
  }
  return examples
}
