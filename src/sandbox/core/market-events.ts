import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { MarketEvent } from './model/store.ts'
import { newEntityId } from './new-id.ts'
import { durationMs } from './world-clock.ts'
import type { World } from './world.ts'

const HOUR_MS = 3_600_000
const DAY_HOURS = 24

type Effects = Partial<Pick<MarketEvent, 'demand' | 'rivals' | 'conversion' | 'price' | 'isClosed'>>
interface EventKind {
  /** Hours, unless something else is asked for. */
  lasts: number
  size: number
  effects: (size: number) => Effects
}

/** What can happen to an account, with how long it usually lasts and how large it usually is. */
export const eventKinds = {
  /** A day of offers: `size` times as many shoppers, who came to buy, and rivals who know it. */
  SALE_DAY: { lasts: DAY_HOURS, size: 3, effects: size => ({ demand: size, rivals: 1.2, conversion: 1.15 }) },
  /** `size` off the price of a product, and a badge beside it. */
  COUPON: { lasts: 7 * DAY_HOURS, size: 0.15, effects: size => ({ price: 1 - size, conversion: 1.05 }) },
  /** The price of a product changes by the part `size`, for good. */
  PRICE: { lasts: 3650 * DAY_HOURS, size: 0.1, effects: size => ({ price: 1 + size }) },
  /** Nothing of a product can be bought or advertised. */
  STOCK_OUT: { lasts: 10 * DAY_HOURS, size: 1, effects: () => ({ isClosed: true }) },
  /** Its page is taken down. */
  LISTING_DOWN: { lasts: 2 * DAY_HOURS, size: 1, effects: () => ({ isClosed: true }) },
  /** Somebody new bids, by `size` more than rivals did, and takes some of the orders. */
  COMPETITOR: { lasts: 60 * DAY_HOURS, size: 0.25, effects: size => ({ rivals: 1 + size, conversion: 1 - size / 2 }) },
} as const satisfies Record<string, EventKind>
export type EventKindName = keyof typeof eventKinds
const kindNames = Object.keys(eventKinds) as [EventKindName, ...EventKindName[]]

interface EventRequest extends Pick<MarketEvent, 'eventId' | 'from'> {
  kind?: EventKindName | undefined
  size?: number | undefined
  /** Milliseconds. */
  lastsMs?: number | undefined
  profileId?: number | null
  categoryId?: string | null
  asin?: string
  effects?: Effects
}

/** An event on whole hours: what its kind brings, and other effects as they are given. */
export function marketEvent({ kind, size, lastsMs, from, effects, ...about }: EventRequest): MarketEvent {
  const usual: EventKind | undefined = kind && eventKinds[kind]
  const begins = Math.floor(from / HOUR_MS) * HOUR_MS
  const hours = lastsMs === undefined ? (usual?.lasts ?? DAY_HOURS) : Math.ceil(lastsMs / HOUR_MS)
  return {
    profileId: null,
    categoryId: null,
    ...about,
    from: begins,
    to: begins + hours * HOUR_MS,
    demand: 1,
    rivals: 1,
    conversion: 1,
    ...usual?.effects(size ?? usual.size),
    ...effects,
  }
}

const factor = z.number().min(0).max(100).optional()
const eventBody = z.strictObject({
  kind: z.enum(kindNames).optional(),
  size: z.number().positive().max(100).optional(),
  profileId: z.int().nullable().default(null),
  categoryId: z.string().nullable().default(null),
  asin: z.string().nullable().default(null),
  /** Now, when it is left out. */
  from: z.iso
    .datetime({ offset: true })
    .transform(text => new Date(text))
    .optional(),
  lasts: z.string().optional(),
  demand: factor,
  rivals: factor,
  conversion: factor,
  price: z.number().positive().max(100).optional(),
  isClosed: z.boolean().optional(),
})

/** `/control/events`: what happens among shoppers and rivals for a time, from a coming whole hour on. */
export function registerMarketEvents(app: FastifyInstance, world: World): void {
  app.get('/control/events', () => [...world.store.marketEvents.values()])
  app.post('/control/events', (request, reply) => {
    const body = eventBody.parse(request.body ?? {})
    const { kind, size, from: requested, lasts, profileId, categoryId, asin, ...effects } = body
    const refuse = (error: string) => reply.code(400).send({ error })
    const lastsMs = lasts === undefined ? undefined : durationMs(lasts)
    if (lastsMs === null || lastsMs === 0) return refuse(`lasts is ${lasts}; it must be a duration such as PT6H.`)
    if (lastsMs === undefined && !kind) return refuse('An event without a kind needs lasts, such as PT6H.')
    const now = world.clock.now().getTime()
    const from = requested?.getTime() ?? now
    if (from < Math.floor(now / HOUR_MS) * HOUR_MS) return refuse('What has passed cannot be changed.')
    const about = { profileId, categoryId, ...(asin !== null && { asin }) }
    const added = marketEvent({
      eventId: newEntityId(),
      kind,
      size,
      lastsMs,
      from,
      ...about,
      effects: present(effects),
    })
    world.change(store => store.marketEvents.set(added.eventId, added))
    return reply.code(201).send(added)
  })
  app.delete('/control/events', (_request, reply) => {
    world.change(store => {
      for (const id of store.marketEvents.keys()) store.marketEvents.delete(id)
    })
    return reply.code(204).send()
  })
}

/** Without the fields that were not sent. */
const present = (effects: { [K in keyof Effects]?: Effects[K] | undefined }): Effects =>
  Object.fromEntries(Object.entries(effects).filter(([, value]) => value !== undefined))
