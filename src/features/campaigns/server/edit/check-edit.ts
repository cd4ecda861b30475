import { AppError } from '#shared/errors.ts'
import { type MarketplaceFacts, marketplaceById } from '#shared/marketplaces.ts'
import { currentProfile, type Profile, requireOwner } from '#features/accounts/server/public.ts'
import { type Ctx, requireAuthority } from '#server/context.ts'

/**
 * The account whose rows the actor may change, with its marketplace's limits. Throws FORBIDDEN to viewers, RULE_VIOLATED
 * when no account is chosen.
 */
export const editableAccount = async (ctx: Ctx): Promise<{ profile: Profile; market: MarketplaceFacts }> => {
  requireAuthority(ctx, 'ACCOUNT_MANAGER')
  const profile = await currentProfile(ctx)
  await requireOwner(ctx, profile.merchantId)
  const market = marketplaceById(profile.marketplaceId)
  if (!market) throw new Error(`an account in an unknown marketplace: ${profile.marketplaceId}`)
  return { profile, market }
}

/** Throws unless the caller edits the row as it is now; the answer then holds the row. */
export const requireVersion = (ctx: Ctx, current: { version: number }): void => {
  if (ctx.ifMatch === null)
    throw new AppError('VALIDATION_FAILED', 'Say which version you change, in the header If-Match.', {
      details: ['If-Match is required'],
    })
  if (ctx.ifMatch !== current.version)
    throw new AppError('VERSION_CONFLICT', 'This was changed meanwhile. Look at both and choose.', {
      extra: { current },
    })
}

/** Throws VALIDATION_FAILED when there is a problem; the answer names the field of each. */
export const requireValid = (problems: Record<string, string | null | undefined>): void => {
  const found = Object.entries(problems).filter((entry): entry is [string, string] => Boolean(entry[1]))
  if (found.length)
    throw new AppError('VALIDATION_FAILED', 'Some fields need another look.', {
      details: found.map(([, message]) => message),
      extra: { fields: Object.fromEntries(found) },
    })
}
