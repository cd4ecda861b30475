import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { type Operation, ok, SpError, type SpAnswer, type SpRequest } from '../operations/operation.ts'

/** Id of the account that consists only of the marketplace's own published examples. */
export const PUBLISHED_SELLER_ID = 'A0PUBLISHEDEX1'

export interface Example {
  operationId: string
  status: number
  /** Values that the request must have, by parameter; `body` is the whole body. */
  parameters: Record<string, { value?: unknown }>
  response: unknown
}

const files =
  'sellers fbaInventory listingsItems_2021-08-01 reports_2021-06-30 catalogItems_2022-04-01 sales productFeesV0 productPricing_2022-05-01 feeds_2021-06-30 orders_2026-01-01 tokens_2021-03-01'.split(
    ' ',
  )

// The models are the vendor's, in a shape their own schema fixes; only the parts named here are touched.
interface Answer {
  'x-amzn-api-sandbox'?: { static?: { request?: { parameters?: Example['parameters'] }; response?: unknown }[] }
}
type Paths = Record<string, Record<string, { operationId?: string; responses?: Record<string, Answer> }>>

function examplesIn(file: string): Example[] {
  const { paths } = JSON.parse(readFileSync(file, 'utf8')) as { paths: Paths }
  return Object.values(paths)
    .flatMap(operations => Object.values(operations))
    .flatMap(({ operationId = '', responses = {} }) =>
      Object.entries(responses).flatMap(([status, answer]) =>
        (answer['x-amzn-api-sandbox']?.static ?? []).map(({ request, response }) => ({
          operationId,
          status: Number(status),
          parameters: request?.parameters ?? {},
          response,
        })),
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
  const examples = cache.get(folder) ?? files.flatMap(file => examplesIn(join(folder, `${file}.json`)))
  cache.set(folder, examples)
  return examples
}

const asText = (value: unknown): string => (Array.isArray(value) ? value.map(String).sort().join(',') : String(value))

function same({ path, query, body }: SpRequest, name: string, expected: unknown): boolean {
  if (name === 'body') return isDeepStrictEqual(body, expected)
  const inPath = Object.entries(path).find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1]
  return (inPath !== undefined || query.has(name)) && asText(inPath ?? query.list(name)) === asText(expected)
}

function constraintsOf(example: Example): [name: string, value: unknown][] {
  return Object.entries(example.parameters)
    .map(([name, { value }]): [string, unknown] => [name, value])
    .filter(([, value]) => value !== undefined)
}

interface ReportBody {
  reportType?: string
  marketplaceIds?: string[]
}

const shareOne = (a: readonly unknown[], b: readonly unknown[]): boolean => a.some(value => b.includes(value))

/** True when a request and an example agree on the subject and a marketplace, whatever their other parameters. */
function near(request: SpRequest, example: Example): boolean {
  return (
    example.status < 300 &&
    constraintsOf(example).every(([name, expected]) => {
      if (name === 'marketplaceIds') return shareOne(request.query.list(name), [expected].flat())
      if (name !== 'body') return !(name in request.path) || same(request, name, expected)
      // Of a body, only the report type and marketplaces count; the examples' times are long past.
      const [input, shown] = [request.body as ReportBody | null, expected as ReportBody]
      return input?.reportType === shown.reportType && shareOne(input?.marketplaceIds ?? [], shown.marketplaceIds ?? [])
    })
  )
}

/**
 * The published answer to a request, unchanged: of the examples whose parameters all agree, the most specific one, else
 * one with the same subject and marketplace. Without such an example, the error is that of the real static sandbox.
 */
export function publishedAnswer(operation: Operation, request: SpRequest): SpAnswer {
  const examples = (publishedExamples() ?? [])
    .filter(example => example.operationId === operation.id)
    .sort((a, b) => constraintsOf(b).length - constraintsOf(a).length || a.status - b.status)
  // Inventory belongs to the vendor's dynamic sandbox. It has no published examples and starts empty.
  if (examples.length === 0) return operation.answer({ ...request, store: { ...request.store, products: new Map() } })
  const exact = examples.find(example => constraintsOf(example).every(([name, value]) => same(request, name, value)))
  const found = exact ?? examples.find(example => near(request, example))
  if (!found) throw new SpError(400, 'InvalidInput', 'Could not match input arguments')
  if (exact || !request.query.has('pageToken')) return ok(found.response, found.status)
  // Only one page is published, so the next page is empty.
  const { numberOfResults = 0 } = found.response as { numberOfResults?: number }
  return ok({ numberOfResults, items: [] }, found.status)
}
