import { isDeepStrictEqual } from 'node:util'
import { listOf, type Operation, refusal, type SpAnswer, type SpRequest } from '../operations/operation.ts'
import { type Example, publishedExamples } from './published-examples.ts'

const asText = (value: unknown): string => (Array.isArray(value) ? value.map(String).sort().join(',') : String(value))

function carried(request: SpRequest, name: string): unknown {
  const inPath = Object.entries(request.path).find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1]
  if (inPath !== undefined) return inPath
  const value = request.query[name]
  return value === undefined ? undefined : listOf(value)
}

function same(request: SpRequest, name: string, wanted: unknown): boolean {
  if (name === 'body') return isDeepStrictEqual(request.body, wanted)
  const value = carried(request, name)
  return value !== undefined && asText(value) === asText(wanted)
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

/** True when a request asks for what the example shows though it words the rest otherwise: same thing, same marketplaces. */
function near(request: SpRequest, example: Example): boolean {
  return (
    example.status < 300 &&
    constraintsOf(example).every(([name, wanted]) => {
      if (name === 'marketplaceIds') return shareOne(listOf(request.query.marketplaceIds), [wanted].flat())
      // Only what reports are of is read of a body; the examples' times have passed long ago.
      if (name === 'body') {
        const [asked, shown] = [request.body as ReportBody | null, wanted as ReportBody]
        return (
          asked?.reportType === shown.reportType && shareOne(asked?.marketplaceIds ?? [], shown.marketplaceIds ?? [])
        )
      }
      return name in request.path ? same(request, name, wanted) : true
    })
  )
}

/**
 * The published answer to a request, unchanged: the example whose parameters all agree, the most particular first, else
 * one of the same thing in a marketplace it names. What no example shows is refused in the real static sandbox's words.
 */
export function publishedAnswer(operation: Operation, request: SpRequest): SpAnswer {
  const examples = (publishedExamples() ?? []).filter(example => example.operationId === operation.id)
  // Stock lives in the vendor's dynamic sandbox: nothing is published of it, and it begins empty.
  if (examples.length === 0) return operation.answer({ ...request, store: { ...request.store, products: new Map() } })
  const particular = (a: Example, b: Example): number =>
    constraintsOf(b).length - constraintsOf(a).length || a.status - b.status
  const exact = examples
    .filter(example => constraintsOf(example).every(([name, wanted]) => same(request, name, wanted)))
    .sort(particular)[0]
  const found = exact ?? examples.filter(example => near(request, example)).sort(particular)[0]
  if (!found) return refusal(400, 'InvalidInput', 'Could not match input arguments')
  if (!exact && request.query.pageToken !== undefined) return endOf(found)
  return { status: found.status, body: found.response }
}

/** The examples' own page token leads nowhere: nothing more is published, so the next page is empty. */
function endOf(found: Example): SpAnswer {
  return {
    status: found.status,
    body: { numberOfResults: (found.response as { numberOfResults?: number }).numberOfResults ?? 0, items: [] },
  }
}
