import { z } from 'zod'
import { dataSetNames, listingOf } from '../operations/listings/listing-parts.ts'
import { type Submission, submitListing } from '../operations/listings/submit-listing.ts'
import type { SpRequest } from '../operations/operation.ts'
import { productsOf } from '../operations/product-fields.ts'

const messageFields = z.object({
  messageId: z.int().optional().catch(undefined),
  sku: z.string().catch(''),
  operationType: z.unknown().optional(),
  productType: z.unknown().optional(),
  requirements: z.unknown().optional(),
  attributes: z.unknown().optional(),
  patches: z.unknown().optional(),
})
type Message = z.output<typeof messageFields>

const feedFile = z.object({
  header: z.object({
    sellerId: z.string(),
    version: z.literal('2.0'),
    report: z.object({ includedData: z.array(z.string()).optional() }).optional(),
  }),
  messages: z.array(messageFields),
})

function submissionOf(message: Message, marketplaceId: string): Submission | null {
  const { operationType, sku, productType, attributes, patches, requirements } = message
  const listing = { sku, marketplaceId, productType }
  const offerOnly = requirements === 'LISTING_OFFER_ONLY'
  if (operationType === 'DELETE') return { ...listing, kind: 'delete' }
  if (operationType === 'PATCH') return { ...listing, kind: 'patch', patches }
  if (operationType === 'UPDATE') return { ...listing, kind: 'put', attributes, offerOnly }
  if (operationType !== 'PARTIAL_UPDATE') return null
  const values = Object.entries((attributes ?? {}) as Record<string, unknown>)
  const replacing = values.map(([name, value]) => ({ op: 'replace', path: `/attributes/${name}`, value }))
  return { ...listing, kind: 'patch', patches: replacing }
}

/** The issues of one message; none when it was accepted. */
function issuesOf(request: SpRequest, message: Message, marketplaceId: string) {
  const { sku, messageId } = message
  const place = { ...(messageId !== undefined && { messageId }), ...(sku && { sku }) }
  const submission = sku ? submissionOf(message, marketplaceId) : null
  const answer = submission && submitListing(request, submission, false)
  if (!answer) {
    const problem = 'The message is not valid, or names no listing of yours.'
    return [{ ...place, code: '4000001', severity: 'ERROR', message: problem }]
  }
  return answer.issues.map(({ code, severity, message: text, attributeNames: [attributeName] }) => ({
    ...place,
    code,
    severity,
    message: text,
    ...(attributeName !== undefined && { attributeName }),
  }))
}

function readFile(text: string) {
  try {
    return feedFile.parse(JSON.parse(text))
  } catch {
    return null
  }
}

/**
 * Applies a feed of listings, message by message, and returns the processing report. Null when the file is not a feed of
 * this seller.
 */
export function processListings(request: SpRequest, feedId: string, marketplaceId: string, text: string) {
  const { sellerId } = request.seller
  const file = readFile(text)
  if (file?.header.sellerId !== sellerId) return null
  const results = file.messages.map(message => issuesOf(request, message, marketplaceId))
  const issues = results.flat()
  const countOf = (severity: string): number => issues.filter(issue => issue.severity === severity).length
  const rejected = results.filter(list => list.some(({ severity }) => severity === 'ERROR')).length
  const parts = file.header.report?.includedData
  const included = parts?.every(name => dataSetNames.has(name)) ? (parts.length > 0 ? parts : ['summaries']) : null
  const skus = new Set(file.messages.map(({ sku }) => sku))
  const items = included
    ? productsOf(request, marketplaceId)
        .filter(({ sku }) => skus.has(sku))
        .map(product => listingOf(request, [product], included))
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
