import type { FastifyRequest } from 'fastify'
import { type AdsCaller, readRequiredJson, wholeId } from '../ads-caller.ts'
import { badRequest, plainText, unprocessable } from '../ads-failure.ts'
import type { Call } from '../calls.ts'
import { allOf, createEntity, type Entity, idOf, isOwn, toWire } from '../entities/entity-kind.ts'
import { isObject, type Item } from '../entities/read-fields.ts'
import { acceptedTypes, type ArrayKind, codeOf, callsOfOne, runArray, updateItem } from '../entities/array-calls.ts'
import { prefersWhole } from '../entities/run-items.ts'

/** Unlike keywords, targets come inside an object, and their answers apart by how they went. */
export interface EnvelopeKind<E extends Entity = Entity> extends ArrayKind<E> {
  /** Name of the list, in requests and in lists. */
  key: string
  types: ArrayKind['types'] & { create: string; update: string }
}

const MOST_LISTED = 5000

/** Whether the ad group shows only pictures or a video, as list filters name it. */
export function hasCreativeType({ world }: AdsCaller, { adGroupId }: Entity, type: string | undefined): boolean {
  if (!type) return true
  for (const ad of world.store.brandAds.values())
    if (ad.adGroupId === adGroupId) return type === (ad.format.endsWith('VIDEO') ? 'video' : 'productCollection')
  return false
}

/** A filter of a request. Throws 400 for an unknown one, even if there is nothing to filter. */
function readFilter(caller: AdsCaller, filter: unknown): (clause: Entity) => boolean {
  const { filterType, values = [] }: Item = isObject(filter) ? filter : {}
  if (!Array.isArray(values)) throw badRequest('values of a filter must be a list')
  const requested = values.map(String)
  if (filterType === 'TARGETING_STATE') return ({ state }) => requested.includes(state.toLowerCase())
  if (filterType === 'CAMPAIGN_ID') return ({ campaignId }) => requested.includes(campaignId ?? '')
  if (filterType === 'AD_GROUP_ID') return ({ adGroupId }) => requested.includes(adGroupId ?? '')
  if (filterType === 'CREATIVE_TYPE') return clause => requested.some(type => hasCreativeType(caller, clause, type))
  throw badRequest(`There is no filter ${plainText(filterType) || '(none)'}`)
}

function listed(kind: EnvelopeKind, caller: AdsCaller, body: Item): object {
  const { filters = [], maxResults = MOST_LISTED, nextToken } = body
  const size = Number(maxResults)
  if (!Number.isInteger(size) || size < 1 || size > MOST_LISTED)
    throw badRequest(`maxResults must be from 1 to ${MOST_LISTED}`)
  if (!Array.isArray(filters)) throw badRequest('filters must be a list')
  const requested = filters.map(filter => readFilter(caller, filter))
  const all = [...allOf(kind, caller.world.store)].filter(
    clause => isOwn(kind, caller, clause) && requested.every(passes => passes(clause)),
  )
  const start = typeof nextToken === 'string' ? Number(Buffer.from(nextToken, 'base64url').toString()) : 0
  if (!Number.isInteger(start)) throw badRequest('nextToken is invalid')
  const end = start + size
  return {
    [kind.key]: all.slice(start, end).map(clause => toWire(kind, clause, caller)),
    ...(end < all.length && { nextToken: Buffer.from(String(end)).toString('base64url') }),
  }
}

/** Create, update, list, get and archive of targets, negative or not; answered 200, unlike most of this API. */
export function envelopeCalls(kind: EnvelopeKind): Call[] {
  const { path, types, key } = kind
  const gives = [...acceptedTypes(kind), types.create, types.update]
  const envelope = {
    media: { takes: [], gives, plain: 'always' },
    read(request: FastifyRequest): Item {
      const value = readRequiredJson(request)
      if (!isObject(value)) throw unprocessable()
      return value
    },
  } as const
  const change = (method: 'POST' | 'PUT', verb: 'create' | 'update', run: typeof updateItem): Call => ({
    method,
    path,
    ...envelope,
    type: types[verb],
    answer(caller, body, { request, reply }) {
      const whole = prefersWhole(request, reply)
      const success: object[] = []
      const errors: object[] = []
      const outcomes = runArray(request, caller, body[key], item => run(kind, caller, item))
      for (const [targetRequestIndex, { item, entity, problem }] of outcomes.entries())
        if (entity) {
          const target = whole ? { target: toWire(kind, entity, caller) } : {}
          success.push({ targetRequestIndex, targetId: wholeId(idOf(kind, entity)), ...target })
        } else if (problem) {
          const details = `${problem.reason}: ${problem.message}`
          errors.push({ targetRequestIndex, targetId: item.targetId, code: codeOf(problem), details })
        }
      return { [`${verb}TargetSuccessResults`]: success, [`${verb}TargetErrorResults`]: errors }
    },
  })
  return [
    change('POST', 'create', createEntity),
    change('PUT', 'update', updateItem),
    { path: `${path}/list`, ...envelope, type: types.list, answer: (caller, body) => listed(kind, caller, body) },
    ...callsOfOne(kind),
  ]
}
