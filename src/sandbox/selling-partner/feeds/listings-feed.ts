import { isDataSet, listingOf } from '../operations/listings/listing-parts.ts'
import type { SpRequest } from '../operations/operation.ts'
import { productsOf } from '../operations/product-fields.ts'
import { type Submission, submitListing } from '../operations/listings/submit-listing.ts'

interface Message {
  messageId?: unknown
  sku?: unknown
  operationType?: unknown
  productType?: unknown
  requirements?: unknown
  attributes?: unknown
  patches?: unknown
}

interface FeedIssue {
  messageId?: number
  sku?: string
  code: string
  severity: 'ERROR' | 'WARNING'
  message: string
  attributeName?: string
}

function submissionOf(message: Message, sku: string, marketplaceId: string): Submission | null {
  const { productType, attributes, patches } = message
  const where = { sku, marketplaceId }
  switch (message.operationType) {
    case 'DELETE':
      return { ...where, kind: 'delete' }
    case 'PATCH':
      return { ...where, kind: 'patch', productType, patches }
    case 'UPDATE':
      return {
        ...where,
        kind: 'put',
        productType,
        attributes,
        offerOnly: message.requirements === 'LISTING_OFFER_ONLY',
      }
    case 'PARTIAL_UPDATE':
      return {
        ...where,
        kind: 'patch',
        productType,
        patches: Object.entries((attributes ?? {}) as object).map(([name, value]) => ({
          op: 'replace',
          path: `/attributes/${name}`,
          value: value as unknown,
        })),
      }
    default:
      return null
  }
}

/** The issues of one message; none when it was accepted. */
function issuesOf(request: SpRequest, message: Message, marketplaceId: string): FeedIssue[] {
  const sku = typeof message.sku === 'string' ? message.sku : ''
  const place = {
    ...(Number.isInteger(message.messageId) && { messageId: message.messageId as number }),
    ...(sku && { sku }),
  }
  const submission = sku ? submissionOf(message, sku, marketplaceId) : null
  const answer = submission && submitListing(request, submission, false)
  if (!answer)
    return [
      {
        ...place,
        code: '4000001',
        severity: 'ERROR',
        message: 'The message is not valid, or names no listing of yours.',
      },
    ]
  return answer.issues.map(({ code, severity, message: text, attributeNames: [attributeName] }) => ({
    ...place,
    code,
    severity,
    message: text,
    ...(attributeName !== undefined && { attributeName }),
  }))
}

interface FeedFile {
  header?: { sellerId?: unknown; version?: unknown; report?: { includedData?: string[]; apiVersion?: string } }
  messages?: unknown
}

function readFile(text: string, sellerId: string): (FeedFile & { messages: Message[] }) | null {
  try {
    const file = JSON.parse(text) as FeedFile
    const fits = file.header?.sellerId === sellerId && file.header.version === '2.0' && Array.isArray(file.messages)
    return fits ? { ...file, messages: file.messages as Message[] } : null
  } catch {
    return null
  }
}

/**
 * Applies a feed of listings, message by message, and returns the processing report. Null when the file is not a feed of
 * this seller.
 */
export function processListings(
  request: SpRequest,
  feedId: string,
  marketplaceId: string,
  text: string,
): Record<string, unknown> | null {
  const { sellerId } = request.seller
  const file = readFile(text, sellerId)
  if (!file) return null
  const results = file.messages.map(message => issuesOf(request, message, marketplaceId))
  const issues = results.flat()
  const countOf = (severity: string): number => issues.filter(issue => issue.severity === severity).length
  const rejected = results.filter(list => list.some(({ severity }) => severity === 'ERROR')).length
  const parts = file.header?.report?.includedData
  const included = parts?.every(isDataSet) ? (parts.length > 0 ? parts : ['summaries']) : null
  const skus = new Set(file.messages.map(({ sku }) => sku))
  const items = included
    ? productsOf(request, marketplaceId)
        .filter(({ sku }) => skus.has(sku))
        .map(product => listingOf(request, product.sku, [product], included))
    : []
  return {
    header: {
      sellerId,
      version: '2.0',
      feedId,
      ...(included && { report: { includedData: included, apiVersion: '2021-08-01' } }),
    },
    issues,
    summary: {
      errors: countOf('ERROR'),
      warnings: countOf('WARNING'),
      messagesProcessed: results.length,
      messagesAccepted: results.length - rejected,
      messagesInvalid: rejected,
      ...(included && { itemSummary: { items: items.length, errors: 0, warnings: 0 } }),
    },
    ...(included && { items }),
  }
}
