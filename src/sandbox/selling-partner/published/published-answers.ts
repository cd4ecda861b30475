import { isDeepStrictEqual } from 'node:util'
import { type Operation, SpError, type SpAnswer, type SpRequest } from '../operations/operation.ts'
import { listOf } from '../operations/read-request.ts'
import { type Example, publishedExamples } from './published-examples.ts'

const asText = (value: unknown): string => (Array.isArray(value) ? value.map(String).sort().join(',') : String(value))

function valueIn(request: SpRequest, name: string): unknown {
  const inPath = Object.entries(request.path).find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1]
  if (inPath !== undefined) return inPath
  const value = request.query[name]
  return value === undefined ? undefined : listOf(value)
}

function same(request: SpRequest, name: string, expected: unknown): boolean {
  if (name === 'body') return isDeepStrictEqual(request.body, expected)
  const value = valueIn(request, name)
  return value !== undefined && asText(value) === asText(expected)
}

function constraintsOf(example: Example): [string, unknown][] {
  return Object.entries(example.parameters).flatMap(([name, { value }]): [string, unknown][] =>
    value === undefined ? [] : [[name, value]],
  )
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
      if (name === 'marketplaceIds') return shareOne(listOf(request.query.marketplaceIds), [expected].flat())
      // Of a body, only the report type and marketplaces count; the examples' times are long past.
      if (name === 'body') {
        const [input, shown] = [request.body as ReportBody | null, expected as ReportBody]
        return (
          input?.reportType === shown.reportType && shareOne(input?.marketplaceIds ?? [], shown.marketplaceIds ?? [])
        )
      }
      return name in request.path ? same(request, name, expected) : true
    })
  )
}

/**
 * The published answer to a request, unchanged: of the examples whose parameters all agree, the most specific one, else
 * one with the same subject and marketplace. Without such an example, the error is that of the real static sandbox.
 */
export function publishedAnswer(operation: Operation, request: SpRequest): SpAnswer {
  const examples = (publishedExamples() ?? []).filter(example => example.operationId === operation.id)
  // Inventory belongs to the vendor's dynamic sandbox. It has no published examples and starts empty.
  if (examples.length === 0) return operation.answer({ ...request, store: { ...request.store, products: new Map() } })
  const bySpecificity = (a: Example, b: Example): number =>
    constraintsOf(b).length - constraintsOf(a).length || a.status - b.status
  const exact = examples
    .filter(example => constraintsOf(example).every(([name, expected]) => same(request, name, expected)))
    .sort(bySpecificity)[0]
  const found = exact ?? examples.filter(example => near(request, example)).sort(bySpecificity)[0]
  if (!found) throw new SpError(400, 'InvalidInput', 'Could not match input arguments')
  if (!exact && request.query.pageToken !== undefined) return endOf(found)
  return { status: found.status, body: found.response }
}

/** Only one page is published, so the next page is empty. */
function endOf(found: Example): SpAnswer {
  return {
    status: found.status,
    body: { numberOfResults: (found.response as { numberOfResults?: number }).numberOfResults ?? 0, items: [] },
  }
}
