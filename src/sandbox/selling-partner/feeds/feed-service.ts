import { randomInt, randomUUID } from 'node:crypto'
import { gunzipSync, gzipSync } from 'node:zlib'
import type { World } from '../../core/world.ts'
import {
  notFound,
  ok,
  type Operation,
  operation,
  SpError,
  type SpAnswer,
  type SpRequest,
} from '../operations/operation.ts'
import { listPage } from '../reports/list-page.ts'
import { reportStatuses } from '../reports/report.ts'
import { SavedMap } from '../saved-map.ts'
import type { FileSigner } from '../signed-files.ts'
import { processListings } from './listings-feed.ts'

const RETENTION_MS = 90 * 86_400_000
/** World time that a feed is queued and processed. */
const QUEUE_MS = 1000
const WORK_MS = 2000

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
  /** A fault makes it fail. */
  mustFail: boolean
  cancelled: boolean
  /** The document with the result: null when the feed could not be read, absent before it is processed. */
  resultDocumentId?: string | null
}

type Status = 'IN_QUEUE' | 'IN_PROGRESS' | 'DONE' | 'FATAL' | 'CANCELLED'

function statusOf(feed: Feed, now: number): Status {
  if (feed.cancelled) return 'CANCELLED'
  const age = now - feed.createdAt
  if (age < QUEUE_MS) return 'IN_QUEUE'
  if (age < QUEUE_MS + WORK_MS) return 'IN_PROGRESS'
  return feed.resultDocumentId === null ? 'FATAL' : 'DONE'
}

const iso = (ms: number): string => new Date(ms).toISOString()

function wireOf(feed: Feed, now: number): Record<string, unknown> {
  const processingStatus = statusOf(feed, now)
  const hasEnded = processingStatus === 'DONE' || processingStatus === 'FATAL'
  return {
    feedId: feed.feedId,
    feedType: feed.feedType,
    marketplaceIds: feed.marketplaceIds,
    createdTime: iso(feed.createdAt),
    processingStatus,
    ...((hasEnded || processingStatus === 'IN_PROGRESS') && { processingStartTime: iso(feed.createdAt + QUEUE_MS) }),
    ...(hasEnded && { processingEndTime: iso(feed.createdAt + QUEUE_MS + WORK_MS) }),
    ...(processingStatus === 'DONE' && { resultFeedDocumentId: feed.resultDocumentId }),
  }
}

const badInput = (details: string): SpError => new SpError(400, 'InvalidInput', 'Invalid input', details)

/** The text of an uploaded file, compressed or not; empty when it cannot be read. */
function textOf(bytes: Buffer): string {
  try {
    return (bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes).toString()
  } catch {
    return ''
  }
}

const url = '/feeds/2021-06-30'

/** Feeds of listings: an address to upload the file to, the order to process it, and the result. */
export class FeedService {
  readonly operations: Operation[] = [
    operation('getFeeds', `GET ${url}/feeds`, 0.0222, 10, request => this.list(request)),
    operation('createFeed', `POST ${url}/feeds`, 0.0083, 15, request => this.create(request)),
    operation('getFeed', `GET ${url}/feeds/:feedId`, 2, 15, request =>
      ok(wireOf(this.feedOf(request), request.now.getTime())),
    ),
    operation('cancelFeed', `DELETE ${url}/feeds/:feedId`, 2, 15, request => this.cancel(request)),
    operation('createFeedDocument', `POST ${url}/documents`, 0.5, 15, request => this.createDocument(request)),
    operation('getFeedDocument', `GET ${url}/documents/:feedDocumentId`, 0.0222, 10, request =>
      this.getDocument(request),
    ),
  ]
  private readonly signer: FileSigner
  private readonly documents: SavedMap<FeedDocument>
  private readonly feeds: SavedMap<Feed>

  constructor(world: World, signer: FileSigner) {
    this.signer = signer
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
  fileOf(documentId: string): { bytes: Buffer; type: string } | null {
    const content = this.documents.get(documentId)?.content
    return typeof content === 'string'
      ? { bytes: Buffer.from(content, 'base64'), type: 'text/plain;charset=UTF-8' }
      : null
  }

  /** Processes the caller's feeds that are due. Call it before each request. */
  processDue(request: SpRequest): void {
    for (const feed of this.feeds.all()) {
      const isDue = request.now.getTime() >= feed.createdAt + QUEUE_MS
      if (feed.sellerId !== request.seller.sellerId || feed.cancelled || feed.resultDocumentId !== undefined || !isDue)
        continue
      const content = this.documents.get(feed.inputDocumentId)?.content
      const text = typeof content === 'string' && !feed.mustFail ? textOf(Buffer.from(content, 'base64')) : ''
      const [result] = feed.marketplaceIds.map(id => processListings(request, feed.feedId, id, text))
      const resultDocumentId = result
        ? this.newDocument(request, gzipSync(JSON.stringify(result)).toString('base64'))
        : null
      this.feeds.set({ ...feed, resultDocumentId })
    }
  }

  private newDocument(request: SpRequest, content: string | null): string {
    const documentId = `amzn1.tortuga.4.${request.region.toLowerCase()}.${randomUUID()}`
    this.documents.set({ documentId, sellerId: request.seller.sellerId, content })
    return documentId
  }

  private feedOf({ path, seller }: SpRequest): Feed {
    const feed = this.feeds.get(path.feedId)
    if (feed?.sellerId !== seller.sellerId) throw notFound(`Feed ${path.feedId}`)
    return feed
  }

  private createDocument(request: SpRequest): SpAnswer {
    const { contentType } = (request.body ?? {}) as { contentType?: unknown }
    if (typeof contentType !== 'string' || !contentType.includes('/')) throw badInput('contentType is missing')
    const feedDocumentId = this.newDocument(request, null)
    const address = this.signer.addressOf('sp-feeds', feedDocumentId, 'PUT', request.now.getTime())
    return { status: 201, body: { feedDocumentId, url: address } }
  }

  private create(request: SpRequest): SpAnswer {
    const body = (request.body ?? {}) as Record<string, unknown>
    const { seller } = request
    const marketplaceIds = Array.isArray(body.marketplaceIds) ? body.marketplaceIds.map(String) : []
    const document = this.documents.get(String(body.inputFeedDocumentId))
    if (body.feedType !== 'JSON_LISTINGS_FEED') throw badInput('feedType is not supported')
    if (marketplaceIds.length === 0 || !marketplaceIds.every(id => seller.marketplaceIds.includes(id)))
      throw badInput('marketplaceIds are missing or not yours')
    if (document?.sellerId !== seller.sellerId) throw badInput('inputFeedDocumentId is not valid')
    const createdAt = request.now.getTime()
    this.feeds.deleteWhere(feed => feed.createdAt < createdAt - RETENTION_MS)
    const feedId = String(50_000_000_000 + randomInt(2 ** 40))
    this.feeds.set({
      feedId,
      sellerId: seller.sellerId,
      feedType: body.feedType,
      marketplaceIds,
      createdAt,
      inputDocumentId: document.documentId,
      mustFail: request.fault === 'report-failed',
      cancelled: false,
    })
    return { status: 202, body: { feedId } }
  }

  /** Only a queued feed can be cancelled. */
  private cancel(request: SpRequest): SpAnswer {
    const feed = this.feedOf(request)
    if (statusOf(feed, request.now.getTime()) !== 'IN_QUEUE') throw badInput('The feed is no longer IN_QUEUE')
    this.feeds.set({ ...feed, cancelled: true })
    return { status: 200, body: null }
  }

  private list(request: SpRequest): SpAnswer {
    const now = request.now.getTime()
    const feeds = this.feeds.all().filter(feed => feed.sellerId === request.seller.sellerId)
    const { items, ...next } = listPage(request, 'feedTypes', reportStatuses, feeds, feed => ({
      ...feed,
      type: feed.feedType,
      status: statusOf(feed, now),
    }))
    return ok({ feeds: items.map(feed => wireOf(feed, now)), ...next })
  }

  private getDocument({ path, seller, now }: SpRequest): SpAnswer {
    const id = path.feedDocumentId ?? ''
    if (this.documents.get(id)?.sellerId !== seller.sellerId) throw notFound(`Document ${id}`)
    const isResult = this.feeds.all().some(feed => feed.resultDocumentId === id)
    return ok({
      feedDocumentId: id,
      url: this.signer.addressOf('sp-feeds', id, 'GET', now.getTime()),
      ...(isResult && { compressionAlgorithm: 'GZIP' }),
    })
  }
}
