import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AdsCaller } from '../../ads-caller.ts'
import { readCaller } from '../../ads-caller.ts'
import { gatewayFailure } from '../../ads-failure.ts'
import { allOf, createEntity, idOf, toWire } from '../../entities/entity-kind.ts'
import {
  acceptedTypes,
  type ArrayKind,
  type ArrayPlace,
  codeOf,
  type Outcome,
  registerOne,
  runItems,
  updateItem,
} from '../../entities/register-arrays.ts'
import { prefersWhole } from '../../entities/register-batches.ts'
import { readExactJson, wholeId } from '../../exact-json.ts'
import { requireMedia } from '../../media-types.ts'
import { isObject, type Item } from '../../entities/read-fields.ts'
import { plainText } from '../../plain-text.ts'
import { type BrandClause, hasCreativeType } from './brand-targeting.ts'

/** Unlike keywords, targets come inside an object, and their answers apart by how they went. */
export interface Envelope {
  /** Name of the list, in requests and in lists: targets or negativeTargets. */
  key: string
  createType: string
  updateType: string
}

const MOST_LISTED = 5000

function readObject(request: FastifyRequest, gives: readonly string[]): Item {
  requireMedia(request, { takes: [], gives, plain: 'always' })
  const value = readExactJson(request)
  if (!isObject(value)) throw gatewayFailure(422, 'UNPROCESSABLE_ENTITY', 'A JSON parsing error was encountered')
  return value
}

function split<E extends BrandClause>(
  { kind, verb, caller, whole }: { kind: ArrayKind<E>; verb: 'create' | 'update'; caller: AdsCaller; whole: boolean },
  outcomes: readonly Outcome<E>[],
): object {
  const success: object[] = []
  const errors: object[] = []
  for (const [targetRequestIndex, { item, entity, problem }] of outcomes.entries())
    if (entity)
      success.push({
        targetRequestIndex,
        targetId: wholeId(idOf(kind, entity)),
        ...(whole && { target: toWire(kind, entity, caller) }),
      })
    else if (problem)
      errors.push({
        targetRequestIndex,
        ...(item.targetId !== undefined && { targetId: item.targetId }),
        code: codeOf(problem),
        details: `${problem.reason}: ${problem.message}`,
      })
  return { [`${verb}TargetSuccessResults`]: success, [`${verb}TargetErrorResults`]: errors }
}

interface Filter {
  filterType?: unknown
  values?: unknown
}

/** A filter of a request. Throws 400 for an unknown one, even if there is nothing to filter. */
function readFilter(caller: AdsCaller, filter: unknown): (clause: BrandClause) => boolean {
  const { filterType, values = [] } = isObject(filter) ? (filter as Filter) : {}
  if (!Array.isArray(values)) throw gatewayFailure(400, 'INVALID_ARGUMENT', 'values of a filter must be a list')
  const requested = values.map(String)
  if (filterType === 'TARGETING_STATE') return clause => requested.includes(clause.state.toLowerCase())
  if (filterType === 'CAMPAIGN_ID') return clause => requested.includes(clause.campaignId)
  if (filterType === 'AD_GROUP_ID') return clause => requested.includes(clause.adGroupId)
  if (filterType === 'CREATIVE_TYPE')
    return clause => requested.some(type => hasCreativeType(caller, clause.adGroupId, type))
  throw gatewayFailure(400, 'INVALID_ARGUMENT', `There is no filter ${plainText(filterType) || '(none)'}`)
}

function listed<E extends BrandClause>(kind: ArrayKind<E>, key: string, caller: AdsCaller, body: Item): object {
  const { filters = [], maxResults = MOST_LISTED, nextToken } = body
  const size = Number(maxResults)
  if (!Number.isInteger(size) || size < 1 || size > MOST_LISTED)
    throw gatewayFailure(400, 'INVALID_ARGUMENT', `maxResults must be from 1 to ${MOST_LISTED}`)
  if (!Array.isArray(filters)) throw gatewayFailure(400, 'INVALID_ARGUMENT', 'filters must be a list')
  const requested = filters.map(filter => readFilter(caller, filter))
  const all = [...allOf(kind, caller.world.store)].filter(
    clause => clause.profileId === caller.profile.profileId && requested.every(passes => passes(clause)),
  )
  const start = typeof nextToken === 'string' ? Number(Buffer.from(nextToken, 'base64url').toString()) : 0
  if (!Number.isInteger(start)) throw gatewayFailure(400, 'INVALID_ARGUMENT', 'nextToken is invalid')
  const end = start + size
  return {
    [key]: all.slice(start, end).map(clause => toWire(kind, clause, caller)),
    ...(end < all.length && { nextToken: Buffer.from(String(end)).toString('base64url') }),
  }
}

/** Create, update, list, get and archive of targets, negative or not; answered 200, unlike most of this API. */
export function registerEnvelopes<E extends BrandClause>(place: ArrayPlace<E>, envelope: Envelope): void {
  const { app, world, region, kind } = place
  const gives = [...acceptedTypes(kind), envelope.createType, envelope.updateType]
  const change =
    (verb: 'create' | 'update', type: string, run: (caller: AdsCaller, item: Item) => E) =>
    (request: FastifyRequest, reply: FastifyReply) => {
      const caller = readCaller(request, world, region)
      const whole = prefersWhole(request, reply)
      const items = readObject(request, gives)[envelope.key]
      const outcomes = runItems(request, caller, items, item => run(caller, item))
      void reply.type(type)
      return JSON.stringify(split({ kind, verb, caller, whole }, outcomes))
    }
  app.post(
    kind.path,
    change('create', envelope.createType, (caller, item) => createEntity(kind, caller, item)),
  )
  app.put(
    kind.path,
    change('update', envelope.updateType, (caller, item) => updateItem(kind, caller, item)),
  )
  app.post(`${kind.path}/list`, (request, reply) => {
    const caller = readCaller(request, world, region)
    void reply.type(kind.types.list)
    return JSON.stringify(listed(kind, envelope.key, caller, readObject(request, gives)))
  })
  registerOne(place)
}
