import type { FastifyInstance } from 'fastify'
import type { RegionKey } from '#shared/marketplaces.ts'
import type { World } from '../../core/world.ts'
import { readCaller, readObject } from '../ads-caller.ts'
import { requireMedia } from '../media-types.ts'
import type { ChangeEvent } from './change-event.ts'
import type { ChangeLog } from './change-log.ts'
import { matchesQuery, readHistoryQuery, tokenOf } from './history-request.ts'

const newer = 'application/vnd.historyresponse.v1.1+json'

function toWire({ entityType, entityId, changeType, previousValue, newValue, timestamp, metadata }: ChangeEvent) {
  return {
    changeType,
    entityId,
    entityType,
    metadata,
    newValue,
    previousValue,
    timestamp,
  }
}

/** `POST /history`: all changes of a profile's campaigns in the last 90 days. */
export function registerHistory(app: FastifyInstance, world: World, region: RegionKey, log: ChangeLog): void {
  app.post('/history', (request, reply) => {
    const { profile, now } = readCaller(request, world, region)
    const withThemes = requireMedia(request, { takes: [], gives: [newer], plain: 'always' }).accept === newer
    const query = readHistoryQuery(readObject(request), now.getTime(), withThemes)
    const found = log
      .between(profile.profileId, query.fromDate, Math.min(query.toDate, now.getTime()))
      .filter(event => matchesQuery(query, event))
    if (!query.ascending) found.reverse()
    const end = query.offset + query.count
    return reply.type(withThemes ? newer : 'application/json').send(
      JSON.stringify({
        events: found.slice(query.offset, end).map(toWire),
        ...(query.byPage && { totalResults: Math.min(found.length, 10_000) }),
        ...(!query.byPage && end < found.length && { nextToken: tokenOf(end) }),
      }),
    )
  })
}
