import { type Route, route } from '#server/http/route.ts'
import { connectEndpoints as connect } from '../connect-contract.ts'
import { profileEndpoints as profile, type Region } from '../contract.ts'
import {
  beginConsent,
  beginReconnect,
  completeAdsConsent,
  completeConsent,
  completeSellerConsent,
} from './consent/consent.ts'
import {
  chooseMarketplace,
  chooseMerchant,
  connectProfiles,
  getCurrentMarketplace,
  getCurrentMerchant,
  listMarketplaces,
  listMarketplacesOf,
  selectProfile,
} from './current-choice.ts'
import { disconnectMerchant, getMerchant, listMerchants, listMerchantsInfo } from './merchants.ts'
import { marketplaces, regions } from '#shared/marketplaces.ts'
import { marketplaceAnswer } from './present.ts'

// A state has 256 bits; this only spares the marketplace from our users' scripts.
const rateLimit = { max: 30, windowSeconds: 60 }

export const accountsRoutes: Route[] = [
  route(profile.regions, () => listRegions()),
  route(connect.adsLogin, (ctx, { query }) => beginConsent(ctx, 'AMAZON_ADS', query), { rateLimit }),
  route(connect.sellerLogin, (ctx, { query }) => beginConsent(ctx, 'SELLING_PARTNER', query), { rateLimit }),
  route(connect.reconnect, (ctx, { params }) => beginReconnect(ctx, params.id), { rateLimit }),
  route(connect.adsCallback, (ctx, { body }) => completeAdsConsent(ctx, body), { rateLimit }),
  route(connect.sellerCallback, (ctx, { body }) => completeSellerConsent(ctx, body), { rateLimit }),
  route(connect.anyCallback, (ctx, { body }) => completeConsent(ctx, body), { rateLimit }),
  route(connect.connectProfiles, (ctx, { body }) => connectProfiles(ctx, body)),
  route(connect.selectProfile, (ctx, { body }) => selectProfile(ctx, body.amazonProfileId)),
  route(profile.merchants, ctx => listMerchants(ctx)),
  route(profile.merchant, (ctx, { params }) => getMerchant(ctx, params.id)),
  route(profile.disconnectMerchant, (ctx, { params }) => disconnectMerchant(ctx, params.id)),
  route(profile.marketplacesOfMerchant, (ctx, { params }) => listMarketplacesOf(ctx, params.id)),
  route(profile.marketplaces, ctx => listMarketplaces(ctx)),
  route(profile.merchantsInfo, (ctx, { query }) => listMerchantsInfo(ctx, query.provider)),
  route(profile.currentMerchant, ctx => getCurrentMerchant(ctx)),
  route(profile.chooseMerchant, (ctx, { query }) => chooseMerchant(ctx, query.merchantId)),
  route(profile.currentMarketplace, ctx => getCurrentMarketplace(ctx)),
  route(profile.chooseMarketplace, (ctx, { query }) => chooseMarketplace(ctx, query.marketplaceId)),
]

/** Every advertising region with its marketplaces. */
function listRegions(): Promise<Region[]> {
  return Promise.resolve(
    regions.map(({ id, key, name }) => ({
      id,
      name,
      marketPlaces: marketplaces.filter(m => m.region === key).map(m => marketplaceAnswer(m.id)),
    })),
  )
}
