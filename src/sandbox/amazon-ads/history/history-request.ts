import { AdsFailure } from '../ads-failure.ts'
import { type ChangeEvent, type EntityType, entityTypes } from './change-event.ts'
import { HISTORY_DAYS } from './change-log.ts'

const filterNames = [
  'BID_AMOUNT',
  'BUDGET_AMOUNT',
  'END_DATE',
  'IN_BUDGET',
  'NAME',
  'PLACEMENT_GROUP',
  'SMART_BIDDING_STRATEGY',
  'START_DATE',
  'STATUS',
] as const

interface RequestedType {
  filters: readonly string[] | null
  ids: readonly string[] | null
  parents: readonly { campaignId?: string; adGroupId?: string; useProfileIdAdvertiser?: boolean }[]
}

export interface HistoryQuery {
  fromDate: number
  toDate: number
  count: number
  /** First event of the page, of all in order. */
  offset: number
  byPage: boolean
  ascending: boolean
  types: ReadonlyMap<EntityType, RequestedType>
}

const MOST_BY_PAGE = 10_000
const DAY_MS = 86_400_000

/** An error of the change history. */
export const historyFailure = (details: string): AdsFailure =>
  new AdsFailure(400, { code: '400', details: `Invalid request: Error: ${details}` })

function whole(value: unknown, name: string): number {
  if (typeof value !== 'number' || !Number.isInteger(value)) throw historyFailure(`${name} must be an integer`)
  return value
}

function listed(value: unknown, name: string, most: number): unknown[] | null {
  if (value === undefined || value === null) return null
  if (!Array.isArray(value) || value.length > most) throw historyFailure(`${name} must be a list of at most ${most}`)
  return value
}

function textsIn(value: unknown, name: string, most: number): string[] | null {
  const texts = listed(value, name, most)
  if (texts && !texts.every(text => typeof text === 'string')) throw historyFailure(`${name} must be a list of strings`)
  return texts
}

function readParents(value: unknown, name: string): RequestedType['parents'] {
  return (listed(value, name, 10) ?? []).map(parent => {
    if (typeof parent !== 'object' || parent === null) throw historyFailure(`${name} must be a list of objects`)
    return parent as RequestedType['parents'][number]
  })
}

function readRequested(value: unknown, type: string): RequestedType {
  const { filters, eventTypeIds, parents } = (value ?? {}) as Record<string, unknown>
  const names = textsIn(filters, `${type}.filters`, filterNames.length)
  const wrong = names?.find(name => !(filterNames as readonly string[]).includes(name))
  if (wrong !== undefined) throw historyFailure(`Key in filters: ${wrong} is not supported.`)
  return {
    filters: names,
    ids: textsIn(eventTypeIds, `${type}.eventTypeIds`, 10),
    parents: readParents(parents, `${type}.parents`),
  }
}

function readTypes(value: unknown, withThemes: boolean): Map<EntityType, RequestedType> {
  const entries = Object.entries((value ?? {}) as Record<string, unknown>)
  if (entries.length === 0) throw historyFailure('eventTypes must name at least one type')
  const types = new Map<EntityType, RequestedType>()
  for (const [name, requested] of entries) {
    const type = entityTypes.find(one => one === name)
    if (type) types.set(type, readRequested(requested, name))
    else if (name !== 'THEME' || !withThemes)
      throw historyFailure(`Key in HistoryEventTypes: ${name} is not supported.`)
  }
  return types
}

function offsetOf(nextToken: unknown): number {
  const offset = Number(Buffer.from(String(nextToken), 'base64url').toString())
  if (!Number.isInteger(offset) || offset < 0) throw historyFailure('nextToken is invalid')
  return offset
}

/** The token that leads to the page from `offset` on. */
export const tokenOf = (offset: number): string => Buffer.from(String(offset)).toString('base64url')

/** The validated query. Only version 1.1 and later report themes, and there are none. Throws 400. */
export function readHistoryQuery(body: Record<string, unknown>, now: number, withThemes: boolean): HistoryQuery {
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
  return {
    fromDate,
    toDate,
    count,
    offset: body.nextToken === undefined ? page * count : offsetOf(body.nextToken),
    byPage,
    ascending: direction === 'ASC',
    types: readTypes(body.eventTypes, withThemes),
  }
}

/** Whether an event matches a query. */
export function matchesQuery({ types }: HistoryQuery, event: ChangeEvent): boolean {
  const requested = types.get(event.entityType)
  if (!requested) return false
  // Queries call the default bid of an ad group its bid.
  const filter = event.changeType === 'DEFAULT_BID_AMOUNT' ? 'BID_AMOUNT' : event.changeType
  if (requested.filters && !requested.filters.includes(filter)) return false
  if (requested.ids && !requested.ids.includes(event.entityId)) return false
  return (
    requested.parents.length === 0 ||
    requested.parents.some(
      ({ campaignId, adGroupId, useProfileIdAdvertiser }) =>
        useProfileIdAdvertiser === true ||
        (adGroupId !== undefined ? adGroupId === event.adGroupId : campaignId === event.campaignId),
    )
  )
}
