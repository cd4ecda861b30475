import { adLimits, bidProblem, dailyBudgetProblem, lifetimeBudgetProblem } from '#shared/ad-limits.ts'
import {
  endDateProblem,
  nameLengthProblem,
  optimizationsLike,
  placementsProblem,
  startDateProblem,
  strategyProblem,
} from '#shared/campaign-rules.ts'
import { type MarketplaceFacts, marketplaceById } from '#shared/marketplaces.ts'
import type { Profile } from '#features/accounts/server/public.ts'
import { type Changes, type EditableEntity, type Row, entities } from '../../contract.ts'
import { nameKey, type Parents, type RowWithParents, takenNames } from '../sql/edit-rows.ts'
import { changesOf, type Field, type FieldChange, fieldsOfRow } from '#shared/fields.ts'
import { dayIn } from '#shared/time.ts'
import type { Db } from '#server/db/tables.ts'

/** What a rule may look at. */
interface Edit<E extends EditableEntity> {
  profile: Profile
  market: MarketplaceFacts
  /** The account's day. */
  today: string
  row: Row<E>
  parents: Parents
  change: Changes[E]
  /** Whether another campaign, or another ad group of the campaign, has a name (`nameKey`). */
  isTaken: (key: string) => boolean
}

/** Why a row cannot be changed: a rule in its way, or a problem of each field; both empty where it can. */
export interface EditProblems {
  rule?: string | null
  fields?: Record<string, string | null | undefined>
}

interface EditRules<E extends EditableEntity> {
  /** What messages and the audit call the row: "ad group". */
  noun: (row: Row<E>) => string
  check: (edit: Edit<E>) => EditProblems
  /** Which rows screens should read again. */
  event: (row: Row<E>) => object
  campaignId: (row: Row<E>) => number
}

/** The rules of an edit that look at other fields or rows, for one row and for many. */
export const editRules: { [E in EditableEntity]: EditRules<E> } = {
  campaign: {
    noun: () => 'campaign',
    check: campaignProblems,
    event: row => ({ ids: [row.id] }),
    campaignId: row => row.id,
  },
  adGroup: {
    noun: () => 'ad group',
    check: adGroupProblems,
    event: row => ({ adGroupIds: [row.id], campaignId: row.campaignId }),
    campaignId: row => row.campaignId,
  },
  ad: {
    noun: () => 'ad',
    check: ({ parents }) => ({
      rule: parents.adGroupState === 'ARCHIVED' ? 'An archived ad cannot be changed.' : null,
    }),
    event: row => ({ adIds: [row.id], adGroupId: row.adGroupId }),
    campaignId: row => row.campaignId,
  },
  target: {
    noun: row => (row.kind === 'KEYWORD' ? 'keyword' : 'target'),
    check: targetProblems,
    event: row => ({ targetIds: [row.id], adGroupId: row.adGroupId }),
    campaignId: row => row.campaignId,
  },
}

function campaignProblems({ profile, market, today, row, change, isTaken }: Edit<'campaign'>): EditProblems {
  const { name, budget, lifetimeBudget, startDate, endDate, biddingStrategy } = change
  const firstDay = startDate ?? row.startDate
  const lastDay = endDate === undefined ? row.endDate : endDate
  const limits = adLimits(market, { ...row, advertiser: profile.accountType })
  const isOtherStrategy = biddingStrategy !== undefined && biddingStrategy !== row.biddingStrategy
  const isRenamed = name !== undefined && name !== row.name
  const isNewName = isRenamed && name.toLowerCase() !== row.name.toLowerCase()
  const tooLong = isRenamed ? nameLengthProblem(name, profile.accountType) : null
  return {
    rule: isOtherStrategy ? strategyProblem(biddingStrategy, row.adType) : null,
    fields: {
      name: tooLong ?? (isNewName && isTaken(nameKey(null, name)) ? 'Another campaign has this name' : null),
      budget: budget === undefined ? null : dailyBudgetProblem(budget, limits),
      lifetimeBudget: lifetimeBudget === undefined ? null : lifetimeBudgetProblem(lifetimeBudget, limits),
      placements: bidsProblem(row, change),
      startDate:
        startDate === undefined || startDate === row.startDate
          ? null
          : startDateProblem(startDate, row, lastDay, today),
      endDate: endDate === undefined || endDate === row.endDate ? null : endDateProblem(endDate, firstDay, today),
    },
  }
}

// The marketplace takes the strategy together with the placements, and one that we do not know cannot be sent back.
function bidsProblem(row: Row<'campaign'>, { placements, biddingStrategy }: Changes['campaign']): string | null {
  if (!placements && !biddingStrategy) return null
  const strategy = biddingStrategy ?? row.biddingStrategy
  const problem = placementsProblem(placements ?? (row.placements as Placements), row.adType, strategy)
  if (problem || !placements) return problem
  return strategy === null || strategy === 'OTHER'
    ? 'Choose a bidding strategy first: this one is managed at the marketplace'
    : null
}

type Placements = NonNullable<Changes['campaign']['placements']>

function adGroupProblems({ market, row, parents, change, isTaken }: Edit<'adGroup'>): EditProblems {
  const { name, defaultBid, bidOptimization } = change
  const isRenamed = name !== undefined && name.toLowerCase() !== row.name.toLowerCase()
  return {
    fields: {
      name:
        isRenamed && isTaken(nameKey(row.campaignId, name)) ? 'Another ad group of the campaign has this name' : null,
      defaultBid: bidProblemOf(market, row, parents, defaultBid),
      bidOptimization: optimizationProblem(row.bidOptimization, bidOptimization),
    },
  }
}

function bidProblemOf(
  market: MarketplaceFacts,
  { adType }: { adType: string },
  { campaign, isVideo }: Parents,
  bid: number | undefined,
): string | null {
  if (bid === undefined) return null
  const costType = campaign?.costType ?? null
  // A thousand views may cost more than a day's budget.
  const budgetMicros = costType === 'VCPM' ? null : (campaign?.budgetMicros ?? null)
  return bidProblem(bid, adLimits(market, { adType, costType, isVideo }), { budgetMicros })
}

// Views and clicks are paid for by the campaign, whose cost type never changes.
function optimizationProblem(before: string | null, after: string | undefined): string | null {
  if (after === undefined || optimizationsLike(before).includes(after)) return null
  return after === 'REACH' ? 'This campaign pays for clicks' : 'This campaign pays for views'
}

function targetProblems({ market, row, parents, change: { bid, state } }: Edit<'target'>): EditProblems {
  return {
    rule:
      row.kind === 'AUTO' && state === 'ARCHIVED' ? 'An automatic group cannot be archived. Pause it instead.' : null,
    fields: { bid: bidProblemOf(market, row, parents, bid) },
  }
}

interface RequestedEdit<E extends EditableEntity = EditableEntity> extends RowWithParents<E> {
  change: Changes[E]
}

/** Whether a row can be changed as requested: what really changes, or why it cannot. */
export type Verdict =
  | { changes: FieldChange[] }
  /** `fields`: a sentence for each field that the marketplace would not accept. */
  | { changes: null; rule: string; fields: null }
  | { changes: null; rule: null; fields: Record<string, string> }

/** The sentence of a verdict against a change; null of one in favor. */
export const objection = (verdict: Verdict): string | null =>
  verdict.changes ? null : (verdict.rule ?? Object.values(verdict.fields)[0] ?? null)

/**
 * Checks edits of rows of one kind by every rule, in the order in which they would be made: of two that want one name the
 * first gets it. Reads at most once, however many rows there are, and changes nothing.
 */
export async function checkEdits<E extends EditableEntity>(
  tx: Db,
  profile: Profile,
  entity: E,
  edits: readonly RequestedEdit<E>[],
  now: Date,
): Promise<Verdict[]> {
  const market = marketOf(profile)
  const names = edits.flatMap(({ change }) => ('name' in change && typeof change.name === 'string' ? change.name : []))
  const taken = await takenNames(tx, profile, entity, names)
  const today = dayIn(now, profile.timezone)
  return edits.map(edit => {
    const verdict = verdictOn(entity, edit, { profile, market, today, isTaken: key => taken.has(key) })
    const name = verdict.changes?.find(change => change.name === 'name')?.after
    if (typeof name === 'string')
      taken.add(nameKey('campaignId' in edit.row ? Number(edit.row.campaignId) : null, name))
    return verdict
  })
}

function marketOf({ marketplaceId }: Profile): MarketplaceFacts {
  const market = marketplaceById(marketplaceId)
  if (!market) throw new Error(`an account in an unknown marketplace: ${marketplaceId}`)
  return market
}

interface Account {
  profile: Profile
  market: MarketplaceFacts
  today: string
  isTaken: (key: string) => boolean
}

function verdictOn<E extends EditableEntity>(
  entity: E,
  { row, parents, change }: RequestedEdit<E>,
  account: Account,
): Verdict {
  const { noun, check } = editRules[entity]
  const against = (rule: string): Verdict => ({ changes: null, rule, fields: null })
  if (row.state === 'ARCHIVED' || parents.campaign?.state === 'ARCHIVED')
    return against(`An archived ${noun(row)} cannot be changed.`)
  const { rule, fields } = check({ ...account, row, parents, change })
  if (rule) return against(rule)
  const found = Object.entries({ ...adTypeProblems(entities[entity].fields, row, change), ...fields }).filter(
    (entry): entry is [string, string] => Boolean(entry[1]),
  )
  if (found.length) return { changes: null, rule: null, fields: Object.fromEntries(found) }
  return { changes: changesOf(entities[entity].fields, row, change) }
}

function adTypeProblems(fields: Readonly<Record<string, Field>>, row: object, change: object): Record<string, string> {
  const present = fieldsOfRow(fields, row)
  const missing = Object.keys(change).filter(name => name in fields && !(name in present))
  return Object.fromEntries(missing.map(name => [name, absences[name] ?? 'This ad type does not have this setting']))
}

const absences: Record<string, string> = {
  budget: 'This campaign has no daily budget',
  lifetimeBudget: 'This campaign has no lifetime budget',
}
