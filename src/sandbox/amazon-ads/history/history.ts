import type { World } from '../../core/world.ts'
import { AdsFailure } from '../ads-failure.ts'
import type { Call } from '../calls.ts'
import { vendorType } from '../media-types.ts'
import { type ChangeEvent, ChangeLog, type EntityType, entityTypes, HISTORY_DAYS } from './change-log.ts'

const newer = vendorType('historyresponse', 'v1.1')
const filterNames =
  'BID_AMOUNT BUDGET_AMOUNT END_DATE IN_BUDGET NAME PLACEMENT_GROUP SMART_BIDDING_STRATEGY START_DATE STATUS'.split(' ')
const MOST_BY_PAGE = 10_000
const DAY_MS = 86_400_000

const historyFailure = (details: string): AdsFailure =>
  new AdsFailure(400, { code: '400', details: `Invalid request: Error: ${details}` })

function whole(value: unknown, name: string): number {
  if (typeof value !== 'number' || !Number.isInteger(value)) throw historyFailure(`${name} must be an integer`)
  return value
}

/** The list at `name`; null when it is absent. Throws 400. */
function listed<T>(value: unknown, name: string, most: number, kind: 'string' | 'object'): T[] | null {
  if (value === undefined || value === null) return null
  if (!Array.isArray(value) || value.length > most) throw historyFailure(`${name} must be a list of at most ${most}`)
  if (!value.every(one => typeof one === kind && one !== null))
    throw historyFailure(`${name} must be a list of ${kind}s`)
  return value as T[]
}

interface Parent {
  campaignId?: string
  adGroupId?: string
  useProfileIdAdvertiser?: boolean
}

/** Whether an event is among those requested of its type. Throws 400. */
function readRequested(value: unknown, type: string): (event: ChangeEvent) => boolean {
  const { filters, eventTypeIds, parents } = (value ?? {}) as Record<string, unknown>
  const names = listed<string>(filters, `${type}.filters`, filterNames.length, 'string')
  const wrong = names?.find(name => !filterNames.includes(name))
  if (wrong !== undefined) throw historyFailure(`Key in filters: ${wrong} is not supported.`)
  const ids = listed<string>(eventTypeIds, `${type}.eventTypeIds`, 10, 'string')
  const within = listed<Parent>(parents, `${type}.parents`, 10, 'object') ?? []
  return ({ changeType, entityId, adGroupId, campaignId }) =>
    // Queries call the default bid of an ad group its bid.
    (names?.includes(changeType === 'DEFAULT_BID_AMOUNT' ? 'BID_AMOUNT' : changeType) ?? true) &&
    (ids?.includes(entityId) ?? true) &&
    (within.length === 0 ||
      within.some(
        parent =>
          parent.useProfileIdAdvertiser === true ||
          (parent.adGroupId !== undefined ? parent.adGroupId === adGroupId : parent.campaignId === campaignId),
      ))
}

/** Whether an event is requested at all. Only version 1.1 and later report themes, and there are none. Throws 400. */
function readTypes(value: unknown, withThemes: boolean): (event: ChangeEvent) => boolean {
  const entries = Object.entries((value ?? {}) as Record<string, unknown>)
  if (entries.length === 0) throw historyFailure('eventTypes must name at least one type')
  const types = new Map<EntityType, (event: ChangeEvent) => boolean>()
  for (const [name, requested] of entries) {
    const type = entityTypes.find(one => one === name)
    if (type) types.set(type, readRequested(requested, name))
    else if (name !== 'THEME' || !withThemes)
      throw historyFailure(`Key in HistoryEventTypes: ${name} is not supported.`)
  }
  return event => types.get(event.entityType)?.(event) ?? false
}

function offsetOf(nextToken: unknown): number {
  const offset = Number(Buffer.from(String(nextToken), 'base64url').toString())
  if (!Number.isInteger(offset) || offset < 0) throw historyFailure('nextToken is invalid')
  return offset
}

function readQuery(body: Record<string, unknown>, now: number, withThemes: boolean) {
  const [fromDate, toDate] = [whole(body.fromDate, 'fromDate'), whole(body.toDate, 'toDate')]
  if (toDate < fromDate) throw historyFailure('toDate must not be before fromDate')
  if (fromDate < now - HISTORY_DAYS * DAY_MS) throw historyFailure(`fromDate must be within ${HISTORY_DAYS} days`)
  const count = body.count === undefined ? 100 : whole(body.count, 'count')
  if (count < 50 || count > 200) throw historyFailure('count must be from 50 to 200')
  const byPage = body.pageOffset !== undefined
  if (byPage && body.nextToken !== undefined) throw historyFailure('pageOffset and nextToken exclude each other')
  const page = byPage ? whole(body.pageOffset, 'pageOffset') : 0
  if (page < 0 || (page + 1) * count > MOST_BY_PAGE) throw historyFailure(`pageOffset reaches ${MOST_BY_PAGE} at most`)
  const { direction = 'DESC', key = 'DATE' } = (body.sort ?? {}) as Record<string, unknown>
  if (!['ASC', 'DESC'].includes(String(direction)) || key !== 'DATE')
    throw historyFailure('sort is by DATE, ASC or DESC')
  const start = body.nextToken === undefined ? page * count : offsetOf(body.nextToken)
  const isRequested = readTypes(body.eventTypes, withThemes)
  return { fromDate, toDate, start, end: start + count, byPage, ascending: direction === 'ASC', isRequested }
}

function toWire({ entityType, entityId, changeType, previousValue, newValue, timestamp, metadata }: ChangeEvent) {
  return { changeType, entityId, entityType, metadata, newValue, previousValue, timestamp }
}

/** `POST /history`: all changes of a profile's campaigns in the last 90 days. */
export class History {
  readonly calls: readonly Call[]

  constructor(world: World) {
    const log = new ChangeLog(world)
    this.calls = [
      {
        path: '/history',
        media: { takes: [], gives: [newer], plain: 'always' },
        answer(caller, body, { reply, accept }) {
          const now = caller.now.getTime()
          const withThemes = accept === newer
          const { fromDate, toDate, start, end, ...query } = readQuery(body, now, withThemes)
          const found = log.between(caller.profile, fromDate, Math.min(toDate, now)).filter(query.isRequested)
          if (!query.ascending) found.reverse()
          void reply.type(withThemes ? newer : 'application/json')
          return {
            events: found.slice(start, end).map(toWire),
            ...(query.byPage && { totalResults: Math.min(found.length, MOST_BY_PAGE) }),
            ...(!query.byPage && end < found.length && { nextToken: Buffer.from(String(end)).toString('base64url') }),
          }
        },
      },
    ]
  }
}
