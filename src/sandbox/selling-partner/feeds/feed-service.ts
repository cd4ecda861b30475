import { randomUUID } from 'node:crypto'
import { gunzipSync, gzipSync } from 'node:zlib'
import type { World } from '../../core/world.ts'
import { ok, operation, SpError, type SpRequest } from '../operations/operation.ts'
import { isOutdated, listPage, newId, progressOf, QUEUE_MS } from '../reports/life-cycle.ts'
import { SavedMap } from '../saved-map.ts'
import { addressOf, type StoredFile } from '../signed-files.ts'
import { processListings } from './listings-feed.ts'

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
