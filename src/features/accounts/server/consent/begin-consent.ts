import { AppError } from '#shared/errors.ts'
import { marketplaceById, type RegionKey, regions } from '#shared/marketplaces.ts'
import { type Ctx, requireAuthority } from '#server/context.ts'
import type { ConnectionKind } from '../../contract.ts'
import { requireOwner } from '../merchants.ts'
import { connectionsOf, merchantById } from '../sql/merchants.ts'
import { issueState } from './state.ts'

interface ConsentRequest {
  regionId: number
  /** The merchant that the consent must be for; any when absent. */
  merchantId?: number | undefined
  /** Which country's console the person signs in to; the region's first when absent. */
  marketplaceId?: number | undefined
}

/**
 * Where to send the browser for a consent. The state in it is single use, bound to the actor, the kind and the region,
 * and lives ten minutes. Throws NOT_FOUND for an unknown region or a merchant that is not the user's, RULE_VIOLATED when
 * the merchant is of another region or the marketplace has no console, FORBIDDEN to viewers.
 */
export async function beginConsent(ctx: Ctx, kind: ConnectionKind, request: ConsentRequest): Promise<{ url: string }> {
  requireAuthority(ctx, 'ACCOUNT_MANAGER')
  const region = regions.find(r => r.id === request.regionId)
  if (!region) throw new AppError('NOT_FOUND', 'There is no such region.')
  const { merchantId } = request
  if (merchantId !== undefined) {
    await requireOwner(ctx, merchantId)
    const merchant = await ctx.db.tenant(merchantId, tx => merchantById(tx, merchantId))
    if (merchant?.region !== region.key) throw new AppError('RULE_VIOLATED', 'The merchant is in another region.')
  }
  const key = consoleOf(region.key, request.marketplaceId)
  requireSetUp(ctx, kind)
  const state = await issueState(ctx, { kind, region: region.key, merchantId: merchantId ?? null })
  const redirectUri = `${ctx.config.publicUrl}/callback`
  const { loginWithAmazon, sellingPartner } = ctx.integrations
  const url =
    kind === 'AMAZON_ADS'
      ? loginWithAmazon.authorizeUrl({ region: region.key, state, redirectUri })
      : sellingPartner.consentUrl({ marketplaceKey: key, state, redirectUri })
  return { url }
}

/** Where to send the browser to authorise a connection again. Throws NOT_FOUND, and FORBIDDEN to viewers. */
export async function beginReconnect(ctx: Ctx, connectionId: number): Promise<{ url: string }> {
  const { merchantIds } = ctx.actor
  const all = await ctx.db.tenant(merchantIds, tx => connectionsOf(tx, merchantIds))
  const connection = all.find(c => c.id === connectionId)
  const region = regions.find(r => r.key === connection?.region)
  if (!connection || !region) throw new AppError('NOT_FOUND', 'There is no such connection.')
  return beginConsent(ctx, connection.kind, { regionId: region.id, merchantId: connection.merchantId })
}

// The consoles of a region's first country let the sellers of most of its other countries in as well.
const firstConsole: Record<RegionKey, string> = { NA: 'US', EU: 'UK', FE: 'JP' }

function consoleOf(region: RegionKey, marketplaceId: number | undefined): string {
  if (marketplaceId === undefined) return firstConsole[region]
  const facts = marketplaceById(marketplaceId)
  if (facts?.region !== region) throw new AppError('NOT_FOUND', 'There is no such marketplace in this region.')
  if (!facts.sellerCentralUrl) throw new AppError('RULE_VIOLATED', 'This marketplace has no console of its own yet.')
  return facts.key
}

function requireSetUp({ config }: Ctx, kind: ConnectionKind): void {
  const missing =
    kind === 'AMAZON_ADS'
      ? !config.ADS_CLIENT_ID || !config.ADS_CLIENT_SECRET
      : !config.SP_APPLICATION_ID || !config.SP_CLIENT_ID || !config.SP_CLIENT_SECRET
  if (missing) throw new AppError('UPSTREAM_UNAVAILABLE', 'Connecting accounts is not set up on this server.')
}
