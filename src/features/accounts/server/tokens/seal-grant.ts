import type { Services } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import { type SealedTokens, storeTokens } from '../sql/connections.ts'

export interface Grant {
  accessToken: string
  refreshToken: string
  expiresAt: Date
}

/** What a token is sealed for: table, row and column, so that it opens nowhere else. */
export function sealContext(merchantId: number, id: number, field: 'refresh_token' | 'access_token'): string {
  return `connection:${merchantId}:${id}:${field}`
}

/** Seals a grant for its connection and stores it. */
export async function storeGrant(
  { vault }: Pick<Services, 'vault'>,
  db: Db,
  merchantId: number,
  id: number,
  grant: Grant,
): Promise<void> {
  const tokens: SealedTokens = {
    refreshTokenSealed: vault.seal(grant.refreshToken, sealContext(merchantId, id, 'refresh_token')),
    accessTokenSealed: vault.seal(grant.accessToken, sealContext(merchantId, id, 'access_token')),
    accessTokenExpiresAt: grant.expiresAt,
  }
  await storeTokens(db, merchantId, id, tokens)
}
