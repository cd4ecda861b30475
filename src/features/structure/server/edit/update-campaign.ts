import {
  dailyBudgetProblem,
  endDateProblem,
  nameLengthProblem,
  placementsOf,
  strategyProblem,
} from '#shared/campaign-rules.ts'
import { AppError } from '#shared/errors.ts'
import { dayIn } from '#shared/time.ts'
import type { Profile } from '#features/accounts/server/public.ts'
import type { Ctx } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import type { Campaign, Changes, Rows } from '../../contract.ts'
import { nameTaken } from '../sql/find-rows.ts'
import { editRow } from './edit-row.ts'

type Row = Rows['campaign']
type Change = Changes['campaign']

/** Changes a campaign; see `editRow` for what it does and throws. */
export function updateCampaign(
  ctx: Ctx,
  { campaignId, ...change }: Change & { campaignId: number },
): Promise<Campaign> {
  return editRow(ctx, 'campaign', campaignId, change, {
    noun: 'campaign',
    check: async ({ tx, profile, market, row }) => {
      requireStrategy(row, change)
      const today = dayIn(ctx.clock.now(), profile.timezone)
      const { budget, endDate } = change
      return {
        name: await nameProblem(tx, profile, row, change.name),
        budget: budget === undefined ? null : dailyBudgetProblem(budget, market),
        placements: placementsProblem(row, change),
        endDate:
          endDate === undefined || endDate === row.endDate ? null : endDateProblem(endDate, row.startDate, today),
      }
    },
    event: row => ({ ids: [row.id] }),
  })
}

function requireStrategy({ adType, biddingStrategy: before }: Row, { biddingStrategy }: Change): void {
  if (biddingStrategy === undefined || biddingStrategy === before) return
  const problem = strategyProblem(biddingStrategy, adType)
  if (problem) throw new AppError('RULE_VIOLATED', problem, { details: [problem] })
}

// The marketplace takes the strategy together with the placements, and one that we do not know cannot be sent back.
function placementsProblem(row: Row, { placements, biddingStrategy }: Change): string | null {
  if (!placements) return null
  if (placements.some(one => !placementsOf(row.adType).includes(one.placement)))
    return 'This ad type does not have this placement'
  return !biddingStrategy && (row.biddingStrategy === null || row.biddingStrategy === 'OTHER')
    ? 'Choose a bidding strategy first: this one is managed at the marketplace'
    : null
}

async function nameProblem(tx: Db, profile: Profile, row: Row, name: string | undefined): Promise<string | null> {
  if (name === undefined || name === row.name) return null
  const tooLong = nameLengthProblem(name, profile.accountType)
  if (tooLong || name.toLowerCase() === row.name.toLowerCase()) return tooLong
  const taken = await nameTaken(tx, profile.merchantId, profile.profileId, [name])
  return taken.length ? 'Another campaign has this name' : null
}
