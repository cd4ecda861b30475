import { createHash, randomBytes } from 'node:crypto'
import { AppError } from '#shared/errors.ts'
import type { RegionKey } from '#shared/marketplaces.ts'
import { type Ctx, requireAuthority } from '#server/context.ts'
import type { ConnectionKind } from '../../contract.ts'

/** A consent under way. */
export interface ConsentState {
  kind: ConnectionKind
  region: RegionKey
  /** The merchant that the consent is for; null when any will do. */
  merchantId: number | null
}

const livesMs = 10 * 60_000
const hashOf = (state: string): string => createHash('sha256').update(state).digest('hex')

/** Creates a state of 256 bits for a consent of the actor; only its hash is stored, for ten minutes. */
export async function issueState({ db, actor, clock }: Ctx, consent: ConsentState): Promise<string> {
  const { accountId } = actor
  const state = randomBytes(32).toString('base64url')
  const now = clock.now()
  const expired = db.system.deleteFrom('oauth_state').where('account_id', '=', accountId)
  await expired.where('expires_at', '<', now).execute()
  await db.system
    .insertInto('oauth_state')
    .values({
      state_hash: hashOf(state),
      account_id: accountId,
      kind: consent.kind,
      region: consent.region,
      merchant_id: consent.merchantId,
      created_at: now,
      expires_at: new Date(now.getTime() + livesMs),
      used_at: null,
    })
    .execute()
  return state
}

/** Uses a state up. Throws FORBIDDEN, and OAUTH_STATE_INVALID with the same words for whatever is wrong with it. */
export async function redeemState(ctx: Ctx, state: string, kind: ConnectionKind | null): Promise<ConsentState> {
  requireAuthority(ctx, 'ACCOUNT_MANAGER')
  const now = ctx.clock.now()
  const consent = await ctx.db.system
    .updateTable('oauth_state')
    .set({ used_at: now })
    .where('state_hash', '=', hashOf(state))
    .where('account_id', '=', ctx.actor.accountId)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .$if(kind !== null, query => query.where('kind', '=', kind as ConnectionKind))
    .returning(['kind', 'region', 'merchant_id as merchantId'])
    .executeTakeFirst()
  if (!consent)
    throw new AppError('OAUTH_STATE_INVALID', 'This connection was not started here, or it was completed already.')
  return consent
}
