import { randomUUID } from 'node:crypto'
import { gunzipSync, gzipSync } from 'node:zlib'
import type { World } from '../../core/world.ts'
import { ok, operation, SpError, type SpRequest } from '../operations/operation.ts'
import { isOutdated, listPage, newId, progressOf, QUEUE_MS } from '../reports/life-cycle.ts'
import { SavedMap } from '../saved-map.ts'
import { addressOf, type StoredFile } from '../signed-files.ts'
import { z } from 'zod'
import { dataSetNames, listingOf } from '../operations/listings/listing-parts.ts'
import { type Submission, submitListing } from '../operations/listings/submit-listing.ts'
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
function processListings(request: SpRequest, feedId: string, marketplaceId: string, text: string) {
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

interface FeedDocument {
  documentId: string
  sellerId: string
  /** The uploaded file, base64; null before the upload. */
  content: string | null
}

interface Feed {
  feedId: string
  sellerId: string
  feedType: string
  marketplaceIds: string[]
  createdAt: number
  inputDocumentId: string
  mustFail: boolean
  cancelled: boolean
  /** The document with the result: null when the feed could not be read, absent before it is processed. */
  resultDocumentId?: string | null
}

function wireOf({ feedId, feedType, marketplaceIds, createdAt, cancelled, resultDocumentId }: Feed, now: Date) {
  const end = resultDocumentId === null ? 'FATAL' : 'DONE'
  const progress = progressOf(now.getTime() - createdAt, createdAt, end, cancelled)
  return {
    feedId,
    feedType,
    marketplaceIds,
    ...progress,
    ...(progress.processingStatus === 'DONE' && { resultFeedDocumentId: resultDocumentId }),
  }
}

const badInput = (details: string): SpError => new SpError(400, 'InvalidInput', 'Invalid input', details)

/** The text of an uploaded file, compressed or not; empty when it cannot be read. */
function textOf(content: string): string {
  const bytes = Buffer.from(content, 'base64')
  try {
    return (bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes).toString()
  } catch {
    return ''
  }
}

const url = '/feeds/2021-06-30'

/** Feeds of listings: an address to upload the file to, the order to process it, and the result. */
export class FeedService {
  readonly operations = [
    operation('getFeeds', `GET ${url}/feeds`, 0.0222, 10, request => {
      const all = this.feeds.ofSeller(request).map(feed => wireOf(feed, request.now))
      const { items, ...next } = listPage(request, 'feedTypes', all, feed => feed.feedType)
      return ok({ feeds: items, ...next })
    }),
    operation('createFeed', `POST ${url}/feeds`, 0.0083, 15, request => ok({ feedId: this.create(request) }, 202)),
    operation('getFeed', `GET ${url}/feeds/:feedId`, 2, 15, request =>
      ok(wireOf(this.feeds.inPath(request, 'feedId', 'Feed'), request.now)),
    ),
    operation('cancelFeed', `DELETE ${url}/feeds/:feedId`, 2, 15, request => {
      const feed = this.feeds.inPath(request, 'feedId', 'Feed')
      if (wireOf(feed, request.now).processingStatus !== 'IN_QUEUE') throw badInput('The feed is no longer IN_QUEUE')
      this.feeds.set({ ...feed, cancelled: true })
      return ok(null)
    }),
    operation('createFeedDocument', `POST ${url}/documents`, 0.5, 15, request => {
      const { contentType } = (request.body ?? {}) as { contentType?: unknown }
      if (typeof contentType !== 'string' || !contentType.includes('/')) throw badInput('contentType is missing')
      const feedDocumentId = this.newDocument(request, null)
      return ok({ feedDocumentId, url: addressOf(request, 'sp-feeds', feedDocumentId, 'PUT') }, 201)
    }),
    operation('getFeedDocument', `GET ${url}/documents/:feedDocumentId`, 0.0222, 10, request => {
      const { documentId: id } = this.documents.inPath(request, 'feedDocumentId', 'Document')
      const isResult = this.feeds.all().some(feed => feed.resultDocumentId === id)
      const address = addressOf(request, 'sp-feeds', id, 'GET')
      return ok({ feedDocumentId: id, url: address, ...(isResult && { compressionAlgorithm: 'GZIP' }) })
    }),
  ]
  private readonly documents: SavedMap<FeedDocument>
  private readonly feeds: SavedMap<Feed>

  constructor(world: World) {
    this.documents = new SavedMap(world, 'feed-documents', document => document.documentId)
    this.feeds = new SavedMap(world, 'feeds', feed => feed.feedId)
  }

  /** Stores the file of a document that `createFeedDocument` created; false when there is no such document. */
  upload(documentId: string, bytes: Buffer): boolean {
    const document = this.documents.get(documentId)
    if (document) this.documents.set({ ...document, content: bytes.toString('base64') })
    return document !== undefined
  }

  /** A document; null when it does not exist or is empty. */
  fileOf(documentId: string): StoredFile | null {
    const content = this.documents.get(documentId)?.content
    return typeof content === 'string'
      ? { bytes: Buffer.from(content, 'base64'), type: 'text/plain;charset=UTF-8' }
      : null
  }

  /** Processes the caller's feeds that are due. Call it before each request. */
  processDue(request: SpRequest): void {
    for (const feed of this.feeds.ofSeller(request)) {
      const isDue = request.now.getTime() >= feed.createdAt + QUEUE_MS
      if (feed.cancelled || feed.resultDocumentId !== undefined || !isDue) continue
      const content = this.documents.get(feed.inputDocumentId)?.content
      const text = typeof content === 'string' && !feed.mustFail ? textOf(content) : ''
      const [result] = feed.marketplaceIds.map(id => processListings(request, feed.feedId, id, text))
      const file = result && gzipSync(JSON.stringify(result)).toString('base64')
      this.feeds.set({ ...feed, resultDocumentId: file ? this.newDocument(request, file) : null })
    }
  }

  private newDocument({ region, seller }: SpRequest, content: string | null): string {
    const documentId = `amzn1.tortuga.4.${region.toLowerCase()}.${randomUUID()}`
    this.documents.set({ documentId, sellerId: seller.sellerId, content })
    return documentId
  }

  private create({ body, seller, now, fault }: SpRequest): string {
    const { feedType, marketplaceIds: ids, inputFeedDocumentId } = (body ?? {}) as Record<string, unknown>
    const marketplaceIds = Array.isArray(ids) ? ids.map(String) : []
    const document = this.documents.get(inputFeedDocumentId)
    if (feedType !== 'JSON_LISTINGS_FEED') throw badInput('feedType is not supported')
    if (marketplaceIds.length === 0 || !marketplaceIds.every(id => seller.marketplaceIds.includes(id)))
      throw badInput('marketplaceIds are missing or not yours')
    if (document?.sellerId !== seller.sellerId) throw badInput('inputFeedDocumentId is not valid')
    const createdAt = now.getTime()
    this.feeds.deleteWhere(feed => isOutdated(feed, createdAt))
    const feedId = newId()
    this.feeds.set({
      feedId,
      sellerId: seller.sellerId,
      feedType,
      marketplaceIds,
      createdAt,
      inputDocumentId: document.documentId,
      mustFail: fault === 'report-failed',
      cancelled: false,
    })
    return feedId
  }
}
