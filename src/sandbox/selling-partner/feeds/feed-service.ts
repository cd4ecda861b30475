import { randomInt, randomUUID } from 'node:crypto'
import { gunzipSync, gzipSync } from 'node:zlib'
import type { World } from '../../core/world.ts'
import { notFound, ok, type Operation, refusal, type SpAnswer, type SpRequest } from '../operations/operation.ts'
import { readListing } from '../reports/read-listing.ts'
import { reportStatuses } from '../reports/report.ts'
import type { FileSigner } from '../signed-files.ts'
import { processListings } from './listings-feed.ts'

const STATE_NAME = 'selling-partner-feeds'
const KEPT_MS = 90 * 86_400_000
/** World time that a feed waits and is worked on. */
const QUEUE_MS = 1000
const WORK_MS = 2000

interface FeedDocument {
  documentId: string
  sellerId: string
  /** What was put there, base64; null while nothing was. */
  content: string | null
}

interface Feed {
  feedId: string
  sellerId: string
  feedType: string
  marketplaceIds: string[]
  createdAt: number
  inputDocumentId: string
  /** Ordered by a fault: it will come to nothing. */
  doomed: boolean
  cancelled: boolean
  /** Document that tells what came of it: null when it could not be read at all, absent until it was worked on. */
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
  const ended = processingStatus === 'DONE' || processingStatus === 'FATAL'
  return {
    feedId: feed.feedId,
    feedType: feed.feedType,
    marketplaceIds: feed.marketplaceIds,
    createdTime: iso(feed.createdAt),
    processingStatus,
    ...((ended || processingStatus === 'IN_PROGRESS') && { processingStartTime: iso(feed.createdAt + QUEUE_MS) }),
    ...(ended && { processingEndTime: iso(feed.createdAt + QUEUE_MS + WORK_MS) }),
    ...(processingStatus === 'DONE' && { resultFeedDocumentId: feed.resultDocumentId }),
  }
}

const badInput = (details: string): SpAnswer => refusal(400, 'InvalidInput', 'Invalid input', details)

/** The text of an uploaded file, compressed or not; empty when it cannot be read. */
function textOf(bytes: Buffer): string {
  try {
    return (bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes).toString()
  } catch {
    return ''
  }
}

/** Takes in feeds of listings: a place for the file, the file itself, the order, and what came of it. Kept over restarts. */
export class FeedDesk {
  readonly operations: Operation[]
  private readonly world: World
  private readonly signer: FileSigner
  private documents = new Map<string, FeedDocument>()
  private feeds = new Map<string, Feed>()

  constructor(world: World, signer: FileSigner) {
    this.world = world
    this.signer = signer
    const [url, documents] = ['/feeds/2021-06-30/feeds', '/feeds/2021-06-30/documents']
    const of = (rate: number, burst: number, answer: (request: SpRequest) => SpAnswer) => ({ rate, burst, answer })
    this.operations = [
      { id: 'getFeeds', method: 'GET', url, ...of(0.0222, 10, request => this.list(request)) },
      { id: 'createFeed', method: 'POST', url, ...of(0.0083, 15, request => this.create(request)) },
      { id: 'getFeed', method: 'GET', url: `${url}/:feedId`, ...of(2, 15, request => this.get(request)) },
      { id: 'cancelFeed', method: 'DELETE', url: `${url}/:feedId`, ...of(2, 15, request => this.cancel(request)) },
      { id: 'createFeedDocument', method: 'POST', url: documents, ...of(0.5, 15, request => this.place(request)) },
      {
        id: 'getFeedDocument',
        method: 'GET',
        url: `${documents}/:feedDocumentId`,
        ...of(0.0222, 10, request => this.document(request)),
      },
    ]
    world.registerState<{ documents: FeedDocument[]; feeds: Feed[] }>(STATE_NAME, {
      dump: () => ({ documents: [...this.documents.values()], feeds: [...this.feeds.values()] }),
      restore: kept => {
        this.documents = new Map(kept.documents.map(document => [document.documentId, document]))
        this.feeds = new Map(kept.feeds.map(feed => [feed.feedId, feed]))
      },
      reset: () => {
        this.documents.clear()
        this.feeds.clear()
      },
    })
  }

  /** Puts a file where `createFeedDocument` made room for it; false when it made none. */
  upload(documentId: string, bytes: Buffer): boolean {
    const document = this.documents.get(documentId)
    if (!document) return false
    this.keepDocument({ ...document, content: bytes.toString('base64') })
    return true
  }

  /** A document; null when there is none, or nothing in it. */
  fileOf(documentId: string): { bytes: Buffer; type: string } | null {
    const content = this.documents.get(documentId)?.content
    return typeof content === 'string'
      ? { bytes: Buffer.from(content, 'base64'), type: 'text/plain;charset=UTF-8' }
      : null
  }

  private keepDocument(document: FeedDocument): void {
    this.documents.set(document.documentId, document)
    this.world.saveState(STATE_NAME)
  }

  private newDocument(request: SpRequest, content: string | null): string {
    const documentId = `amzn1.tortuga.4.${request.region.toLowerCase()}.${randomUUID()}`
    this.keepDocument({ documentId, sellerId: request.seller.sellerId, content })
    return documentId
  }

  private place(request: SpRequest): SpAnswer {
    const { contentType } = (request.body ?? {}) as { contentType?: unknown }
    if (typeof contentType !== 'string' || !contentType.includes('/')) return badInput('contentType is missing')
    const feedDocumentId = this.newDocument(request, null)
    const url = this.signer.addressOf('sp-feeds', feedDocumentId, 'PUT', request.now.getTime())
    return { status: 201, body: { feedDocumentId, url } }
  }

  private create(request: SpRequest): SpAnswer {
    const body = (request.body ?? {}) as Record<string, unknown>
    const { sellerId, marketplaceIds: own } = request.seller
    const marketplaceIds = Array.isArray(body.marketplaceIds) ? body.marketplaceIds.map(String) : []
    const document = this.documents.get(String(body.inputFeedDocumentId))
    if (body.feedType !== 'JSON_LISTINGS_FEED') return badInput('feedType is not supported')
    if (marketplaceIds.length === 0 || !marketplaceIds.every(id => own.includes(id)))
      return badInput('marketplaceIds are missing or not yours')
    if (document?.sellerId !== sellerId) return badInput('inputFeedDocumentId is not valid')
    const createdAt = request.now.getTime()
    for (const [id, old] of this.feeds) if (old.createdAt < createdAt - KEPT_MS) this.feeds.delete(id)
    const feed = {
      feedId: String(50_000_000_000 + randomInt(2 ** 40)),
      sellerId,
      feedType: body.feedType,
      marketplaceIds,
      createdAt,
      inputDocumentId: document.documentId,
      doomed: request.fault === 'report-failed',
      cancelled: false,
    }
    this.keepFeed(feed)
    return { status: 202, body: { feedId: feed.feedId } }
  }

  /** Works on the caller's feeds whose turn has come; whoever takes requests in calls it before each. */
  settle(request: SpRequest): void {
    for (const feed of this.feeds.values()) {
      const due = request.now.getTime() >= feed.createdAt + QUEUE_MS
      if (feed.sellerId !== request.seller.sellerId || feed.cancelled || feed.resultDocumentId !== undefined || !due)
        continue
      const content = this.documents.get(feed.inputDocumentId)?.content
      const text = typeof content === 'string' && !feed.doomed ? textOf(Buffer.from(content, 'base64')) : ''
      const [result] = feed.marketplaceIds.map(id => processListings(request, feed.feedId, id, text))
      const told = result ? gzipSync(JSON.stringify(result)).toString('base64') : null
      this.keepFeed({ ...feed, resultDocumentId: told === null ? null : this.newDocument(request, told) })
    }
  }

  private keepFeed(feed: Feed): void {
    this.feeds.set(feed.feedId, feed)
    this.world.saveState(STATE_NAME)
  }

  private own({ path, seller }: SpRequest): Feed | null {
    const feed = this.feeds.get(path.feedId ?? '')
    return feed?.sellerId === seller.sellerId ? feed : null
  }

  private get(request: SpRequest): SpAnswer {
    const feed = this.own(request)
    return feed ? ok(wireOf(feed, request.now.getTime())) : notFound(`Feed ${request.path.feedId}`)
  }

  /** Only what still waits can be called off. */
  private cancel(request: SpRequest): SpAnswer {
    const feed = this.own(request)
    if (!feed) return notFound(`Feed ${request.path.feedId}`)
    if (statusOf(feed, request.now.getTime()) !== 'IN_QUEUE') return badInput('The feed is no longer IN_QUEUE')
    this.keepFeed({ ...feed, cancelled: true })
    return { status: 200, body: null }
  }

  private list(request: SpRequest): SpAnswer {
    const asked = readListing(request, 'feedTypes', reportStatuses)
    if (typeof asked === 'string') return badInput(asked)
    const { filter, now, offset, size } = asked
    const found = [...this.feeds.values()]
      .filter(feed => feed.sellerId === request.seller.sellerId)
      .filter(feed => filter({ ...feed, type: feed.feedType, status: statusOf(feed, now) }))
      .sort((a, b) => b.createdAt - a.createdAt)
    return ok({
      feeds: found.slice(offset, offset + size).map(feed => wireOf(feed, now)),
      ...(offset + size < found.length && { nextToken: asked.tokenFor(offset + size) }),
    })
  }

  private document(request: SpRequest): SpAnswer {
    const id = request.path.feedDocumentId ?? ''
    const document = this.documents.get(id)
    if (document?.sellerId !== request.seller.sellerId) return notFound(`Document ${id}`)
    const isResult = [...this.feeds.values()].some(feed => feed.resultDocumentId === id)
    return ok({
      feedDocumentId: id,
      url: this.signer.addressOf('sp-feeds', id, 'GET', request.now.getTime()),
      ...(isResult && { compressionAlgorithm: 'GZIP' }),
    })
  }
}
