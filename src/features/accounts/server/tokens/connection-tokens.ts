import { AppError } from '#shared/errors.ts'
import type { Services } from '#server/context.ts'
import type { AccessTokens } from '#server/http-client/tokens/access-tokens.ts'
import type { ConnectionKind } from '../../contract.ts'
import { merchantOfConnection } from '../sql/connections.ts'
import { accessToken, type LoginOf, type TokenServices } from './access-token.ts'

/** Access tokens of one kind of connection. */
export interface ConnectionTokens {
  /** As the access tokens' own rules say; `refused` is the token that a 401 refused. */
  accessToken(connectionId: number, owner: { merchantId: number }, refused?: string): Promise<string>
}

function loginIn(services: Services): LoginOf {
  return kind =>
    kind === 'AMAZON_ADS' ? services.integrations.loginWithAmazon : services.integrations.loginWithAmazonSellers
}

/** Access tokens of advertising accounts. */
export function adsTokens(services: Services): ConnectionTokens {
  return {
    accessToken: (connectionId, { merchantId }, refused) =>
      accessToken(services, loginIn(services), { connectionId, merchantId, refused }),
  }
}

/** Access tokens of seller accounts. */
export const sellingPartnerTokens: (services: Services) => ConnectionTokens = adsTokens

/**
 * Access tokens for the doors to the outside, which know a connection by its number alone: whose it is is looked up
 * once and remembered.
 */
export function createConnectionTokens(
  services: TokenServices,
  logins: Record<ConnectionKind, ReturnType<LoginOf>>,
): AccessTokens {
  const merchants = new Map<number, number>()
  return async (connectionId, refused) => {
    const merchantId = merchants.get(connectionId) ?? (await merchantOfConnection(services.db.system, connectionId))
    if (merchantId === undefined) throw new AppError('NOT_FOUND', 'There is no such connection.')
    merchants.set(connectionId, merchantId)
    return accessToken(services, kind => logins[kind], { connectionId, merchantId, refused })
  }
}
