import { sql } from 'kysely'
import * as v from 'valibot'
import { AppError } from '#shared/errors.ts'
import { isShortEnough, keywordText, negativePhraseMessage } from '#shared/keyword-rules.ts'
import { asinSchema } from '#features/recommendations/contract.ts'
import { matching, type NewRow, type Owner, tableOf } from '#features/structure/server/public.ts'
import type { Db } from '#server/db/tables.ts'
import type { NewNegativeKeyword, NewNegativeTarget } from '../contract.ts'

export type NegativeAdType = 'SPONSORED_PRODUCTS' | 'SPONSORED_BRANDS'

/** What one call adds, and where. */
export interface NegativesOrder {
  campaignId: number
  adGroupId?: number | null | undefined
  keywords?: readonly NewNegativeKeyword[] | undefined
  targets?: readonly NewNegativeTarget[] | undefined
}

/** A negative that may be added, or why it cannot be. */
export type PlannedNegative = { row: NewRow; problem: null } | { row: null; problem: string }

const adTypeNames = { SPONSORED_PRODUCTS: 'Sponsored Products', SPONSORED_BRANDS: 'Sponsored Brands' }

/**
 * Checks the place of new negatives. Throws NOT_FOUND when the account has no such campaign or ad group, RULE_VIOLATED
 * when it is archived or of another ad type, VALIDATION_FAILED (with `fields`) for a whole campaign of Sponsored Brands.
 */
export async function requirePlace(
  tx: Db,
  owner: Owner,
  { campaignId, adGroupId }: NegativesOrder,
  adType: NegativeAdType,
): Promise<void> {
  const campaign = await one(
    tx,
    sql`select t.state, t.ad_type as "adType" from ${tableOf('campaign')} t
    where ${matching(owner, [sql`t.id = ${campaignId}`])}`,
  )
  if (!campaign) throw new AppError('NOT_FOUND', 'There is no such campaign.')
  if (campaign.adType !== adType)
    throw new AppError('RULE_VIOLATED', `This is not a campaign of ${adTypeNames[adType]}.`)
  if (campaign.state === 'ARCHIVED') throw new AppError('RULE_VIOLATED', 'An archived campaign takes no negatives.')
  if (!adGroupId) {
    if (adType === 'SPONSORED_PRODUCTS') return
    const problem = 'Sponsored Brands has negatives on ad groups only: choose an ad group'
    throw new AppError('VALIDATION_FAILED', 'Some fields need another look.', {
      details: [problem],
      extra: { fields: { adGroupId: problem } },
    })
  }
  const adGroup = await one(
    tx,
    sql`select t.state, null as "adType" from ${tableOf('adGroup')} t
    where ${matching(owner, [sql`t.id = ${adGroupId} and t.campaign_id = ${campaignId}`])}`,
  )
  if (!adGroup) throw new AppError('NOT_FOUND', 'There is no such ad group in the campaign.')
  if (adGroup.state === 'ARCHIVED') throw new AppError('RULE_VIOLATED', 'An archived ad group takes no negatives.')
}

async function one(tx: Db, query: ReturnType<typeof sql>) {
  const { rows } = await (query as ReturnType<typeof sql<{ state: string; adType: string | null }>>).execute(tx)
  return rows[0]
}

/** Each negative as a row to add, or its problem in a sentence; in their order. */
export function planNegatives(order: NegativesOrder): PlannedNegative[] {
  const place = { campaignId: order.campaignId, adGroupId: order.adGroupId ?? null }
  return [
    ...(order.keywords ?? []).map(keyword => planKeyword(place, keyword)),
    ...(order.targets ?? []).map(target => planTarget(place, target)),
  ]
}

type Place = Pick<NewRow, 'campaignId' | 'adGroupId'>

function planKeyword(place: Place, { text, matchType }: NewNegativeKeyword): PlannedNegative {
  const parsed = v.safeParse(keywordText, text, { abortPipeEarly: true })
  if (!parsed.success) return { row: null, problem: parsed.issues[0].message }
  if (!isShortEnough(parsed.output, matchType)) return { row: null, problem: negativePhraseMessage }
  const shown = parsed.output.replace(/\s+/g, ' ')
  return { row: { ...place, kind: 'KEYWORD', text: shown, matchType, expression: null }, problem: null }
}

function planTarget(place: Place, { expressionType, value }: NewNegativeTarget): PlannedNegative {
  const trimmed = value.trim()
  if (expressionType === 'ASIN_SAME_AS') {
    const parsed = v.safeParse(asinSchema, trimmed)
    return parsed.success
      ? targetOf(place, expressionType, parsed.output)
      : { row: null, problem: parsed.issues[0].message }
  }
  if (!/^[\w.-]{1,100}$/.test(trimmed)) return { row: null, problem: 'Enter the marketplace’s id of a brand' }
  return targetOf(place, expressionType, trimmed)
}

function targetOf(place: Place, type: string, value: string): PlannedNegative {
  const expression = [{ type, value }]
  return { row: { ...place, kind: 'PRODUCT', text: `${type}: ${value}`, matchType: null, expression }, problem: null }
}
