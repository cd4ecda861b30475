import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { RegionKey } from '#shared/marketplaces.ts'
import { fromMicros, roundToUnit } from '#shared/money.ts'
import type { Expression } from '../../core/model/store.ts'
import type { World } from '../../core/world.ts'
import { type AdsCaller, readCaller, readObject } from '../ads-caller.ts'
import { requireMedia } from '../media-types.ts'
import { AdsFailure } from '../ads-failure.ts'
import { adviceFailure, ownAsins, readObjects, readParts, readTexts } from '../advice/advice-subject.ts'
import type { Item } from '../entities/read-fields.ts'

const media = 'application/vnd.spinitialbudgetrecommendation.v3.4+json'
/** Clicks a day that are worth starting with for each thing targeted, and at most in all. */
const CLICKS_EACH = 4
const MOST_CLICKS = 60

function readDraft({ adGroups, targetingType, bidding }: Item): Item {
  if (targetingType !== 'auto' && targetingType !== 'manual')
    throw adviceFailure(400, 'targetingType must be auto or manual')
  if (typeof (bidding as Item | undefined)?.strategy !== 'string')
    throw adviceFailure(400, 'bidding.strategy is required')
  if (!Array.isArray(adGroups) || adGroups.length !== 1) throw adviceFailure(400, 'adGroups must have one item')
  const [group] = readObjects(adGroups, 'adGroups', 1)
  return group ?? {}
}

const range = (middle: number) => ({ lower: Math.floor(middle * 0.75), upper: Math.ceil(middle * 1.25) })

const failed = {
  dailyBudget: -1,
  recommendationId: null,
  benchmark: { benchmarkStatus: 'failed', values: null },
  specialEvents: [],
}

/** What a day's clicks on the draft's targets would cost at the usual bids; -1 when there is no data about them. */
function adviceFor({ world, profile, marketplace }: AdsCaller, asins: string[], expressions: Expression[]): object {
  const bids = expressions.flatMap(({ type, value }) => {
    const found = world.market().suggestBid(profile.profileId, asins, { type, ...(value && { value }) })
    return found ? [found.medianMicros] : []
  })
  if (bids.length === 0) return failed
  const clicks = Math.min(MOST_CLICKS, bids.length * CLICKS_EACH)
  const each = bids.reduce((sum, bid) => sum + bid, 0) / bids.length
  const micros = Math.max(marketplace.minDailyBudgetMicros, roundToUnit(clicks * each, marketplace.currency))
  return {
    dailyBudget: fromMicros(micros),
    recommendationId: randomUUID(),
    benchmark: {
      benchmarkStatus: 'success',
      values: { impressions: range(clicks * 220), clicks: range(clicks), conversions: range(clicks * 0.1) },
    },
    specialEvents: [],
  }
}

/** Errors of this call have only a message, and fewer statuses than its siblings. */
function inOwnWords<T>(answer: () => T): T {
  try {
    return answer()
  } catch (error) {
    if (!(error instanceof AdsFailure)) throw error
    throw new AdsFailure(error.status === 415 ? 415 : 400, { message: error.message })
  }
}

/** `POST /sp/campaigns/initialBudgetRecommendation`: a budget for a campaign that is still a draft. */
export function registerInitialBudget(app: FastifyInstance, world: World, region: RegionKey): void {
  app.post('/sp/campaigns/initialBudgetRecommendation', (request, reply) => {
    const caller = readCaller(request, world, region)
    const advice = inOwnWords(() => {
      requireMedia(request, { takes: [media] })
      const group = readDraft(readObject(request))
      return adviceFor(
        caller,
        ownAsins(caller, readTexts(group.asins, 'asins', 50)),
        readParts(group.targetingExpressions, 'targetingExpressions', 100),
      )
    })
    void reply.type(media)
    return JSON.stringify(advice)
  })
}
